/* record.c - checks and keys of the program record. */
#include "record.h"

#include <stdio.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { LOCATIONS = 256 };

struct column { const char *name; uint32_t max; bool none; };
#define C(name, max, none) { #name, max, none },
#define COLUMNS(columns) { columns(C) }

static bool rows_fine(const char *list, const uint32_t *v, uint32_t n, uint32_t most, const struct column *col, unsigned ncol,
		      uint32_t nstrings, char *why, size_t cap)
{
	if (n > most) {
		snprintf(why, cap, "%s has %u rows, more than %u", list, n, most);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		for (unsigned c = 0; c < ncol; c++, v++) {
			if (*v <= col[c].max || (col[c].none && *v == REC_NONE))
				continue;
			snprintf(why, cap, "%s[%u].%s is %u, more than %u", list, i, col[c].name, *v, col[c].max);
			return false;
		}
	}
	(void)nstrings; /* record_str answers "" outside of the pool */
	return true;
}

static bool fact_fine(const char *name, struct rec_fact f, uint64_t max, char *why, size_t cap)
{
	if (f.known <= REC_KNOWN && f.from < REC_FROM_COUNT && f.v <= max)
		return true;
	snprintf(why, cap, "%s is %llu, more than %llu, or of no known kind", name, (unsigned long long)f.v,
		 (unsigned long long)max);
	return false;
}

static bool program_fine(const struct xl_record_program *p, char *why, size_t cap)
{
	if (!p->name || !p->isa || !p->cpu || p->stage >= STAGE_COUNT || p->hw_stage >= HW_COUNT ||
	    (p->wave != 32 && p->wave != 64)) {
		snprintf(why, cap, "no name or isa, or stage %u, hardware stage %u, wave size %u", p->stage, p->hw_stage, p->wave);
		return false;
	}
	if (!p->exec_size || p->exec_size > p->code.size || p->entry >= p->exec_size || p->data_used > p->data.size) {
		snprintf(why, cap, "code of %u bytes, %u to execute, entry at %u; %u of %u data bytes used", p->code.size,
			 p->exec_size, p->entry, p->data_used, p->data.size);
		return false;
	}
#define PROGRAM_FACT(field, key, max, what) \
	if (!fact_fine(#field, p->field, max, why, cap)) \
		return false;
#include "record.def"
	if (rec_known(p->workgroup_x) && (!p->workgroup_x.v || !p->workgroup_y.v || !p->workgroup_z.v)) {
		snprintf(why, cap, "a workgroup size is 0");
		return false;
	}
#define PROGRAM_LIST(field, row, columns, most) { \
		static const struct column col[] = COLUMNS(columns); \
		if (!rows_fine(#field, (const uint32_t *)p->field.v, p->field.n, most, col, sizeof(col) / sizeof(col[0]), \
			       p->pipeline->nstrings, why, cap)) \
			return false; \
	}
#include "record.def"
	for (uint32_t i = 0; i < p->links.n; i++) {
		if (p->links.v[i].program >= p->pipeline->nprogram) {
			snprintf(why, cap, "links[%u] leaves the pipeline", i);
			return false;
		}
	}
	for (uint32_t i = 0; i < p->entries.n; i++) {
		if (p->entries.v[i].reg + p->entries.v[i].n > 256) {
			snprintf(why, cap, "entries[%u] leaves the register file", i);
			return false;
		}
	}
	uint64_t taken[4] = {0};
	for (uint32_t i = 0; i < p->params.n; i++) {
		uint32_t location = p->params.v[i].location;
		if (taken[location / 64] >> location % 64 & 1) {
			snprintf(why, cap, "params[%u]: location %u has a parameter already", i, location);
			return false;
		}
		taken[location / 64] |= 1ull << location % 64;
	}
	return true;
}

bool record_check(struct xl_pipeline_record *r, char *why, size_t cap)
{
	if (!r->name || !r->name[0] || r->name[0] == '.' || strchr(r->name, '/') || !r->abi) {
		snprintf(why, cap, "the name is empty, hidden or has a slash, or there is no ABI");
		return false;
	}
	for (const char *c = r->name; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			snprintf(why, cap, "the name has a control character");
			return false;
		}
	}
	if (!r->nstrings || r->strings[r->nstrings - 1] || r->strings[0]) {
		snprintf(why, cap, "the string pool is not terminated");
		return false;
	}
	if (!r->nprogram || r->nprogram > 255) {
		snprintf(why, cap, "%u programs", r->nprogram);
		return false;
	}
#define PIPELINE_FACT(field, key, max, what) \
	if (!fact_fine(#field, r->field, max, why, cap)) \
		return false;
#include "record.def"
#define PIPELINE_LIST(field, row, columns, most) { \
		static const struct column col[] = COLUMNS(columns); \
		if (!rows_fine(#field, (const uint32_t *)r->field.v, r->field.n, most, col, sizeof(col) / sizeof(col[0]), \
			       r->nstrings, why, cap)) \
			return false; \
	}
#include "record.def"
	for (uint32_t i = 0; i < r->nprogram; i++) {
		if (!program_fine(&r->program[i], why, cap))
			return false;
	}
	for (uint32_t i = 0; i < r->nprogram; i++)
		r->program[i].key = record_key(&r->program[i]);
	return true;
}

/* ---- hashes. Every item is preceded by its length, so that no two lists of items hash alike by running together. */
struct hash {
	uint8_t start[2048]; /* what came first: most often all there is, and then hashed at once */
	size_t n;
	bool more;           /* the rest is in the state */
	XXH3_state_t state;
};

static void stream(struct hash *h, const void *v, size_t size)
{
	if (!h->more) {
		XXH3_INITSTATE(&h->state);
		XXH3_128bits_reset(&h->state);
		XXH3_128bits_update(&h->state, h->start, h->n);
		h->more = true;
	}
	XXH3_128bits_update(&h->state, v, size);
}

static XXH128_hash_t finish(const struct hash *h)
{
	return h->more ? XXH3_128bits_digest(&h->state) : XXH3_128bits(h->start, h->n);
}

static void add_stream(struct hash *h, const uint8_t n[4], const void *v, uint32_t size)
{
	stream(h, n, 4);
	if (size)
		stream(h, v, size);
}

/* Inline: most items are facts, whose size is a constant. */
static inline void add(struct hash *h, const void *v, uint32_t size)
{
	uint8_t n[4] = { (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24) };

	if (h->more || (size_t)size + sizeof(n) > sizeof(h->start) - h->n) {
		add_stream(h, n, v, size);
		return;
	}
	memcpy(h->start + h->n, n, sizeof(n));
	if (size)
		memcpy(h->start + h->n + sizeof(n), v, size);
	h->n += size + sizeof(n);
}

static void add_text(struct hash *h, const char *s)
{
	add(h, s, (uint32_t)strlen(s));
}

static void add_fact(struct hash *h, struct rec_fact f)
{
	uint64_t v[2] = { f.known, f.known == REC_KNOWN ? f.v : 0 };

	add(h, v, sizeof(v));
}

#define ADD_ROWS(h, list) add(h, (list).v, (uint32_t)((list).n * sizeof(*(list).v)))

static struct rec_hash canonical(XXH128_hash_t v)
{
	XXH128_canonical_t c;
	struct rec_hash out;

	XXH128_canonicalFromHash(&c, v);
	memcpy(out.b, c.digest, sizeof(out.b));
	return out;
}

struct rec_hash record_bytes_hash(const void *v, size_t size)
{
	return canonical(XXH3_128bits(v, size));
}

struct rec_hash record_key(const struct xl_record_program *p)
{
	const struct xl_pipeline_record *r = p->pipeline;
	uint32_t fixed[] = { p->stage, p->hw_stage, p->wave, p->big_endian, p->exec_size, p->entry, p->data_used };
	struct hash h;

	h.n = h.more = 0;
	add_text(&h, p->isa);
	add_text(&h, p->cpu);
	add(&h, fixed, sizeof(fixed));
	add_text(&h, r->abi);
	add_fact(&h, r->pointer_hi);
	add_fact(&h, r->push_root_offset);
	add_fact(&h, p->user_first);
	add_fact(&h, p->user_count);
	add_fact(&h, p->inline_push_mask);
	add_fact(&h, p->vertex_buffer_mask);
	for (uint32_t i = 0; i < p->entries.n; i++) {
		const struct rec_entry *e = &p->entries.v[i];

		add(&h, e, offsetof(struct rec_entry, name_str));
		add_text(&h, record_str(r, e->name_str));
	}
	ADD_ROWS(&h, p->banks);
	if (p->kernargs.n)
		ADD_ROWS(&h, p->kernargs);
	for (uint32_t i = 0; rec_known(p->address) && i < p->nmemory; i++) { /* constants that code reaches from where it lies */
		uint64_t at = p->memory[i].address - p->address.v;

		add(&h, &at, sizeof(at));
		add(&h, p->memory[i].bytes, p->memory[i].size);
	}
	ADD_ROWS(&h, r->sets);
	ADD_ROWS(&h, r->bindings);
	ADD_ROWS(&h, p->registers);
	add(&h, p->header.v, p->header.size);
	add(&h, p->data.v, p->data.size);
	add(&h, p->code.v, p->code.size);
	return canonical(finish(&h));
}

/* Does the program get the buffers of transform feedback? */
static bool captures(const struct xl_record_program *p)
{
	for (uint32_t i = 0; i < p->entries.n; i++)
		if (!strcmp(record_str(p->pipeline, p->entries.v[i].name_str), "streamout_buffers"))
			return true;
	return false;
}

/* Bit 0: writes the layer, bit 1: the viewport. */
static uint32_t layered(const struct xl_record_program *p)
{
	return (uint32_t)(rec_or(p->layer_write, 0) | rec_or(p->viewport_write, 0) << 1);
}

uint32_t record_before(const struct xl_record_program *p)
{
	const struct xl_pipeline_record *r = p->pipeline;
	uint32_t before = 0;

	for (uint32_t i = 0; p->stage == STAGE_FRAGMENT && i < r->nprogram; i++) {
		const struct xl_record_program *q = &r->program[i];

		if (q->stage == STAGE_COMPUTE || q->stage == STAGE_FRAGMENT)
			continue;
		if (before || q->stage != STAGE_VERTEX || captures(q))
			return 1;
		before = (uint32_t)__builtin_popcount((uint32_t)rec_or(q->clip_mask, 0)) << 8 |
			(uint32_t)__builtin_popcount((uint32_t)rec_or(q->cull_mask, 0)) << 16 | (layered(q) ? 2u : 0);
	}
	return before;
}

/* The lowest location of which neither has a parameter; LOCATIONS: none. */
static uint32_t free_location(const struct xl_record_program *vertex, const struct xl_record_program *fragment)
{
	bool taken[LOCATIONS + 1] = { false };
	uint32_t at = 0;

	for (uint32_t i = 0; i < vertex->params.n; i++)
		taken[vertex->params.v[i].location] = true;
	for (uint32_t i = 0; i < fragment->attrs.n; i++)
		taken[fragment->attrs.v[i].location] = true;
	while (at < LOCATIONS && taken[at])
		at++;
	return at;
}

/* A program with a header of its own has its parameters in there. */
uint32_t record_handed(const struct xl_record_program *p)
{
	const struct xl_pipeline_record *r = p->pipeline;
	const struct xl_record_program *vertex = NULL, *fragment = NULL;

	if (r->nprogram != 2 || p->header.size)
		return 0;
	for (uint32_t i = 0; i < r->nprogram; i++) {
		vertex = r->program[i].stage == STAGE_VERTEX ? &r->program[i] : vertex;
		fragment = r->program[i].stage == STAGE_FRAGMENT ? &r->program[i] : fragment;
	}
	if (!vertex || !fragment || vertex->header.size || fragment->header.size || !layered(vertex) || captures(vertex))
		return 0;
	uint32_t at = free_location(vertex, fragment);
	return at < LOCATIONS ? layered(vertex) | at << 8 : 0;
}

uint32_t record_open(const struct xl_record_program *p)
{
	enum { TOPOLOGY = 1000267002, PROVOKING_VERTEX = 1000455019 }; /* VkDynamicState */
	const struct xl_pipeline_record *r = p->pipeline;
	uint32_t open = 0;

	for (uint32_t i = 0; i < r->dynamics.n && (p->stage == STAGE_FRAGMENT || record_handed(p)); i++) {
		open |= r->dynamics.v[i].state == TOPOLOGY ? REC_OPEN_TOPOLOGY : 0u;
		open |= r->dynamics.v[i].state == PROVOKING_VERTEX ? REC_OPEN_PROVOKING : 0u;
	}
	return open;
}

uint64_t record_content(const struct xl_record_program *p)
{
	const struct xl_pipeline_record *r = p->pipeline;
	bool fragment = p->stage == STAGE_FRAGMENT, vertices = !fragment && p->stage != STAGE_COMPUTE;
	struct hash h;

	h.n = h.more = 0;
	add(&h, &p->key, sizeof(p->key));
#define PIPELINE_STATE(field, jkey, max, what)
#define PIPELINE_FACT(field, jkey, max, what) \
	if (fragment || (strcmp(#field, "dual_source") && strcmp(#field, "depth_format"))) \
		add_fact(&h, r->field);
#include "record.def"
#define PIPELINE_STATE_LIST(field, row, columns, most)
#define PIPELINE_LIST(field, row, columns, most) \
	if (strcmp(#field, "colors") ? strcmp(#field, "attribs") || vertices : fragment) \
		ADD_ROWS(&h, r->field);
#include "record.def"
	if (record_before(p) || record_open(p) || record_handed(p))
		add(&h, (uint32_t[]){ record_before(p), record_open(p), record_handed(p) }, 12);
	add_fact(&h, p->address);
	add(&h, p->live.v, p->live.size);
	for (uint32_t i = 0; i < p->nmemory; i++) {
		add(&h, &p->memory[i].address, sizeof(p->memory[i].address));
		add(&h, p->memory[i].bytes, p->memory[i].size);
	}
#define PROGRAM_FACT(field, jkey, max, what) add_fact(&h, p->field);
#include "record.def"
	/* Entries name strings and links name programs: the key has the former's, the latter stand for what they name. */
#define PROGRAM_LIST(field, row, columns, most) \
	if (strcmp(#field, "entries") && strcmp(#field, "links")) \
		ADD_ROWS(&h, p->field);
#include "record.def"
	for (uint32_t i = 0; i < p->links.n; i++) {
		const struct rec_hash *other = &r->program[p->links.v[i].program].key;

		add(&h, &p->links.v[i].role, sizeof(p->links.v[i].role));
		add(&h, other, sizeof(*other));
	}
	return finish(&h).low64;
}

uint64_t record_state(const struct xl_record_program *p, enum fact_state s)
{
	const struct xl_pipeline_record *r = p->pipeline;
	struct hash h;

	h.n = h.more = 0;
	add(&h, &(uint32_t){ s }, 4);
	switch (s) {
	case STATE_WORKGROUP:
		add_fact(&h, p->workgroup_x);
		add_fact(&h, p->workgroup_y);
		add_fact(&h, p->workgroup_z);
		break;
	case STATE_SHARED:
		add_fact(&h, p->lds_bytes);
		add_fact(&h, p->shared_bytes);
		break;
	case STATE_FLOAT_MODE:
		add_fact(&h, p->float_mode);
		break;
	case STATE_VERTEX_FORMATS:
		ADD_ROWS(&h, r->attribs);
		add_fact(&h, p->draw_id);
		add_fact(&h, p->base_instance);
		break;
	case STATE_COLOR_FORMATS:
		ADD_ROWS(&h, r->colors);
		add_fact(&h, r->dual_source);
		add_fact(&h, r->depth_format);
		ADD_ROWS(&h, p->exports);
		break;
	case STATE_INPUT_MAP:
		ADD_ROWS(&h, p->attrs);
		ADD_ROWS(&h, p->params);
		ADD_ROWS(&h, p->inputs);
		ADD_ROWS(&h, p->outputs);
		add_fact(&h, p->flat_mask);
		add_fact(&h, p->point_size_write);
		add_fact(&h, p->layer_write);
		add_fact(&h, p->viewport_write);
		add_fact(&h, p->clip_mask);
		add_fact(&h, p->cull_mask);
		add_fact(&h, p->input_count);
		add_fact(&h, p->point_coord);
		add_fact(&h, p->primitive_id);
		add_fact(&h, p->viewport_input);
		add_fact(&h, p->clip_cull_inputs);
		break;
	case STATE_IMAGE_KINDS:
		ADD_ROWS(&h, r->images);
		ADD_ROWS(&h, r->attachments);
		break;
	case STATE_PUSH_SIZE:
		add_fact(&h, r->push_size);
		break;
	case STATE_SCRATCH:
		add_fact(&h, p->scratch_wave_bytes);
		add_fact(&h, p->scratch_lane_bytes);
		break;
	case STATE_FRAGMENT:
		add_fact(&h, p->early_tests);
		add_fact(&h, p->can_discard);
		break;
	case STATE_PRIMITIVE:
		add_fact(&h, r->topology);
		add_fact(&h, r->provoking_last);
		add(&h, (uint32_t[]){ record_before(p), record_open(p) }, 8);
		break;
	case STATE_HANDED:
		add(&h, (uint32_t[]){ record_handed(p) }, 4);
		break;
	case STATE_COUNT:
		break;
	}
	return finish(&h).low64;
}
