/* facts_build_nvk.c - constant banks of the "nvk" preset. Source: design page nvk-abi, "Root table c[0]" (NVK 25.0.7,
 * struct nvk_root_descriptor_table). */
#include "facts_build_int.h"

/* The root table's words, per kind of work. */
static const struct root_row { uint16_t offset, size, sysval; bool draw, zero; } root_rows[] = {
	{0x000, 12, SYSVAL_none, false, true}, /* base workgroup: Vulkan's WorkgroupId includes it */
	{0x00c, 12, SYSVAL_num_workgroups, false, false},
	{0x000, 4, SYSVAL_base_vertex, true, false},
	{0x004, 4, SYSVAL_base_instance, true, false},
	{0x008, 4, SYSVAL_draw_id, true, false},
	{0x00c, 4, SYSVAL_view_index, true, false},
};
enum { ROOT_SETS = 0x128, ROOT_SET_STRIDE = 16, ROOT_SET_COUNT = 32, ROOT_SIZE = 0x800, PUSH_AT = 0x28, PUSH_BYTES = 256 };

static uint32_t root_table(struct facts_make *m)
{
	static const uint8_t zeros[16];
	uint32_t t = facts_table(m, "root table", ROOT_SIZE);
	bool draw = m->prog->stage != STAGE_COMPUTE;
	for (size_t i = 0; i < sizeof root_rows / sizeof *root_rows; i++) {
		const struct root_row *r = &root_rows[i];
		if (r->draw == draw)
			facts_entry(m, t, &(struct fact_entry){.kind = r->zero ? ENTRY_DATA : ENTRY_SYSVAL, .offset = r->offset,
			                                       .size = r->size, .count = 1, .sysval = r->sysval, .data = zeros});
	}
	uint32_t push = (uint32_t)rec_or(m->prog->pipeline->push_root_offset, PUSH_AT);
	facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_PUSH, .offset = push, .size = PUSH_BYTES, .count = 1});
	const struct xl_pipeline_record *p = m->prog->pipeline;
	for (uint32_t i = 0; i < p->sets.n; i++)
		if (p->sets.v[i].set < ROOT_SET_COUNT) {
			uint32_t set = p->sets.v[i].set, st = facts_set(m, set);
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_POINTER, .offset = ROOT_SETS + ROOT_SET_STRIDE * set, .size = 8,
			                                       .stride = 8, .count = 1, .table = (uint16_t)st});
		}
	return t;
}

int facts_nvk(struct facts_make *m)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	for (uint32_t i = 0; i < m->prog->banks.n; i++) {
		const struct rec_bank *b = &m->prog->banks.v[i];
		uint32_t t;
		if (b->bank >= sizeof m->out->bank_table / sizeof *m->out->bank_table) {
			diag_emit(m->diag, DIAG_BAD_ABI, DIAG_NO_ADDR, "constant bank %u does not exist", b->bank);
			return -1;
		}
		switch (b->holds) {
		case HOLDS_ROOT: t = root_table(m); break;
		case HOLDS_SET: t = facts_set(m, b->set); break;
		case HOLDS_CONST_DATA:
			t = facts_table(m, "constant data", m->prog->data.size);
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DATA, .size = m->prog->data.size, .count = 1,
			                                       .data = m->prog->data.v});
			break;
		case HOLDS_UBO: {
			const struct rec_binding *r = record_binding(p, b->set, b->binding);
			t = facts_table(m, arena_printf(m->a, "set %u binding %u", b->set, b->binding), 65536);
			facts_entry(m, t, &(struct fact_entry){
				.kind = ENTRY_BUFFER, .size = 65536, .count = r ? r->count : 1, .set = b->set, .binding = b->binding,
				.base = b->element == REC_NONE ? 0 : b->element,
				.buffer_size = r && r->buffer_size != REC_NONE ? r->buffer_size : 0});
			break;
		}
		default: continue; /* dynamic buffers: a program that reads the bank is refused there */
		}
		m->out->bank_table[b->bank] = t;
	}
	return 0;
}
