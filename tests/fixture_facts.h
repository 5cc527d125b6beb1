/* fixture_facts.h - facts for a pass fixture, from its comment lines. Part of fixture_test.c; everything is static.
 *
 *	; TABLE "set 0" size 64                         a table, numbered from 0; `code`: it is the program itself
 *	; ENTRY desc storage_buffer offset 16 size 16   an entry of the last table: a kind (desc push sysval pointer buffer data
 *	                                                attrib), a descriptor kind or a system value, then fields of fact_entry
 *	                                                by name; an image's unknown shape is `dim unknown arrayed 2`
 *	; ENTRY data offset 8 hex 0011aabb              size and bytes by their digits
 *	; ROOT table_lo table 0 offset 16               user data: table_lo table_hi push sysval const group_info
 *	                                                base_instance_or_draw scratch_desc scratch_wave opaque any, then fields of fact_root
 *	; ATTRIB location 0 binding 1 comps 4 base float bytes 4 offset 8
 *	; PARAM location 2 smooth 1                     fragment inputs in order
 *	; FACT push_size 64                             fields of facts
 *	; TARGET subgroup_size 8 subgroup_vote 1        fields of fact_target
 */
#ifndef XL_TEST_FIXTURE_FACTS_H
#define XL_TEST_FIXTURE_FACTS_H

#include "../ir/facts.h"
#include "../ir/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FF_MAX = 16 };
struct fixture_facts {
	struct facts facts;
	struct fact_target target;
	struct fact_table table[FF_MAX];
	struct fact_entry entry[FF_MAX][FF_MAX];
	struct fact_root root[FF_MAX];
	struct fact_attrib attrib[FF_MAX];
	struct fact_input input[FF_MAX];
	char text[FF_MAX * FF_MAX][32];  /* names */
	unsigned ntext;
	uint8_t data[1024];
	unsigned ndata;
	const char *error;
};

struct ff_field { const char *name; size_t at, size; const struct text_name *names; };
#define FF_N(type, f, list) { #f, offsetof(struct type, f), sizeof(((struct type *)0)->f), list }
#define FF(type, f) FF_N(type, f, NULL)
static const struct text_name ff_descs[] = { { "sampler", DESC_SAMPLER }, { "combined", DESC_COMBINED },
	{ "sampled_image", DESC_SAMPLED_IMAGE }, { "storage_image", DESC_STORAGE_IMAGE }, { "uniform_texel", DESC_UNIFORM_TEXEL },
	{ "storage_texel", DESC_STORAGE_TEXEL }, { "uniform_buffer", DESC_UNIFORM_BUFFER },
	{ "storage_buffer", DESC_STORAGE_BUFFER }, { "input_attachment", DESC_INPUT_ATTACHMENT }, { NULL, 0 } };
static const struct text_name ff_entries[] = { { "desc", ENTRY_DESC }, { "push", ENTRY_PUSH }, { "sysval", ENTRY_SYSVAL },
	{ "pointer", ENTRY_POINTER }, { "buffer", ENTRY_BUFFER }, { "data", ENTRY_DATA }, { "hint", ENTRY_HINT }, { "attrib", ENTRY_ATTRIB }, { NULL, 0 } };
static const struct text_name ff_roots[] = { { "table_lo", ROOT_TABLE_LO }, { "table_hi", ROOT_TABLE_HI }, { "push", ROOT_PUSH },
	{ "sysval", ROOT_SYSVAL }, { "const", ROOT_CONST }, { "group_info", ROOT_GROUP_INFO },
	{ "base_instance_or_draw", ROOT_BASE_INSTANCE_OR_DRAW }, { "scratch_desc", ROOT_SCRATCH_DESC },
	{ "scratch_wave", ROOT_SCRATCH_WAVE }, { "opaque", ROOT_OPAQUE },
	{ "capture_buffers", ROOT_CAPTURE_BUFFERS }, { "capture_state", ROOT_CAPTURE_STATE }, { "capture_first", ROOT_CAPTURE_FIRST },
	{ "capture_start", ROOT_CAPTURE_START }, { "any", ROOT_ANY }, { NULL, 0 } };
static const struct ff_field ff_entry[] = { FF_N(fact_entry, dim, text_dims), FF(fact_entry, arrayed), FF(fact_entry, ms),
	FF(fact_entry, depth), FF_N(fact_entry, numeric, text_numerics), FF(fact_entry, format), FF(fact_entry, offset),
	FF(fact_entry, size), FF(fact_entry, stride), FF(fact_entry, count), FF(fact_entry, set), FF(fact_entry, binding),
	FF(fact_entry, base), FF(fact_entry, sampler_at), FF(fact_entry, buffer_size), FF(fact_entry, table), { 0 } };
static const struct ff_field ff_table[] = { FF(fact_table, size), FF(fact_table, memory), FF(fact_table, set), { 0 } };
static const struct ff_field ff_root[] = { FF(fact_root, table), FF(fact_root, offset), FF(fact_root, comp), { 0 } };
static const struct ff_field ff_attrib[] = { FF(fact_attrib, location), FF(fact_attrib, binding), FF(fact_attrib, offset),
	FF(fact_attrib, stride), FF(fact_attrib, comps), FF_N(fact_attrib, base, text_numerics), FF(fact_attrib, bytes), FF(fact_attrib, per_instance),
	{ 0 } };
static const struct ff_field ff_input[] = { FF(fact_input, location), FF(fact_input, smooth), { 0 } };
static const struct ff_field ff_facts[] = { FF(facts, push_size), FF(facts, buffer_format), FF(facts, gather_clear), FF(facts, gather_int_apart),
	FF(facts, code_table), FF(facts, floats), FF(facts, bounds),
	FF(facts, addresses), FF(facts, shared_bytes), FF(facts, triangles),
	FF(facts, provoking_last), FF(facts, only_vertex), FF(facts, vertex_clip), FF(facts, vertex_cull),
	FF(facts, vertex_layered), FF(facts, handed), FF(facts, hand_place), { 0 } };
static const struct ff_field ff_target[] = { FF(fact_target, subgroup_size), FF(fact_target, subgroup_min), FF(fact_target, subgroup_vote),
	FF(fact_target, nonuniform), FF(fact_target, fma_fused), FF(fact_target, barycentric), FF(fact_target, geometry), FF(fact_target, layer_output),
	FF(fact_target, viewport_output), FF(fact_target, max_outputs),
	FF(fact_target, denorm_keep), FF(fact_target, max_stage_sampled), FF(fact_target, max_set_sampled),
	FF(fact_target, max_stage_resources), FF(fact_target, max_stage_storage_buffers), FF(fact_target, robust2), FF(fact_target, robust_storage_align),
	{ "ftz_mode32", offsetof(struct fact_target, ftz_mode[2]), 1, NULL },
	{ "preserve_mode32", offsetof(struct fact_target, preserve_mode[2]), 1, NULL }, { 0 } };
#undef FF
#undef FF_N

/* The next word of a line, or NULL: up to a space, or between quotes. */
static char *ff_word(char **at)
{
	char *s = *at + strspn(*at, " ");

	if (!*s)
		return NULL;
	char end = *s == '"' ? *s++ : ' ';
	*at = strchr(s, end);
	if (*at)
		*(*at)++ = 0;
	else
		*at = s + strlen(s);
	return s;
}

static unsigned ff_name(struct fixture_facts *f, const struct text_name *list, char **at)
{
	char *w = ff_word(at);
	unsigned v = 0;

	if (!w || !text_find(list, w, strlen(w), &v))
		f->error = "unknown name";
	return v;
}

/* "name value" pairs into a struct; a name that is none of its fields is an error. */
static void ff_fields(struct fixture_facts *f, void *to, const struct ff_field *field, char *at)
{
	for (char *w; (w = ff_word(&at));) {
		const struct ff_field *x = field;
		while (x->name && strcmp(x->name, w))
			x++;
		char *value = ff_word(&at), *end = value;
		unsigned named;
		if (!x->name || !value) {
			f->error = "unknown field";
			return;
		}
		uint64_t v = strtoull(value, &end, 0);
		if (x->names && text_find(x->names, value, strlen(value), &named))
			v = named;
		else if (*end)
			f->error = "not a number";
		memcpy((char *)to + x->at, &v, x->size); /* little endian, as the recorded data */
	}
}

/* `hex 0123` at the end of an entry: its bytes. */
static void ff_data(struct fixture_facts *f, struct fact_entry *e, char *at)
{
	char *hex = strstr(at, " hex ");

	if (!hex)
		return;
	*hex = 0;
	e->data = f->data + f->ndata;
	for (hex += 5; hex[0] && hex[1] && f->ndata < sizeof(f->data); hex += 2) {
		char byte[3] = { hex[0], hex[1], 0 };
		f->data[f->ndata++] = (uint8_t)strtoul(byte, NULL, 16);
		e->size++;
	}
}

static void ff_add_entry(struct fixture_facts *f, char *at)
{
	uint32_t t = f->facts.ntable - 1;
	struct fact_table *table = &f->table[t];

	if (!f->facts.ntable || table->nentry == FF_MAX) {
		f->error = "no table, or too many entries";
		return;
	}
	struct fact_entry *e = &f->entry[t][table->nentry++];
	e->count = 1;
	e->kind = (uint8_t)ff_name(f, ff_entries, &at);
	if (e->kind == ENTRY_DESC)
		e->desc = (uint8_t)ff_name(f, ff_descs, &at);
	if (e->kind == ENTRY_SYSVAL)
		e->sysval = (uint16_t)ff_name(f, text_sysvals, &at);
	ff_data(f, e, at);
	ff_fields(f, e, ff_entry, at);
}

static void ff_add_root(struct fixture_facts *f, char *at)
{
	struct fact_root *r = &f->root[f->facts.nroot++];

	r->kind = (uint8_t)ff_name(f, ff_roots, &at);
	r->name = text_name(ff_roots, r->kind);
	if (r->kind == ROOT_SYSVAL)
		r->sysval = (uint16_t)ff_name(f, text_sysvals, &at);
	ff_fields(f, r, ff_root, at);
}

static void ff_add_table(struct fixture_facts *f, char *at)
{
	struct fact_table *t = &f->table[f->facts.ntable];
	char *code = strstr(at, " code"), *name;

	if (code) {
		*code = 0;
		t->is_code = true;
		f->facts.code_table = f->facts.ntable;
	}
	t->entry = f->entry[f->facts.ntable++];
	name = ff_word(&at);
	snprintf(f->text[f->ntext], sizeof(f->text[0]), "%s", name ? name : "?");
	t->name = f->text[f->ntext++];
	ff_fields(f, t, ff_table, at);
}

static void ff_line(struct fixture_facts *f, char *at)
{
	struct facts *x = &f->facts;
	char *what = ff_word(&at);

	if (x->ntable == FF_MAX || x->nroot == FF_MAX || x->nattrib == FF_MAX || x->ninput == FF_MAX)
		f->error = "too many facts";
	else if (!what)
		return;
	else if (!strcmp(what, "TABLE"))
		ff_add_table(f, at);
	else if (!strcmp(what, "ENTRY"))
		ff_add_entry(f, at);
	else if (!strcmp(what, "ROOT"))
		ff_add_root(f, at);
	else if (!strcmp(what, "ATTRIB"))
		ff_fields(f, &f->attrib[x->nattrib++], ff_attrib, at);
	else if (!strcmp(what, "PARAM"))
		ff_fields(f, &f->input[x->ninput++], ff_input, at);
	else if (!strcmp(what, "FACT"))
		ff_fields(f, x, ff_facts, at);
	else if (!strcmp(what, "TARGET"))
		ff_fields(f, &f->target, ff_target, at);
}

/* Facts of a case whose text is `input`. `f` must start as zeros. NULL, or what is wrong with a line. */
static const char *fixture_facts(struct fixture_facts *f, const char *input, unsigned stage, unsigned wave)
{
	f->target = (struct fact_target){ .name = "fixture", .subgroup_size = wave, .subgroup_min = wave, .subgroup_max = wave };
	f->facts = (struct facts){ .stage = (uint8_t)stage, .wave = (uint8_t)wave, .code_table = UINT32_MAX, .target = &f->target,
		.root = f->root, .table = f->table, .attrib = f->attrib, .input = f->input };
	for (const char *s = input; *s == ';' && !f->error; s += strcspn(s, "\n"), s += *s == '\n') {
		char line[256];
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(s + 1, "\n"), s + 1);
		ff_line(f, line);
	}
	return f->error;
}

#endif
