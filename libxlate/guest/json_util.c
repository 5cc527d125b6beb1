#include "json_util.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void json_fault(struct json_in *in, enum diag_code code, const char *fmt, ...)
{
	char text[256];
	va_list va;

	if (in->bad)
		return;
	in->bad = true;
	va_start(va, fmt);
	vsnprintf(text, sizeof(text), fmt, va);
	va_end(va);
	diag_emit(in->sink, code, DIAG_NO_ADDR, "%s%s%s", in->where ? in->where : "", in->where ? ": " : "", text);
}

/* "0x" and 1 to 17 hex digits (the 17th a leading zero), nothing else. */
static bool hex(const char *s, uint64_t *out)
{
	uint64_t v = 0;

	if (s[0] != '0' || s[1] != 'x' || !s[2])
		return false;
	for (s += 2; *s; s++) {
		unsigned d;

		if (*s >= '0' && *s <= '9')
			d = (unsigned)(*s - '0');
		else if (*s >= 'a' && *s <= 'f')
			d = (unsigned)(*s - 'a') + 10;
		else if (*s >= 'A' && *s <= 'F')
			d = (unsigned)(*s - 'A') + 10;
		else
			return false;
		if (v >> 60)
			return false;
		v = v << 4 | d;
	}
	*out = v;
	return true;
}

uint64_t json_value(struct json_in *in, const cJSON *value, const char *key, uint64_t max)
{
	uint64_t v = 0;

	if (cJSON_IsBool(value)) {
		v = cJSON_IsTrue(value);
	} else if (cJSON_IsNumber(value)) {
		double d = value->valuedouble;

		if (!(d >= 0 && d < 9007199254740993.0) || d != (double)(uint64_t)d) {
			json_fault(in, DIAG_BAD_JSON, "%s is not a whole number", key);
			return 0;
		}
		v = (uint64_t)d;
	} else if (!cJSON_IsString(value) || !hex(value->valuestring, &v)) {
		json_fault(in, DIAG_BAD_JSON, "%s is neither a number nor a 0x string", key);
		return 0;
	}
	if (v > max) {
		json_fault(in, DIAG_BAD_RECORD, "%s is %llu, more than %llu", key, (unsigned long long)v,
			   (unsigned long long)max);
		return 0;
	}
	return v;
}

static const cJSON *member(const cJSON *object, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNull(v) ? NULL : v;
}

uint64_t json_num(struct json_in *in, const cJSON *object, const char *key, uint64_t max, uint64_t otherwise)
{
	const cJSON *v = member(object, key);

	return v ? json_value(in, v, key, max) : otherwise;
}

struct rec_fact json_fact(struct json_in *in, const cJSON *object, const char *key, uint64_t max)
{
	struct rec_fact f = { 0, REC_UNRECORDED, REC_FROM_NONE };
	const cJSON *v = member(object, key);

	if (v) {
		f.v = json_value(in, v, key, max);
		f.known = REC_KNOWN;
		f.from = REC_FROM_SOURCE;
	}
	return f;
}

const char *json_text(struct json_in *in, const cJSON *object, const char *key, size_t most)
{
	const cJSON *v = member(object, key);
	size_t n;

	if (!v)
		return NULL;
	if (!cJSON_IsString(v)) {
		json_fault(in, DIAG_BAD_JSON, "%s is not a string", key);
		return NULL;
	}
	n = strlen(v->valuestring);
	if (n > most) {
		json_fault(in, DIAG_BAD_RECORD, "%s has %zu bytes, more than %zu", key, n, most);
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)v->valuestring[i] < 0x20 || v->valuestring[i] == 0x7f) {
			json_fault(in, DIAG_BAD_RECORD, "%s has a control character", key);
			return NULL;
		}
	}
	return arena_strdup(in->a, v->valuestring);
}

const cJSON *json_list(struct json_in *in, const cJSON *object, const char *key, uint32_t most, uint32_t *n)
{
	const cJSON *v = member(object, key);
	uint32_t count = 0;

	*n = 0;
	if (!v)
		return NULL;
	if (!cJSON_IsArray(v)) {
		json_fault(in, DIAG_BAD_JSON, "%s is not an array", key);
		return NULL;
	}
	for (const cJSON *e = v->child; e; e = e->next) {
		if (++count > most) {
			json_fault(in, DIAG_BAD_RECORD, "%s has more than %u elements", key, most);
			return NULL;
		}
	}
	*n = count;
	return v;
}

uint32_t json_pool(struct json_in *in, const char *s)
{
	size_t n = strlen(s) + 1;
	uint32_t at = in->npool;

	in->pool = arena_grow(in->a, in->pool, in->npool, &in->cap, in->npool + n, 1);
	memcpy(in->pool + at, s, n);
	in->npool += (uint32_t)n;
	return at;
}

unsigned json_choice(const char *name, const char *const *names, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		if (name && names[i] && !strcmp(names[i], name))
			break;
	}
	return i;
}
