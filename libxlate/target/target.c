/* target.c - see target.h. */
#include "target.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILE_MAX_BYTES = 16 << 20 };

#define VERSION(major, minor) ((uint32_t)(major) << 22 | (uint32_t)(minor) << 12)

/* What every Vulkan implementation has, and what follows from other facts. */
static void derive(struct fact_target *t)
{
	t->sampled_1d = t->sampled_buffer = t->image_buffer = true;
	/* Vulkan 1.0 to 1.3 take SPIR-V 1.0, 1.3, 1.5, 1.6 */
	t->spirv = t->vulkan >= VERSION(1, 3) ? 0x00010600 : t->vulkan >= VERSION(1, 2) ? 0x00010500 : 0x00010300;
	if (!t->subgroup_min)
		t->subgroup_min = t->subgroup_size;
	if (!t->subgroup_max)
		t->subgroup_max = t->subgroup_size;
	if (!t->max_uniform_range)
		t->max_uniform_range = 16384; /* the specification's minimum */
	if (!t->max_push)
		t->max_push = 128;
}

/* A target from a column of the table. */
#define SHIPPED .spirv = 0x00010600, .sampled_1d = true, .sampled_buffer = true, .image_buffer = true
#define LIMIT FEATURE
#define ELEMENT FEATURE
#define OPERATION FEATURE
#define EXTENSION FEATURE

static const struct fact_target shipped_lavapipe = {
	.name = "lavapipe", SHIPPED,
#define FEATURE(field, key, lavapipe, h200, navi10, navi21, bonaire) .field = lavapipe,
#define QUIRK(field, key, otherwise, lavapipe, h200, navi10, navi21, bonaire) .field = lavapipe,
#include "target.def"
#undef FEATURE
#undef QUIRK
};

static const struct fact_target shipped_h200 = {
	.name = "nvidia-h200", SHIPPED,
#define FEATURE(field, key, lavapipe, h200, navi10, navi21, bonaire) .field = h200,
#define QUIRK(field, key, otherwise, lavapipe, h200, navi10, navi21, bonaire) .field = h200,
#include "target.def"
#undef FEATURE
#undef QUIRK
};

static const struct fact_target shipped_navi10 = {
	.name = "radv-navi10", SHIPPED,
#define FEATURE(field, key, lavapipe, h200, navi10, navi21, bonaire) .field = navi10,
#define QUIRK(field, key, otherwise, lavapipe, h200, navi10, navi21, bonaire) .field = navi10,
#include "target.def"
#undef FEATURE
#undef QUIRK
};

static const struct fact_target shipped_navi21 = {
	.name = "radv-navi21", SHIPPED,
#define FEATURE(field, key, lavapipe, h200, navi10, navi21, bonaire) .field = navi21,
#define QUIRK(field, key, otherwise, lavapipe, h200, navi10, navi21, bonaire) .field = navi21,
#include "target.def"
#undef FEATURE
#undef QUIRK
};

static const struct fact_target shipped_bonaire = {
	.name = "radv-bonaire", SHIPPED,
#define FEATURE(field, key, lavapipe, h200, navi10, navi21, bonaire) .field = bonaire,
#define QUIRK(field, key, otherwise, lavapipe, h200, navi10, navi21, bonaire) .field = bonaire,
#include "target.def"
#undef FEATURE
#undef QUIRK
};

#undef LIMIT
#undef ELEMENT
#undef OPERATION
#undef EXTENSION

static const struct fact_target *const shipped[] = {
	&shipped_lavapipe, &shipped_h200, &shipped_navi10, &shipped_navi21, &shipped_bonaire,
};

const struct fact_target *target_find(const char *name)
{
	for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
		if (!strcmp(shipped[i]->name, name))
			return shipped[i];
	return NULL;
}

const char *target_name(unsigned index)
{
	return index < sizeof shipped / sizeof *shipped ? shipped[index]->name : NULL;
}

/* ---- reading */
struct profile { const cJSON *root; struct diag_sink *diag; bool bad; };

static void bad(struct profile *p, const char *what)
{
	if (!p->bad)
		diag_emit(p->diag, DIAG_BAD_PROFILE, DIAG_NO_ADDR, "%s", what);
	p->bad = true;
}

static const cJSON *member(const cJSON *o, const char *name)
{
	return cJSON_IsObject(o) ? cJSON_GetObjectItemCaseSensitive(o, name) : NULL;
}

/* Call `found` with every value of that name in the structures of a kind ("features", "properties"), limits included. */
typedef void found_fn(struct profile *, const cJSON *, void *);

static void each_value(struct profile *p, const char *kind, const char *name, found_fn *found, void *user)
{
	const cJSON *group, *s, *v;

	cJSON_ArrayForEach(group, member(p->root, "capabilities"))
		cJSON_ArrayForEach(s, member(group, kind)) {
			v = member(s, name);
			if (!v)
				v = member(member(s, "limits"), name);
			if (v)
				found(p, v, user);
		}
}

static void found_bool(struct profile *p, const cJSON *v, void *user)
{
	bool *out = user;

	if (cJSON_IsBool(v))
		*out |= cJSON_IsTrue(v);
	else if (cJSON_IsNumber(v))
		*out |= v->valuedouble != 0;
	else
		bad(p, "a feature is neither true nor false");
}

static uint32_t to_u32(struct profile *p, const cJSON *v)
{
	if (!cJSON_IsNumber(v) || v->valuedouble < 0) {
		bad(p, "a limit is no number");
		return 0;
	}
	return v->valuedouble >= UINT32_MAX ? UINT32_MAX : (uint32_t)v->valuedouble;
}

static void found_limit(struct profile *p, const cJSON *v, void *user)
{
	uint32_t *out = user;

	*out = to_u32(p, v);
}

struct element { uint32_t index, value; };

static void found_element(struct profile *p, const cJSON *v, void *user)
{
	struct element *e = user;
	const cJSON *x = cJSON_IsArray(v) ? cJSON_GetArrayItem(v, (int)e->index) : NULL;

	if (x)
		e->value = to_u32(p, x);
	else
		bad(p, "a limit is no array, or is too short");
}

struct name_in { const char *name; bool found; };

static void found_name(struct profile *p, const cJSON *v, void *user)
{
	struct name_in *n = user;
	const cJSON *x;

	if (!cJSON_IsArray(v))
		bad(p, "subgroup operations are no list");
	cJSON_ArrayForEach(x, v)
		if (cJSON_IsString(x) && !strcmp(x->valuestring, n->name))
			n->found = true;
}

static bool read_feature(struct profile *p, const char *key)
{
	bool v = false;

	each_value(p, "features", key, found_bool, &v);
	each_value(p, "properties", key, found_bool, &v); /* float controls are properties */
	return v;
}

static uint32_t read_limit(struct profile *p, const char *key)
{
	uint32_t v = 0;

	each_value(p, "properties", key, found_limit, &v);
	return v;
}

static uint32_t read_element(struct profile *p, const char *key)
{
	char name[64];
	const char *open = strchr(key, '[');
	struct element e = {(uint32_t)strtoul(open + 1, NULL, 10), 0};

	snprintf(name, sizeof name, "%.*s", (int)(open - key), key);
	each_value(p, "properties", name, found_element, &e);
	return e.value;
}

static bool read_operation(struct profile *p, const char *key)
{
	struct name_in n = {key, false};

	each_value(p, "properties", "supportedOperations", found_name, &n);
	each_value(p, "properties", "subgroupSupportedOperations", found_name, &n);
	return n.found;
}

static bool read_extension(struct profile *p, const char *key)
{
	const cJSON *group;

	cJSON_ArrayForEach(group, member(p->root, "capabilities"))
		if (member(member(group, "extensions"), key))
			return true;
	return false;
}

static uint32_t read_quirk(struct profile *p, const char *key, uint32_t otherwise)
{
	const cJSON *v = member(member(p->root, "xlate"), key);

	if (!v)
		return otherwise;
	if (cJSON_IsBool(v))
		return cJSON_IsTrue(v);
	return to_u32(p, v);
}

/* cJSON parses recursively with its own depth limit; the number of items is bounded by the text's size. */
static const cJSON *parse(const char *text, size_t len, struct diag_sink *diag)
{
	cJSON *root = len && len <= PROFILE_MAX_BYTES ? cJSON_ParseWithLength(text, len) : NULL;

	if (root && (!cJSON_IsObject(root) || !cJSON_IsObject(member(root, "capabilities")))) {
		cJSON_Delete(root);
		root = NULL;
	}
	if (!root)
		diag_emit(diag, DIAG_BAD_PROFILE, DIAG_NO_ADDR, "no JSON object with `capabilities`, or larger than %d bytes",
		          PROFILE_MAX_BYTES);
	return root;
}

struct fact_target *target_load_json(const char *text, size_t len, const char *name, struct arena *a, struct diag_sink *diag)
{
	struct profile p = {.root = parse(text, len, diag), .diag = diag};
	struct fact_target *t;

	if (!p.root)
		return NULL;
	t = arena_new(a, struct fact_target);
	t->name = arena_strdup(a, name);
#define FEATURE(field, key, ...) t->field = read_feature(&p, key);
#define LIMIT(field, key, ...) t->field = read_limit(&p, key);
#define ELEMENT(field, key, ...) t->field = read_element(&p, key);
#define OPERATION(field, key, ...) t->field = read_operation(&p, key);
#define EXTENSION(field, key, ...) t->field = read_extension(&p, key);
#define QUIRK(field, key, otherwise, ...) t->field = read_quirk(&p, key, otherwise);
#include "target.def"
#undef FEATURE
#undef LIMIT
#undef ELEMENT
#undef OPERATION
#undef EXTENSION
#undef QUIRK
	if (!p.bad && t->vulkan < VERSION(1, 1))
		bad(&p, "the profile's apiVersion is missing or below Vulkan 1.1");
	if (t->nonuniform_form > 3)
		bad(&p, "xlate.nonuniform is past 3");
	derive(t);
	cJSON_Delete((cJSON *)p.root);
	return p.bad ? NULL : t;
}

/* ---- printing */
static void line(char *buf, size_t cap, size_t *n, const char *field, uint64_t v, const char *from, const char *key)
{
	int k = snprintf(buf + *n, *n < cap ? cap - *n : 0, ",\n\t\"%s\": {\"value\": %llu, \"from\": \"%s\", \"name\": \"%s\"}", field,
	                 (unsigned long long)v, from, key);
	*n += k > 0 ? (size_t)k : 0;
}

char *target_print(const struct fact_target *t, struct arena *a)
{
	enum { CAP = 32 << 10 };
	char *s = arena_alloc(a, CAP);
	size_t n;

	if (!s)
		return NULL;
	n = (size_t)snprintf(s, CAP, "{\n\t\"name\": \"%.64s\",\n\t\"spirv\": \"%u.%u\"", t->name, t->spirv >> 16, t->spirv >> 8 & 255);
#define FEATURE(field, key, ...) line(s, CAP, &n, #field, t->field, "feature", key);
#define LIMIT(field, key, ...) line(s, CAP, &n, #field, t->field, "limit", key);
#define ELEMENT(field, key, ...) line(s, CAP, &n, #field, t->field, "limit", key);
#define OPERATION(field, key, ...) line(s, CAP, &n, #field, t->field, "subgroup operation", key);
#define EXTENSION(field, key, ...) line(s, CAP, &n, #field, t->field, "extension", key);
#define QUIRK(field, key, otherwise, ...) line(s, CAP, &n, #field, t->field, "xlate", key);
#include "target.def"
#undef FEATURE
#undef LIMIT
#undef ELEMENT
#undef OPERATION
#undef EXTENSION
#undef QUIRK
	if (n < CAP)
		snprintf(s + n, CAP - n, "\n}\n");
	return s;
}
