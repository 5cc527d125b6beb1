/* facts_build.c - record -> facts. What a register or bank means is data: abi.def for the AMD presets, the tables of
 * facts_build_nvk.c for constant banks. */
#include "facts_build.h"

#include "../textbuf.h"
#include "facts_build_int.h"

#include <stdlib.h>
#include <string.h>

bool format_find(uint32_t f, struct format_info *out)
{
	static const struct { uint16_t first, last; uint8_t comps, bytes; const char *num; } range[] = {
#define FORMAT_RANGE(first, last, comps, bytes, num) {first, last, comps, bytes, num},
#include "formats.def"
#undef FORMAT_RANGE
	};
	size_t i = 0, end = sizeof range / sizeof *range;
	while (i < end) {
		size_t mid = (i + end) / 2;
		if (f > range[mid].last)
			i = mid + 1;
		else
			end = mid;
	}
	if (i == sizeof range / sizeof *range || f < range[i].first)
		return false;
	char n = range[i].num[f - range[i].first];
	*out = (struct format_info){.comps = range[i].comps, .bytes = range[i].bytes, .norm = n == 'u' || n == 's', .snorm = n == 's',
	                            .numeric = n == 'i' ? NUMERIC_UINT : n == 'I' ? NUMERIC_SINT : NUMERIC_FLOAT};
	return true;
}

/* ---- growing lists in the arena */

uint32_t facts_table(struct facts_make *m, const char *name, uint32_t size)
{
	m->table = arena_grow_raw(m->a, m->table, m->ntable, &m->table_cap, m->ntable + 1u, sizeof *m->table);
	m->table[m->ntable] = (struct fact_table){.name = name, .size = size};
	return m->ntable++;
}

void facts_entry(struct facts_make *m, uint32_t table, const struct fact_entry *e)
{
	struct fact_table *t = &m->table[table];
	struct fact_entry *v = (struct fact_entry *)t->entry; /* made here */
	uint32_t i = t->nentry;
	if (!(i & (i - 1))) { /* full: it holds a power of two */
		v = arena_array_raw(m->a, struct fact_entry, i ? 2 * (size_t)i : 1);
		if (i)
			memcpy(v, t->entry, i * sizeof *v);
	}
	for (; i && v[i - 1].offset > e->offset; i--)
		v[i] = v[i - 1];
	v[i] = *e;
	t->entry = v;
	t->nentry++;
}

static uint32_t add_root(struct facts_make *m, const struct fact_root *r)
{
	m->root = arena_grow_raw(m->a, m->root, m->nroot, &m->root_cap, m->nroot + 1u, sizeof *m->root);
	m->root[m->nroot] = *r;
	return m->nroot++;
}

static void add_init(struct facts_make *m, const struct fact_init *i)
{
	m->init = arena_grow_raw(m->a, m->init, m->ninit, &m->init_cap, m->ninit + 1u, sizeof *m->init);
	m->init[m->ninit++] = *i;
}

/* ---- descriptor sets: the same for every preset */

/* The second word of a raw buffer descriptor, where a program looks at it as a number: high bits of an address, different for
 * each descriptor, and a stride of 0. Registers keep old descriptors, and a program that copies such words around computes the
 * same with any that the guest's system could have made. */
static uint32_t buffer_number(uint32_t table, const struct rec_binding *b)
{
	bool raw = b->type == DESC_STORAGE_BUFFER || b->type == DESC_UNIFORM_BUFFER;
	uint32_t place = table * 1024 + b->offset / 16, last = place + (b->count ? b->count : 1);
	return raw && b->stride == 16 && b->offset % 16 == 0 && b->offset < 16384 && last < 0x8000 ? 0x8000 + place : 0;
}

/* A set of which the record has no binding: what is known of images stands where their descriptors start. */
static void only_memory(struct facts_make *m, uint32_t table, uint32_t set)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	m->table[table].memory = true;
	m->table[table].set = set;
	for (uint32_t i = 0; i < p->images.n; i++) {
		const struct rec_image *im = &p->images.v[i];
		if (im->key == REC_KEY_BANK_OFFSET && im->a == set)
			facts_entry(m, table, &(struct fact_entry){
				.kind = ENTRY_HINT, .offset = im->b, .base = im->c, .dim = (uint8_t)im->dim, .arrayed = (uint8_t)im->arrayed, .ms = (uint8_t)im->ms,
				.depth = (uint8_t)im->depth, .numeric = (uint8_t)im->numeric, .format = (uint16_t)im->format});
	}
}

uint32_t facts_set(struct facts_make *m, uint32_t set)
{
	struct textbuf name;
	char text[16];
	const struct xl_pipeline_record *p = m->prog->pipeline;
	if (set < FACTS_SETS && m->set_table[set] != UINT32_MAX)
		return m->set_table[set];
	uint32_t size = 0;
	bool named = false;
	for (uint32_t i = 0; i < p->sets.n; i++)
		if (p->sets.v[i].set == set)
			size = p->sets.v[i].size;
	textbuf_init(&name, text, sizeof text);
	textbuf_put(&name, "set ");
	textbuf_number(&name, set, 10);
	uint32_t t = facts_table(m, arena_strdup(m->a, text), size);
	for (uint32_t i = 0; i < p->bindings.n; i++) {
		const struct rec_binding *b = &p->bindings.v[i];
		named |= b->set == set;
		if (b->set != set || b->type >= DESC_COUNT || !b->stride)
			continue;
		uint64_t bytes = (uint64_t)b->stride * (b->count ? b->count : 1);
		struct fact_entry e = {
			.kind = ENTRY_DESC, .desc = (uint8_t)b->type, .offset = b->offset,
			.size = bytes > UINT32_MAX - b->offset ? UINT32_MAX - b->offset : (uint32_t)bytes, .stride = b->stride,
			.count = b->count, .set = b->set, .binding = b->binding, .sampler_at = b->sampler_at,
			.buffer_size = b->buffer_size == REC_NONE || b->unsized ? 0 : b->buffer_size,
			.base = buffer_number(t, b),
			.dim = DIM_UNKNOWN, .arrayed = 2, .ms = 2, .depth = 2, .numeric = NUMERIC_UNKNOWN,
		};
		const struct rec_image *im = record_image(p, REC_KEY_SET_BINDING, b->set, b->binding);
		if (im) {
			e.dim = (uint8_t)im->dim;
			e.arrayed = (uint8_t)im->arrayed;
			e.ms = (uint8_t)im->ms;
			e.depth = (uint8_t)im->depth;
			e.numeric = (uint8_t)im->numeric;
			e.format = (uint16_t)im->format;
		}
		for (uint32_t k = 0; k < p->attachments.n; k++)
			if (p->attachments.v[k].set == b->set && p->attachments.v[k].binding == b->binding)
				e.attachment = (uint16_t)(p->attachments.v[k].index + 1);
		facts_entry(m, t, &e);
	}
	if (!named)
		only_memory(m, t, set);
	if (set < FACTS_SETS)
		m->set_table[set] = t;
	return t;
}

/* ---- registers through abi.def */

enum action { OPAQUE, SET, PUSH_TABLE, PUSH_INLINE, GRID, SYSVAL, GROUP_INFO, VERTEX_TABLE, DRAW, PACKED_LOCAL_ID, PIXEL, KERNARGS,
	DISPATCH, SCRATCH_DESC, SCRATCH_WAVE, RADV_SCRATCH, ANY, ANCILLARY, PRIM_MASK, PS_STATE, PROVOKING, CAPTURE_BUFFERS, CAPTURE_STATE, CAPTURE_FIRST, CAPTURE_START,
	SAMPLE_PLACES };

/* What a row is compared by first: preset, register file, and the name's first letter. */
#define ABI_KEY(preset, file, letter) ((uint32_t)(preset) << 16 | (uint32_t)(file) << 8 | (unsigned char)(letter))
static const struct abi_row {
	const char *name;
	uint32_t key;
	uint16_t sysval, comp;
	uint8_t action, len;
} abi[] = {
#define ABI_REG(preset, file, name, action, sysval, comp) \
	{name, ABI_KEY(PRESET_##preset, REC_FILE_##file, name[0]), SYSVAL_##sysval, comp, action, sizeof name - 1},
#include "abi.def"
#undef ABI_REG
};

/* Entries stand mostly in the order of the rows, so the search starts where the last one ended. */
static const struct abi_row *abi_find(struct facts_make *m, const struct rec_entry *e, const char *name, uint32_t *number)
{
	enum { COUNT = sizeof abi / sizeof *abi };
	uint32_t i = m->abi_row, key = ABI_KEY(m->preset, e->file, name[0]);
	for (uint32_t k = 0; k < COUNT; k++, i = i + 1 < COUNT ? i + 1 : 0) {
		const struct abi_row *row = &abi[i];
		if (row->key != key)
			continue;
		bool numbered = row->name[row->len - 1] == '#';
		size_t n = row->len - numbered;
		if (strncmp(row->name, name, n) || (!numbered && name[n]))
			continue;
		if (numbered) {
			char *end;
			unsigned long v = strtoul(name + n, &end, 10);
			if (end == name + n || *end || v >= FACTS_SETS)
				return NULL;
			*number = (uint32_t)v;
		}
		m->abi_row = i;
		return row;
	}
	return NULL;
}

static void init_root(struct facts_make *m, const struct rec_entry *e, uint32_t k, const struct fact_root *r)
{
	uint32_t root = add_root(m, r);
	add_init(m, &(struct fact_init){.file = (uint8_t)e->file, .kind = INIT_ROOT, .index = (uint16_t)(e->reg + k),
	                                .root = (uint16_t)root});
}

static void push_inline(struct facts_make *m, const struct rec_entry *e, const char *name)
{
	uint64_t mask = rec_or(m->prog->inline_push_mask, 0);
	for (uint32_t k = 0, bit = 0; k < e->n; k++, bit++) {
		while (bit < 64 && !(mask >> bit & 1))
			bit++;
		struct fact_root r = {.kind = bit < 64 ? ROOT_PUSH : ROOT_OPAQUE, .offset = bit * 4, .name = name};
		init_root(m, e, k, &r);
	}
}

/* base vertex, [draw id], [start instance]: two registers do not say which second one it is, the record may */
static void draw_parameters(struct facts_make *m, const struct rec_entry *e, const char *name)
{
	struct fact_root r[3] = {
		{.kind = ROOT_SYSVAL, .sysval = SYSVAL_base_vertex, .name = name},
		{.kind = e->n == 2 ? ROOT_BASE_INSTANCE_OR_DRAW : ROOT_SYSVAL, .sysval = SYSVAL_draw_id, .name = name},
		{.kind = ROOT_SYSVAL, .sysval = SYSVAL_base_instance, .name = name},
	};
	if (e->n == 2 && rec_known(m->prog->draw_id) && rec_known(m->prog->base_instance) && m->prog->draw_id.v != m->prog->base_instance.v)
		r[1] = (struct fact_root){.kind = ROOT_SYSVAL, .sysval = m->prog->draw_id.v ? SYSVAL_draw_id : SYSVAL_base_instance, .name = name};
	for (uint32_t k = 0; k < e->n; k++)
		init_root(m, e, k, &r[k]);
}

static uint32_t vertex_table(struct facts_make *m)
{
	uint32_t mask = (uint32_t)rec_or(m->prog->vertex_buffer_mask, 0), at = 0;
	uint32_t t = facts_table(m, "vertex buffers", 0);
	for (uint32_t b = 0; b < 32; b++)
		if (mask >> b & 1) {
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_ATTRIB, .offset = at, .size = 16, .stride = 16, .count = 1,
			                                       .binding = b});
			at += 16;
		}
	return t;
}

/* Compute programs of gfx7 with scratch: the first two words of its descriptor, and the wave's offset (Mesa 25.0.7,
 * radv_emit_compute_scratch). Others reach it in another way, or hold pointers to rings there. */
static uint8_t radv_scratch(const struct facts_make *m, const struct rec_entry *e)
{
	if (m->prog->stage == STAGE_COMPUTE && !rec_or(m->prog->scratch_wave_bytes, 1))
		return ANY;
	if (m->prog->stage == STAGE_FRAGMENT && e->n == 2)
		return SAMPLE_PLACES;
	if (m->prog->stage != STAGE_COMPUTE || strcmp(m->prog->isa, "gfx7") || !rec_known(m->prog->scratch_wave_bytes))
		return OPAQUE;
	return e->n == 2 ? SCRATCH_DESC : SCRATCH_WAVE;
}

/* Registers that an entry of the name has at most. */
static uint32_t most(const struct abi_row *row)
{
	switch ((enum action)row->action) {
	case CAPTURE_BUFFERS: case CAPTURE_STATE: case CAPTURE_FIRST: return 1;
	case SYSVAL: return ir_sysval_comps[row->sysval] - row->comp;
	case GRID: case DRAW: return 3;
	default: return 64;
	}
}

static void fragment_root(struct facts_make *m, const struct rec_entry *e, unsigned action, const char *name)
{
	struct fact_root r = {.kind = action == PIXEL ? ROOT_PIXEL : action == ANCILLARY ? ROOT_ANCILLARY : ROOT_PROVOKING, .name = name};

	if (action == PS_STATE) { /* bits 21:6, shifted by the sample's number: the samples that one run stands for; 23:22: 0 where points,
		                   * 1 where lines, 2 where triangles are drawn (Mesa 25.0.7) */
		r.kind = ROOT_SAMPLES_OF_RUN;
		r.offset = 6;
		r.comp = 22;
	} else if (action == PRIM_MASK) /* bit 31: no pixel of the wave is covered in part, so that the centroids were left out */
		r.kind = ROOT_NOT_NEGATIVE;
	init_root(m, e, 0, &r);
}

/* Streamout (Mesa 25.0.7, ACO's emit_streamout): one word each, of the buffers in use in their order. */
static void capture_root(struct facts_make *m, const struct rec_entry *e, unsigned action, const char *name)
{
	static const uint8_t kind[] = {ROOT_CAPTURE_BUFFERS, ROOT_CAPTURE_STATE, ROOT_CAPTURE_FIRST, ROOT_CAPTURE_START};
	bool start = action == CAPTURE_START;

	for (uint32_t k = 0; k < e->n; k++)
		init_root(m, e, k, &(struct fact_root){.kind = kind[action - CAPTURE_BUFFERS], .offset = start ? m->ncapture_start++ : k, .name = name});
}

/* Behind the rings' descriptors, of which nothing is known here: where the samples of a pixel are, x and y from its corner, for 1, 2, 4
 * and 8 of them (Mesa 25.0.7, radv_fill_shader_rings and RING_PS_SAMPLE_POSITIONS). The places are Vulkan's standard ones. */
static uint32_t sample_places(struct facts_make *m)
{
	enum { AT = 176, COUNT = 1 + 2 + 4 + 8 };
	/* Bytes of n / 16 as a float, n from 1 to 15: the upper half of its bits is all there is. */
#define LOG2(n) ((n) > 7 ? 3u : (n) > 3 ? 2u : (n) > 1 ? 1u : 0u)
#define UPPER(n) ((123u + LOG2(n)) << 7 | ((n) << (7 - LOG2(n)) & 127u))
#define PLACE(x, y) 0, 0, UPPER(x) & 255, UPPER(x) >> 8, 0, 0, UPPER(y) & 255, UPPER(y) >> 8
	static const uint8_t data[8 * COUNT] = {PLACE(8, 8), PLACE(12, 12), PLACE(4, 4), PLACE(6, 2), PLACE(14, 6), PLACE(2, 10),
		PLACE(10, 14), PLACE(9, 5), PLACE(7, 11), PLACE(13, 9), PLACE(5, 3), PLACE(3, 13), PLACE(1, 7), PLACE(11, 15), PLACE(15, 1)};
#undef LOG2
#undef UPPER
#undef PLACE
	uint32_t t = facts_table(m, "sample positions", AT + 8 * COUNT);

	facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DATA, .offset = AT, .size = 8 * COUNT, .count = 1, .data = data});
	return t;
}

static bool entry(struct facts_make *m, const struct rec_entry *e)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	const char *name = record_str(p, e->name_str);
	uint32_t number = 0;
	const struct abi_row *row = abi_find(m, e, name, &number);
	if (!row || e->n > most(row)) {
		diag_emit(m->diag, DIAG_BAD_ABI, DIAG_NO_ADDR, "ABI \"%s\" has no \"%s\" of %u registers", p->abi, name, e->n);
		return false;
	}
	uint8_t action = row->action == RADV_SCRATCH ? radv_scratch(m, e) : row->action;
	switch ((enum action)action) {
	case SYSVAL:
		for (uint32_t k = 0; k < e->n; k++) {
			uint16_t comp = (uint16_t)(row->comp + k);
			if (e->file == REC_FILE_SCALAR)
				init_root(m, e, k, &(struct fact_root){.kind = ROOT_SYSVAL, .sysval = row->sysval, .comp = comp, .name = name});
			else
				add_init(m, &(struct fact_init){.file = (uint8_t)e->file, .kind = INIT_SYSVAL, .index = (uint16_t)(e->reg + k),
				                                .sysval = row->sysval, .comp = comp});
		}
		break;
	case PACKED_LOCAL_ID:
		add_init(m, &(struct fact_init){.file = (uint8_t)e->file, .index = (uint16_t)e->reg, .kind = INIT_PACKED_LOCAL_ID});
		break;
	case PIXEL: case ANCILLARY: case PROVOKING: case PS_STATE: case PRIM_MASK: fragment_root(m, e, action, name); break;
	case CAPTURE_BUFFERS: case CAPTURE_STATE: case CAPTURE_FIRST: case CAPTURE_START: capture_root(m, e, action, name); break;
	case SET:
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = (uint16_t)facts_set(m, number), .name = name});
		break;
	case PUSH_TABLE: {
		uint32_t t = facts_table(m, "push constants", m->push_size);
		facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_PUSH, .size = m->push_size, .count = 1});
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = (uint16_t)t, .name = name});
		break;
	}
	case PUSH_INLINE: push_inline(m, e, name); break;
	case GRID:
		if (e->n == 2) { /* a 64-bit pointer to three words */
			uint32_t t = facts_table(m, "grid size", 12);
			facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_SYSVAL, .size = 12, .count = 1, .sysval = row->sysval});
			init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = (uint16_t)t, .name = name});
			init_root(m, e, 1, &(struct fact_root){.kind = ROOT_TABLE_HI, .table = (uint16_t)t, .name = name});
		} else
			for (uint32_t k = 0; k < e->n; k++)
				init_root(m, e, k, &(struct fact_root){.kind = ROOT_SYSVAL, .sysval = row->sysval, .comp = (uint16_t)k,
				                                       .name = name});
		break;
	case GROUP_INFO: /* the wave's index: bits 11:6, the order that the driver's dispatches make it; on gfx10.3 in 24:20 as well (Mesa
		                * 25.0.7, load_subgroup_id and load_local_invocation_index) */
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_GROUP_INFO, .name = name, .offset = 6,
		                                       .comp = strncmp(m->prog->cpu, "gfx103", 6) ? 0 : 20});
		break;
	case VERTEX_TABLE:
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = (uint16_t)vertex_table(m), .name = name});
		break;
	case DRAW: draw_parameters(m, e, name); break;
	case SAMPLE_PLACES: {
		uint16_t t = (uint16_t)sample_places(m);
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = t, .name = name});
		init_root(m, e, 1, &(struct fact_root){.kind = ROOT_TABLE_HI, .table = t, .name = name});
		break;
	}
	case KERNARGS: case DISPATCH: { /* 64-bit pointers */
		uint16_t t = (uint16_t)(row->action == KERNARGS ? facts_hsa_kernargs(m) : facts_hsa_dispatch(m));
		init_root(m, e, 0, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = t, .name = name});
		init_root(m, e, 1, &(struct fact_root){.kind = ROOT_TABLE_HI, .table = t, .name = name});
		break;
	}
	case SCRATCH_DESC: case SCRATCH_WAVE: case OPAQUE: case RADV_SCRATCH: case ANY:
		for (uint32_t k = 0; k < e->n; k++)
			init_root(m, e, k, &(struct fact_root){.kind = action == SCRATCH_DESC ? ROOT_SCRATCH_DESC :
			                                               action == SCRATCH_WAVE ? ROOT_SCRATCH_WAVE :
			                                               action == ANY ? ROOT_ANY : ROOT_OPAQUE,
			                                       .offset = k, .name = name});
		break;
	}
	return true;
}

/* Fields of image descriptors. Sources: AMD's RDNA 2 and Sea Islands ISA documents, "Image Resource Definition". The views
 * that a binding holds start at mip level 0 and layer 0 of what their size queries count from. Word 5 bits 3:0 (gfx10) say that a
 * 3D view is a range of slices: queries of the host count those alone, so 0 is always right beside them. Bit 29 of word 4 is
 * reserved and read with the base. */
static const struct fact_field gfx10_image[] = {
	{1, 20, 9, FIELD_SOME, 0}, {1, 30, 2, FIELD_WIDTH_1, 0}, {2, 0, 14, FIELD_WIDTH_1, 2}, {2, 14, 16, FIELD_HEIGHT_1, 0}, {3, 12, 4, FIELD_ZERO, 0},
	{3, 16, 4, FIELD_LEVELS_1, 0}, {3, 28, 4, FIELD_SHAPE_3D, 10}, {3, 28, 4, FIELD_SHAPE_1D_ARRAY, 12}, {3, 28, 4, FIELD_SHAPE_2D_ARRAY, 13},
	{3, 28, 4, FIELD_SHAPE_CUBE, 11}, {4, 0, 13, FIELD_DEPTH_1, 0}, {4, 16, 14, FIELD_ZERO, 0},
	{5, 0, 4, FIELD_ZERO, 0}, {0, 0, 0, 0, 0},
};
static const struct fact_field gfx7_image[] = {
	{1, 20, 6, FIELD_SOME, 0}, {2, 0, 14, FIELD_WIDTH_1, 0}, {2, 14, 14, FIELD_HEIGHT_1, 0}, {3, 12, 4, FIELD_ZERO, 0}, {3, 16, 4, FIELD_LEVELS_1, 0},
	{3, 28, 4, FIELD_SHAPE_3D, 10}, {3, 28, 4, FIELD_SHAPE_1D_ARRAY, 12}, {3, 28, 4, FIELD_SHAPE_2D_ARRAY, 13}, {3, 28, 4, FIELD_SHAPE_CUBE, 11}, {4, 0, 13, FIELD_DEPTH_1, 0}, {5, 0, 13, FIELD_ZERO, 0}, {5, 13, 13, FIELD_DEPTH_1, 0}, {0, 0, 0, 0, 0},
};
/* Sampler descriptors: bit 27 of word 0, TRUNC_COORD, makes coordinates truncate to a texel where others round. Drivers set it for
 * nearest filters and clear it for gathers, which are to find the footprint of a linear one: what a host's gather does. */
enum { SAMPLER_TRUNC_COORD = 1 << 27 };

static bool amd_registers(struct facts_make *m)
{
	uint32_t rsrc1 = 0, rsrc3 = 0, registers = 2; /* and the program counter */
	bool gfx7 = !strcmp(m->prog->isa, "gfx7");
	/* COMPUTE_PGM_RSRC3 bits 3:0 (gfx10): eights of vector registers that the two halves of a wave64 share. They follow those of
	 * RSRC1 bits 5:0, which are counted in fours. */
	if (m->prog->stage == STAGE_COMPUTE && m->prog->wave == 64 && !strcmp(m->prog->isa, "gfx10") &&
	    record_register(m->prog, REC_SPACE_AMD_RSRC, 3, &rsrc3) && rsrc3 & 15) {
		if (!record_register(m->prog, REC_SPACE_AMD_RSRC, 1, &rsrc1)) {
			diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR, "the halves of a wave share vector registers, and where they start is not recorded");
			return false;
		}
		m->out->paired_registers = ((rsrc1 & 63) + 1) * 4;
	}
	m->out->image_field = gfx7 ? gfx7_image : gfx10_image;
	m->out->gather_clear = SAMPLER_TRUNC_COORD;
	m->out->sample_map = m->preset == PRESET_radv ? 32 : 0; /* the FMASK's descriptor, four bits a sample */
	m->out->sample_map_texel = 0x76543210;
	/* Up to gfx8 a gather of integers rounds its coordinates half a texel off. Compilers correct it in the program, from the
	 * image's size: Mesa's AMD compilers do so for every integer gather. */
	m->out->gather_int_apart = gfx7;
	if (m->preset == PRESET_radv) /* word 3: order of components, format, bounds by byte */
		m->out->buffer_format = gfx7 ? 0x00027fac : 0x31016fac;
	for (uint32_t i = 0; i < m->prog->entries.n; i++)
		registers += m->prog->entries.v[i].n;
	m->root = arena_grow_raw(m->a, m->root, m->nroot, &m->root_cap, registers, sizeof *m->root);
	m->init = arena_grow_raw(m->a, m->init, m->ninit, &m->init_cap, registers, sizeof *m->init);
	for (uint32_t i = 0; i < m->prog->entries.n; i++)
		if (!entry(m, &m->prog->entries.v[i]))
			return false;
	/* the program's own bytes: s_getpc and the constant data behind the code */
	uint32_t t = facts_table(m, "code", m->prog->code.size);
	m->table[t].is_code = true;
	facts_entry(m, t, &(struct fact_entry){.kind = ENTRY_DATA, .size = m->prog->code.size, .count = 1,
	                                       .base = m->prog->exec_size, .data = m->prog->code.v});
	facts_hsa_constants(m, t);
	m->out->code_table = t;
	add_root(m, &(struct fact_root){.kind = ROOT_TABLE_LO, .table = (uint16_t)t, .name = "pc_lo"});
	add_root(m, &(struct fact_root){.kind = ROOT_TABLE_HI, .table = (uint16_t)t, .name = "pc_hi"});
	return true;
}

static bool stage_fits(struct facts_make *m)
{
	const struct xl_record_program *p = m->prog;
	static const uint8_t hw[STAGE_COUNT] = {[STAGE_VERTEX] = HW_VS, [STAGE_FRAGMENT] = HW_PS, [STAGE_COMPUTE] = HW_CS};
	if (p->stage >= STAGE_COUNT || !hw[p->stage] || (p->hw_stage != hw[p->stage] && p->hw_stage != HW_NONE)) {
		diag_emit(m->diag, DIAG_STAGE, DIAG_NO_ADDR, "%s programs %s are not translated yet", record_stage_name(p->stage),
		          p->hw_stage == HW_UNKNOWN ? "of unknown hardware stage" : "of this hardware stage");
		return false;
	}
	return true;
}

static enum facts_preset preset_of(const char *name)
{
	static const char *const names[PRESET_COUNT] = {
#define X(name) #name,
		FACTS_PRESETS(X)
#undef X
	};
	unsigned i = 0;
	while (i < PRESET_COUNT && strcmp(names[i], name) != 0)
		i++;
	return (enum facts_preset)i;
}

int facts_build(const struct xl_record_program *p, const struct fact_target *target, const struct facts_policy *policy,
                struct facts *out, struct arena *a, struct diag_sink *diag)
{
	struct facts_make m = {.prog = p, .out = out, .a = a, .diag = diag};
	memset(out, 0, sizeof *out);
	memset(m.set_table, 0xff, sizeof m.set_table);
	memset(out->bank_table, 0xff, sizeof out->bank_table);
	out->code_table = UINT32_MAX;
	m.push_size = (uint32_t)rec_or(p->pipeline->push_size, 0);
	if (!stage_fits(&m))
		return -1;
	out->stage = p->stage;
	out->wave = p->wave;
	out->workgroup[0] = (uint32_t)rec_or(p->workgroup_x, 1);
	out->workgroup[1] = (uint32_t)rec_or(p->workgroup_y, 1);
	out->workgroup[2] = (uint32_t)rec_or(p->workgroup_z, 1);
	if (p->stage == STAGE_COMPUTE && !rec_known(p->workgroup_x)) {
		diag_emit(diag, DIAG_FACT, DIAG_NO_ADDR, "the workgroup size was not recorded");
		return -1;
	}
	out->shared_bytes = (uint32_t)rec_or(p->shared_bytes, rec_or(p->lds_bytes, 0));
	out->scratch_bytes = (uint32_t)rec_or(p->scratch_lane_bytes, p->wave ? rec_or(p->scratch_wave_bytes, 0) / p->wave : 0);
	out->push_size = m.push_size;
	out->target = target;
	out->addresses = policy->addresses;
	out->bounds = policy->bounds;
	out->floats = policy->floats;
	m.preset = preset_of(p->pipeline->abi);
	if (m.preset == PRESET_nvk) {
		if (facts_nvk(&m))
			return -1;
	} else if (m.preset != PRESET_COUNT) {
		uint32_t mode = (uint32_t)rec_or(p->float_mode, 0xf0); /* bits 5:4 fp32, 7:6 fp16 and fp64; 0 flushes both ways */
		unsigned round16 = mode >> 2 & 3; /* bits 1:0 fp32, 3:2 fp16 and fp64: 0 to nearest even, 3 to zero */
		out->float_mode = (mode >> 4 & 3 ? 0 : FACT_FTZ32) | (mode >> 6 & 3 ? 0 : FACT_FTZ16_64);
		out->float_mode |= round16 == 3 ? FACT_RTZ16_64 : 0;
		bool plain = (mode >> 4 & 3) % 3 == 0 && (mode >> 6 & 3) % 3 == 0;
		out->float_mode |= plain && p->float_mode.known == REC_KNOWN ? 0 : FACT_MODE_OPEN;
		if ((mode & 3) || (round16 && round16 != 3)) {
			diag_emit(diag, DIAG_FACT, DIAG_NO_ADDR, "float mode 0x%x rounds in a direction that is not translated", mode);
			return -1;
		}
		if (m.preset == PRESET_hsa && facts_hsa(&m))
			return -1;
		if (!amd_registers(&m))
			return -1;
	} else {
		diag_emit(diag, DIAG_BAD_ABI, DIAG_NO_ADDR, "no ABI preset is called \"%s\"", p->pipeline->abi);
		return -1;
	}
	if (!facts_state(&m))
		return -1;
	out->root = m.root;
	out->nroot = m.nroot;
	out->init = m.init;
	out->ninit = m.ninit;
	out->table = m.table;
	out->ntable = m.ntable;
	return 0;
}
