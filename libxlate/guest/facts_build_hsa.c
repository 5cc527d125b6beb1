/* facts_build_hsa.c - memory that the "hsa" preset's registers point to: kernel arguments, the dispatch packet, constants
 * beside the code. Sources: LLVM's published "User Guide for AMDGPU Backend" (kernarg segment, hidden arguments), the HSA
 * runtime specification (kernel dispatch packet). */
#include "facts_build_int.h"

/* High words of addresses that a program may look at. Where kernel arguments and buffers lie is for the caller to choose. */
enum { TABLES_AT = 0x1000, BUFFERS_AT = 0x2000 };

static uint32_t table(struct facts_make *m, const char *name, uint32_t size)
{
	uint32_t t = facts_table(m, name, size);
	m->table[t].address = (uint64_t)(TABLES_AT + t) << 32;
	return t;
}

enum hold { NOTHING, VALUE, POINTER, GRID_X, GRID_Y, GRID_Z, GROUP_X, GROUP_Y, GROUP_Z, ZERO, UNKNOWN };
#define GRID(c) (GRID_X + (c))
#define GROUP(c) (GROUP_X + (c))
static const uint8_t holds[REC_ARG_COUNT] = {
#define HSA_ARG(suffix, kind, what) [REC_ARG_##suffix] = what,
#include "../hsa.def"
};

/* Byte by byte: what it holds, and its value where that is known. */
struct bytes { uint8_t *hold, *value; uint32_t n; };

static void fill(struct facts_make *m, struct bytes *b)
{
	for (uint32_t i = 0; i < m->prog->kernargs.n; i++) {
		const struct rec_kernarg *k = &m->prog->kernargs.v[i];
		uint8_t h = holds[k->kind];
		for (uint32_t at = k->offset; at < k->offset + k->size && at < b->n; at++) {
			b->hold[at] = h >= GROUP_X && h <= GROUP_Z ? ZERO : h;
			if (h >= GROUP_X && h <= GROUP_Z && at - k->offset < 4)
				b->value[at] = (uint8_t)(m->out->workgroup[h - GROUP_X] >> 8 * (at - k->offset));
		}
	}
	/* what lies between by-value arguments travels with them */
	for (uint32_t at = 0; at < b->n && at < m->push_size; at++)
		if (b->hold[at] == NOTHING)
			b->hold[at] = VALUE;
}

/* The caller's bytes: push constants where they fit, else a uniform buffer of the same layout. */
static void value(struct facts_make *m, uint32_t t, uint32_t at, uint32_t n)
{
	if (m->push_size <= m->out->target->max_push)
		facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_PUSH, .offset = at, .size = n, .base = at, .count = 1});
	else
		facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_BUFFER, .desc = DESC_UNIFORM_BUFFER, .offset = at, .size = n,
		                                       .at = at, .count = 1, .buffer_size = (m->push_size + 15) & ~15u});
}

static void pointers(struct facts_make *m, uint32_t t)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	for (uint32_t i = 0; i < p->bindings.n && m->out->addresses == ADDRESS_BINDING; i++) {
		const struct rec_binding *b = &p->bindings.v[i];
		if (b->type == DESC_STORAGE_BUFFER && b->count == 1 && b->stride == 8)
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DESC, .desc = DESC_STORAGE_BUFFER, .offset = b->offset,
			                                       .size = 8, .stride = 8, .count = 1, .set = b->set,
			                                       .binding = b->binding, .base = BUFFERS_AT + b->binding});
	}
}

uint32_t facts_hsa_kernargs(struct facts_make *m)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	uint32_t size = p->sets.n ? p->sets.v[0].size : 0, t = table(m, "kernel arguments", size), end;
	struct bytes b = {arena_alloc(m->a, size + 1u), arena_alloc(m->a, size + 1u), size};
	fill(m, &b);
	for (uint32_t at = 0; at < size; at = end) {
		uint8_t h = b.hold[at];
		bool grid = h >= GRID_X && h <= GRID_Z;
		for (end = at + 1; end < size && b.hold[end] == h && !(grid && end - at == 4); end++)
			;
		if (h == VALUE)
			value(m, t, at, end - at);
		else if (h == ZERO)
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DATA, .offset = at, .size = end - at, .count = 1,
			                                       .data = b.value + at});
		else if (grid)
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_SYSVAL, .offset = at, .size = end - at, .count = 1,
			                                       .sysval = SYSVAL_num_workgroups, .base = h - GRID_X});
	}
	pointers(m, t);
	if (m->push_size > m->out->target->max_push)
		m->out->push_size = 0;
	return t;
}

uint32_t facts_hsa_dispatch(struct facts_make *m)
{
	enum { PACKET = 64, GROUP_AT = 4, GROUP_BYTES = 8 /* three sizes and two bytes of zeros */, GRID_AT = 12 };
	uint32_t t = table(m, "dispatch packet", PACKET);
	uint8_t *group = arena_alloc(m->a, GROUP_BYTES);
	for (unsigned i = 0; i < 3; i++) {
		group[2 * i] = (uint8_t)m->out->workgroup[i];
		group[2 * i + 1] = (uint8_t)(m->out->workgroup[i] >> 8);
		facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_SYSVAL, .offset = GRID_AT + 4 * i, .size = 4, .count = 1,
		                                       .sysval = SYSVAL_num_workgroups, .base = i,
		                                       .stride = m->out->workgroup[i]});
	}
	facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DATA, .offset = GROUP_AT, .size = GROUP_BYTES, .count = 1, .data = group});
	return t;
}

void facts_hsa_constants(struct facts_make *m, uint32_t code)
{
	if (rec_known(m->prog->address) && m->prog->nmemory)
		m->table[code].address = (uint64_t)(TABLES_AT + code) << 32;
	for (uint32_t i = 0; rec_known(m->prog->address) && i < m->prog->nmemory; i++) {
		const struct rec_memory *c = &m->prog->memory[i];
		int64_t at = (int64_t)(c->address - m->prog->address.v); /* offsets before the code wrap, as the code's sums do */
		if (at < INT32_MIN || at > INT32_MAX || c->size > INT32_MAX - at)
			continue;
		facts_entry(m, code, &(struct fact_entry){.kind = ENTRY_DATA, .offset = (uint32_t)at, .size = c->size, .count = 1,
		                                          .data = c->bytes});
	}
}

int facts_hsa(struct facts_make *m)
{
	uint32_t rsrc1 = 0;
	if (m->out->addresses == ADDRESS_HOST && m->prog->pipeline->bindings.n) {
		diag_emit(m->diag, DIAG_MISSING_FEATURE, DIAG_NO_ADDR, "kernel arguments as host addresses are not translated yet");
		return -1;
	}
	if (!rec_known(m->prog->scratch_lane_bytes)) {
		diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR, "the size of the kernel's stack is not known");
		return -1;
	}
	for (uint32_t i = 0; i < m->prog->kernargs.n; i++)
		if (m->prog->kernargs.v[i].kind == REC_ARG_DYNAMIC_SHARED) {
			diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR, "the size of the shared memory behind argument %u was not recorded", i);
			return -1;
		}
	if (record_register(m->prog, REC_SPACE_AMD_RSRC, 1, &rsrc1) && (rsrc1 >> 23 & 1))
		diag_remark(m->diag, "facts", DIAG_NO_ADDR, "IEEE mode: minimum and maximum are not asked to quiet signalling NaNs");
	return 0;
}
