/* facts_build_state.c - what the record says of the state around a program: vertex attributes, attachments, what the stages
 * hand over. */
#include "facts_build_int.h"

static void attributes(struct facts_make *m)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	struct fact_attrib *v = arena_array(m->a, struct fact_attrib, p->attribs.n + 1u);
	for (uint32_t i = 0; i < p->attribs.n; i++) {
		const struct rec_attrib *r = &p->attribs.v[i];
		struct format_info f;
		if (!format_find(r->format, &f))
			continue;
		v[m->out->nattrib++] = (struct fact_attrib){
			.location = r->location, .binding = r->binding, .format = r->format, .offset = r->offset, .stride = r->stride,
			.comps = f.comps, .base = f.numeric, .bytes = f.bytes, .per_instance = r->per_instance != 0};
	}
	m->out->attrib = v;
}

/* 0 no, 1 yes, 2 not recorded */
static uint8_t answer(struct rec_fact f)
{
	return rec_known(f) ? f.v != 0 : 2;
}

static bool closes_gaps(const struct facts_make *m)
{
	return m->preset == PRESET_radv;
}

/* The attachments that the program writes, a bit each; 0: not recorded. CB_SHADER_MASK has them at their own places, whether
 * the formats of the exports (so many of them are not 0) have been moved together already or not. */
static uint32_t written(const struct xl_record_program *p, uint32_t exported)
{
	uint32_t word = 0, mask = 0;
	if (!record_register(p, REC_SPACE_AMD_CONTEXT, REC_CB_SHADER_MASK, &word))
		return 0;
	for (uint32_t t = 0; t < 8; t++)
		mask |= (word >> (4 * t) & 15 ? 1u : 0) << t;
	return (uint32_t)__builtin_popcount(mask) == exported ? mask : 0;
}

/* The attachments that the exports go to in order, bit per target; false, with a diagnostic, when they cannot be told. RADV closes
 * the gaps that attachments which are not written leave among the exports: without a mask of those that are, and with fewer
 * formats than attachments, or gaps and no formats, the targets are not known. */
static bool attachments(struct facts_make *m, bool known, uint32_t formats, uint32_t *mask)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	uint32_t attached = 0, exported = 0;
	struct format_info f;
	*mask = 0;
	for (uint32_t i = 0; i < p->colors.n; i++) {
		const struct rec_color *c = &p->colors.v[i];
		if (!c->format)
			continue;
		if (c->target > 7 || *mask >> c->target & 1 || !format_find(c->format, &f)) {
			diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR, "attachment %u, format %u: named twice, out of range, or of a format not known here",
			          c->target, c->format);
			return false;
		}
		*mask |= 1u << c->target;
		attached++;
	}
	for (uint32_t k = 0; k < 8; k++)
		exported += (formats >> (4 * k) & 15) != 0;
	uint32_t targets = closes_gaps(m) && exported ? written(m->prog, exported) : 0;
	if (targets)
		*mask = targets;
	if (targets || !closes_gaps(m) || (known ? !exported || exported >= attached : !(*mask & (*mask + 1))))
		return true;
	if (known)
		diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR,
		          "%u colours are exported to %u attachments: the record does not say to which", exported, attached);
	else
		diag_emit(m->diag, DIAG_FACT, DIAG_NO_ADDR, "there are gaps among the attachments, and the formats of the exports are not recorded");
	return false;
}

/* Blending that reads two colours: the driver exports the second one as target 1, in the format of target 0 (Mesa 25.0.7,
 * mrt0_is_dual_src), and exports to no target that has no attachment otherwise. */
static bool second_source(const struct xl_pipeline_record *p, uint32_t formats)
{
	if (rec_known(p->dual_source))
		return rec_or(p->dual_source, 0) != 0;
	return p->colors.n == 1 && p->colors.v[0].target == 0 && formats >> 4 && (formats >> 4) == (formats & 15);
}

/* Format of export k: the formats of all targets stand in the word, and exports are to those that have one. */
static unsigned export_format(uint32_t formats, unsigned k)
{
	for (unsigned t = 0; t < 8; t++)
		if (formats >> (4 * t) & 15 && k-- == 0)
			return formats >> (4 * t) & 15;
	return 0;
}

static bool colors(struct facts_make *m)
{
	const struct xl_pipeline_record *p = m->prog->pipeline;
	uint32_t col = 0, mask;
	if (m->prog->stage != STAGE_FRAGMENT)
		return true;
	bool known = record_register(m->prog, REC_SPACE_AMD_CONTEXT, REC_SPI_SHADER_COL_FORMAT, &col);
	struct fact_color *v = arena_array(m->a, struct fact_color, p->colors.n + 2u);
	if (!attachments(m, known, col, &mask))
		return false;
	for (uint32_t i = 0; i < p->colors.n; i++) {
		const struct rec_color *c = &p->colors.v[i];
		struct format_info f;
		if (!c->format || !format_find(c->format, &f))
			continue;
		unsigned k = c->target, how = 9;
		if (closes_gaps(m)) {
			if (!(mask >> c->target & 1))
				continue;
			k = 0;
			for (uint32_t below = mask & ((1u << c->target) - 1); below; below &= below - 1)
				k++;
		}
		if (known)
			how = closes_gaps(m) ? export_format(col, k) : col >> (4 * k) & 15;
		/* 4 f16, 5 unorm16, 6 snorm16, 7 uint16, 8 sint16: packed */
		v[m->out->ncolor++] = (struct fact_color){.target = (uint8_t)k, .location = (uint8_t)c->target, .numeric = f.numeric,
		                                          .format = c->format, .bits = how >= 4 && how <= 8 ? 16 : 32,
		                                          .norm = how == 5 ? 1 : how == 6 ? 2 : 0};
	}
	if (known && second_source(p, col) && m->out->ncolor == 1) {
		v[1] = v[0];
		v[1].target = v[1].second = 1;
		m->out->ncolor = 2;
	}
	m->out->color = v;
	return true;
}

/* flat_mask is called after what the recorder looked for. What it holds is RADV's float32_shaded_mask: in 1,129 recorded programs
 * every parameter that 32-bit interpolation instructions read has its bit set, and every one that is only moved has it clear. */
static void fragment_inputs(struct facts_make *m)
{
	const struct xl_record_program *p = m->prog;
	uint32_t n = p->attrs.n, smooth = (uint32_t)rec_or(p->flat_mask, 0), distances = (uint32_t)rec_or(p->clip_cull_inputs, 0);
	bool known = rec_known(p->flat_mask), radv = m->preset == PRESET_radv;
	struct fact_input *v = arena_array(m->a, struct fact_input, n + 8u);
	/* Mesa 25.0.7 numbers the attributes in this order (seen in programs that read all of them): distances, point coordinate,
	 * locations, viewport, primitive, and the layer, which programs take from elsewhere. A record that does not know of distances
	 * or the viewport has fewer than the program reads, all of which it reads: then the lifter meets one too many. */
	uint32_t at = 0;
	for (uint32_t k = 0; radv && k < 2; k++)
		if (distances >> 4 * k & 15)
			v[at++].builtin = SYSVAL_clip_distance;
	if (radv && rec_or(p->point_coord, 0))
		v[at++].builtin = SYSVAL_point_coord;
	for (uint32_t i = 0; i < n; i++) {
		const struct rec_attr *r = &p->attrs.v[i];
		if (r->attr < n)
			v[at + r->attr].location = r->location;
	}
	at += n;
	if (radv && rec_or(p->viewport_input, 0))
		v[at++].builtin = SYSVAL_viewport;
	if (radv && rec_or(p->primitive_id, 0))
		v[at++].builtin = SYSVAL_primitive_id;
	for (uint32_t i = 0; i < at; i++)
		v[i].smooth = known && i < 32 ? smooth >> i & 1 : 2;
	m->out->input = v;
	m->out->ninput = at;
}

static void vertex_params(struct facts_make *m)
{
	uint32_t n = m->prog->params.n;
	struct fact_param *v = arena_array(m->a, struct fact_param, n + 1u);
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct fact_param){.param = m->prog->params.v[i].param, .location = m->prog->params.v[i].location};
	m->out->param = v;
	m->out->nparam = n;
}

/* What is drawn, and what runs before a fragment program. A record of one program says nothing of the others. */
static void primitive(struct facts_make *m)
{
	enum { FIRST = 3, LAST = 5 }; /* VkPrimitiveTopology: lists, strips and fans of triangles */
	const struct xl_pipeline_record *r = m->prog->pipeline;
	uint32_t before = record_before(m->prog), handed = record_handed(m->prog);

	m->out->triangles = rec_known(r->topology) && !(record_open(m->prog) & REC_OPEN_TOPOLOGY) ?
		r->topology.v >= FIRST && r->topology.v <= LAST : 2;
	m->out->provoking_last = record_open(m->prog) & REC_OPEN_PROVOKING ? 2 : answer(r->provoking_last);
	m->out->only_vertex = !(before & 1);
	m->out->vertex_layered = before >> 1 & 1;
	m->out->vertex_clip = (uint8_t)(before >> 8);
	m->out->vertex_cull = (uint8_t)(before >> 16);
	m->out->handed = handed & (FACT_LAYER | FACT_VIEWPORT);
	m->out->hand_place = (uint8_t)(handed >> 8);
}

bool facts_state(struct facts_make *m)
{
	const struct xl_record_program *p = m->prog;
	struct facts *out = m->out;

	out->can_discard = rec_or(p->can_discard, 1) != 0;
	out->point_size = answer(p->point_size_write);
	out->layer = answer(p->layer_write);
	out->viewport = answer(p->viewport_write);
	out->distances_known = rec_known(p->clip_mask) && rec_known(p->cull_mask);
	out->clip_mask = (uint8_t)rec_or(p->clip_mask, 0);
	out->cull_mask = (uint8_t)rec_or(p->cull_mask, 0);
	out->early_tests = answer(p->early_tests);
	primitive(m);
	if (p->stage == STAGE_VERTEX)
		attributes(m);
	fragment_inputs(m);
	vertex_params(m);
	return colors(m);
}
