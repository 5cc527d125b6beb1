/* lift_flow.c - branches, barriers, exports, interpolation. */
#include "lift_amd.h"

/* ---- branches. The queued writes go out before the terminator. */
static uint32_t next_block(struct amd_lift *l)
{
	return lift_block_at(l, (int64_t)l->in->offset_in_code + l->in->length);
}

void lift_s_branch(struct amd_lift *l, const struct lift_row *r)
{
	(void)r;
	lift_flush(l);
	ir_br(l->fn, lift_block_at(l, l->in->branch_target));
	l->ended = true;
}

/* op: nop on SCC, any on VCC, ballot on EXEC; NOT: branches when it is zero */
void lift_s_cbranch(struct amd_lift *l, const struct lift_row *r)
{
	struct amd_opnd vcc = { .kind = AMD_K_SPECIAL, .index = AMD_VCC_LO, .dwords = (uint8_t)(l->wave / 32) };
	ir_id c = r->op == IR_nop ? lift_scc(l) : lift_any(l, r->op == IR_any ? lift_mask(l, &vcc) : lift_exec(l));
	uint32_t yes = lift_block_at(l, l->in->branch_target), no = next_block(l);

	lift_flush(l);
	if (yes == no)
		ir_br(l->fn, yes);
	else if (r->arg & NOT)
		ir_brc(l->fn, c, no, yes);
	else
		ir_brc(l->fn, c, yes, no);
	l->ended = true;
}

void lift_s_endpgm(struct amd_lift *l, const struct lift_row *r)
{
	(void)r;
	lift_flush(l);
	ir_ret(l->fn);
	l->ended = true;
}

void lift_s_barrier(struct amd_lift *l, const struct lift_row *r)
{
	ir_id id = ir_op0(l->fn, IR_barrier, IR_VOID);

	(void)r;
	l->fn->inst[id].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 7 << 8;
}

/* ---- exports */
static uint32_t iface(struct amd_lift *l, uint32_t *slot, const struct ir_iface *want)
{
	struct ir_fn *fn = l->fn;

	if (!*slot) {
		fn->iface = arena_grow(fn->arena, fn->iface, fn->niface, &fn->iface_cap, fn->niface + 1u, sizeof *fn->iface);
		fn->iface[fn->niface] = *want;
		*slot = ++fn->niface;
	}
	fn->iface[*slot - 1].comps |= want->comps;
	return *slot - 1;
}

static void output(struct amd_lift *l, uint32_t at, unsigned comp, ir_id v)
{
	ir_id id = op2(l, IR_stout, IR_VOID, lift_exec(l), v);

	l->fn->inst[id].sub = (uint16_t)at;
	l->fn->inst[id].imm = comp;
}

static void builtin(struct amd_lift *l, unsigned what, unsigned base, unsigned comp, ir_id v)
{
	struct ir_iface o = { .output = true, .builtin = (uint8_t)what, .base = (uint8_t)base,
		.comps = (uint8_t)(1u << (comp & 7)) };
	uint32_t at = iface(l, &l->builtin_iface[what], &o);

	if ((what == SYSVAL_clip_distance || what == SYSVAL_cull_distance) && comp + 1 > l->fn->iface[at].elems)
		l->fn->iface[at].elems = (uint16_t)(comp + 1);
	output(l, at, comp, lift_cast(l, (ir_type)base, v));
}

static bool driven(const struct amd_inst *in, unsigned i)
{
	return (in->en >> i & 1) && in->src[i].kind != AMD_K_OFF && in->src[i].kind != AMD_K_NONE;
}

static void export_position(struct amd_lift *l)
{
	struct ir_iface o = { .output = true, .builtin = SYSVAL_position, .base = IR_F32, .comps = 15 };
	ir_id v[4];

	for (unsigned i = 0; i < 4; i++)
		v[i] = driven(l->in, i) ? lift_word(l, IR_F32, &l->in->src[i]) : ir_const(l->fn, IR_F32, 0);
	uint32_t at = iface(l, &l->builtin_iface[SYSVAL_position], &o);
	output(l, at, 0, ir_new(l->fn, IR_vec, IR_VEC(IR_F32, 4), 4, v));
}

/* Vector `half` of the distances: components 4 * half on. The host counts those that clip and those that cull apart; what
 * does neither is nobody's. */
static void export_distances(struct amd_lift *l, unsigned half)
{
	const struct facts *f = l->facts;

	for (unsigned c = 0; c < 4; c++) {
		unsigned bit = 1u << (4 * half + c), below = bit - 1;
		if (!driven(l->in, c) || !((f->clip_mask | f->cull_mask) & bit))
			continue;
		if (f->clip_mask & bit)
			builtin(l, SYSVAL_clip_distance, IR_F32, (unsigned)__builtin_popcount(f->clip_mask & below), lift_dword(l, &l->in->src[c], 0));
		if (f->cull_mask & bit)
			builtin(l, SYSVAL_cull_distance, IR_F32, (unsigned)__builtin_popcount(f->cull_mask & below), lift_dword(l, &l->in->src[c], 0));
	}
}

/* The layer or the viewport: the host's own, or a word that a generated geometry stage takes from where both agree. */
static void layered(struct amd_lift *l, unsigned what, ir_id v)
{
	const struct facts *f = l->facts;
	unsigned comp = what == SYSVAL_viewport;
	struct ir_iface o = { .output = true, .base = IR_I32, .comps = (uint8_t)(1u << comp), .location = f->hand_place };
	bool hands = facts_hands(f);

	if (hands && !l->hand_iface)
		diag_remark(l->ctx->diag, "lift", l->in->offset_in_code,
		            "layer and viewport go to a generated geometry stage, at location %u", f->hand_place);
	if (hands)
		output(l, iface(l, &l->hand_iface, &o), comp, v);
	if (!hands || !facts_not_layered(f))
		builtin(l, what, IR_I32, 0, v);
}

/* Point size, edge flag, layer, viewport. gfx10 has the viewport in the upper half of the layer's word (LLVM and Mesa agree). */
static void export_misc(struct amd_lift *l)
{
	const struct amd_inst *in = l->in;
	bool viewport = l->facts->viewport == 1, both = viewport && !l->gfx7;

	if (driven(in, 1) || (driven(in, 3) && (!l->gfx7 || !viewport))) {
		lift_refuse(l, "position export %u with components 0x%x", in->target - 12u, in->en);
		return;
	}
	if (driven(in, 0))
		builtin(l, SYSVAL_point_size, IR_F32, 0, lift_dword(l, &in->src[0], 0));
	if (driven(in, 2) && l->facts->layer == 1)
		layered(l, SYSVAL_layer,
		        both ? lift_ubfe(l, lift_dword(l, &in->src[2], 0), 0, 16, false) : lift_dword(l, &in->src[2], 0));
	if (driven(in, 2) && both)
		layered(l, SYSVAL_viewport, lift_ubfe(l, lift_dword(l, &in->src[2], 0), 16, 16, false));
	if (driven(in, 3))
		layered(l, SYSVAL_viewport, lift_dword(l, &in->src[3], 0));
}

/* Further position exports: the vector of point size, edge flag, layer and viewport where the program writes one, then
 * those of the two vectors of distances that have a component in use. Nothing in the program tells them apart. */
static void export_extra(struct amd_lift *l)
{
	const struct facts *f = l->facts;
	bool misc = f->point_size == 1 || f->layer == 1 || f->viewport == 1;
	unsigned n = l->in->target - 13u;

	if (f->point_size == 2 || f->layer == 2 || f->viewport == 2 || !f->distances_known) {
		lift_fail(l, DIAG_FACT, l->in->offset_in_code,
		          "the record does not say what this position export is: point size, layer, viewport, or clip and cull distances");
		return;
	}
	facts_read(f, STATE_INPUT_MAP);
	if (misc && n-- == 0) {
		export_misc(l);
		return;
	}
	for (unsigned half = 0; half < 2; half++)
		if ((f->clip_mask | f->cull_mask) >> 4 * half & 15 && n-- == 0) {
			export_distances(l, half);
			return;
		}
	lift_refuse(l, "position export %u, of which the record says nothing", l->in->target - 12u);
}

/* A parameter may stand for several locations of equal values. One that has none is read by nobody. */
static void export_param(struct amd_lift *l, unsigned n)
{
	const struct facts *f = l->facts;

	for (uint32_t i = 0; i < f->nparam; i++) {
		for (unsigned c = 0; f->param[i].param == n && c < 4; c++) {
			if (!driven(l->in, c))
				continue;
			struct ir_iface o = { .output = true, .base = IR_F32, .comps = (uint8_t)(1u << c),
				.location = (uint16_t)f->param[i].location };
			uint32_t at = iface(l, &l->param_iface[i & 255], &o);
			output(l, at, c, lift_word(l, IR_F32, &l->in->src[c]));
		}
	}
}

static ir_id unpack(struct amd_lift *l, const struct fact_color *col, ir_id word, bool high)
{
	bool sint = col->numeric == NUMERIC_SINT;

	if (col->norm) { /* unorm: x / 65535, snorm: max(x / 32767, -1) */
		bool s = col->norm == 2;
		ir_id x = lift_ubfe(l, word, high ? 16 : 0, 16, s);
		ir_id k = ir_const(l->fn, IR_F32, s ? 0x46fffe00 : 0x477fff00), one = ir_const(l->fn, IR_F32, 0xbf800000);
		ir_id v = op1(l, s ? IR_s2f : IR_u2f, IR_F32, x);
		v = op2(l, IR_fmul, IR_F32, v, op1(l, IR_frcp, IR_F32, k));
		return s ? op2(l, IR_fmax, IR_F32, v, one) : v;
	}
	if (col->numeric == NUMERIC_FLOAT)
		return op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, word, high)));
	return lift_ubfe(l, word, high ? 16 : 0, 16, sint);
}

static void export_color(struct amd_lift *l, unsigned target)
{
	const struct amd_inst *in = l->in;
	const struct facts *f = l->facts;
	uint32_t i = 0;

	while (i < f->ncolor && f->color[i].target != target)
		i++;
	if (i == f->ncolor) {
		if (f->ncolor)
			lift_refuse(l, "colour export to a target that has no attachment");
		return; /* without any there is nothing to write to */
	}
	facts_read(f, STATE_COLOR_FORMATS);
	const struct fact_color *col = &f->color[i];
	if (in->compr != (col->bits == 16)) {
		lift_refuse(l, "colour export whose packing is not what the state says");
		return;
	}
	unsigned base = col->numeric == NUMERIC_FLOAT || col->norm ? IR_F32 : IR_I32;
	for (unsigned c = 0; c < 4; c++) {
		if (!driven(in, c))
			continue;
		ir_id v = in->compr ? unpack(l, col, lift_dword(l, &in->src[c], 0), c & 1) :
			lift_word(l, (ir_type)base, &in->src[c]);
		struct ir_iface o = { .output = true, .base = (uint8_t)base, .comps = (uint8_t)(1u << c),
			.location = col->location, .index = col->second, .sign = col->numeric == NUMERIC_SINT };
		v = lift_cast(l, (ir_type)base, v);
		output(l, iface(l, &l->color_iface[target], &o), c, v);
	}
}

static void export_depth(struct amd_lift *l)
{
	const struct amd_inst *in = l->in;

	if (in->compr) { /* halves: the second of the first word is stencil, the first of the second word the mask (Mesa 25.0.7) */
		if (driven(in, 1))
			builtin(l, SYSVAL_frag_stencil, IR_I32, 0, lift_ubfe(l, lift_dword(l, &in->src[1], 0), 16, 8, false));
		if (driven(in, 2))
			builtin(l, SYSVAL_sample_mask_out, IR_I32, 0, lift_ubfe(l, lift_dword(l, &in->src[2], 0), 0, 16, false));
		if (driven(in, 0) && !driven(in, 1))
			lift_refuse(l, "depth in 16 bits");
		return;
	}
	if (driven(in, 0))
		builtin(l, SYSVAL_frag_depth, IR_F32, 0, lift_dword(l, &in->src[0], 0));
	if (driven(in, 1))
		builtin(l, SYSVAL_frag_stencil, IR_I32, 0, ik(l, IR_iand, lift_dword(l, &in->src[1], 0), 255));
	if (driven(in, 2))
		builtin(l, SYSVAL_sample_mask_out, IR_I32, 0, lift_dword(l, &in->src[2], 0));
	if (driven(in, 3))
		lift_refuse(l, "alpha in a depth export");
}

/* A fragment export with vm tells which pixels live: those whose EXEC bit is set. The others are discarded where the
 * state lets the program discard. */
void lift_exp(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	unsigned t = in->target;

	(void)r;
	if (l->fn->stage == STAGE_FRAGMENT) {
		if (in->vm && l->facts->can_discard)
			op1(l, IR_demote, IR_VOID, lift_not(l, lift_exec(l)));
		if (t < 8)
			export_color(l, t);
		else if (t == 8)
			export_depth(l);
		else if (t != 9)
			lift_refuse(l, "export to target %u", t);
		return;
	}
	if (l->fn->stage != STAGE_VERTEX)
		lift_refuse(l, "export in this stage");
	else if (t == 12)
		export_position(l);
	else if (t > 12 && t < 17)
		export_extra(l);
	else if (t >= 32 && t < 64)
		export_param(l, t - 32);
	else if (t != 9)
		lift_refuse(l, "export to target %u", t);
}

/* ---- interpolation: witnesses for the host-interpolation checker */

/* What lies behind the attributes that the record names may as well be one of those, and what is named another. */
static bool attribute_known(struct amd_lift *l)
{
	facts_read(l->facts, STATE_INPUT_MAP);
	if (l->in->attr < l->facts->ninput)
		return true;
	lift_fail(l, DIAG_FACT, l->in->offset_in_code, "the program reads attribute %u, the record says of %u what they are", l->in->attr,
	          l->facts->ninput);
	return false;
}

void lift_interp(struct amd_lift *l, const struct lift_row *r) /* op: interp_p1, interp_p2 */
{
	const struct amd_inst *in = l->in;
	ir_id c = lift_word(l, IR_F32, &in->src[0]), v;

	if (!attribute_known(l))
		return;
	if (r->op == IR_interp_p1)
		v = lift_f1(l, IR_interp_p1, IR_F32, c);
	else
		v = lift_f2(l, IR_interp_p2, IR_F32, c, lift_vacc(l, IR_F32));
	l->fn->inst[v].imm = in->attr * 4u + in->chan;
	lift_vdst(l, v, IR_F32);
}

void lift_interp_mov(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;

	(void)r;
	if (!attribute_known(l))
		return;
	ir_id v = ir_op0(l->fn, IR_interp_mov, IR_F32);
	l->fn->inst[v].sub = (uint16_t)(in->src[0].value & 3);
	l->fn->inst[v].imm = in->attr * 4u + in->chan;
	lift_vdst(l, v, IR_F32);
}
