/* emit_lane.c - operations between lanes, barriers, demotion.
 *
 * A guest wave is one host subgroup of the same size; compute lanes are numbered by local invocation index, and that host
 * subgroups follow this order is what pinning the subgroup size asks for. Quad operations work for any subgroup size.
 * Everything else is refused here (a pass may have lowered it before).
 */
#include "emit.h"

/* The host's subgroup is the guest's wave, or can be made so. */
static bool wave_ops(struct emit *e, const char *what, bool have)
{
	const struct fact_target *t = e->t;
	uint32_t wave = e->fn->wave;
	bool fixed = t->subgroup_size == wave && t->subgroup_min == wave && t->subgroup_max == wave;

	if (!have) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "%s needs a subgroup operation that the target lacks", what);
		return false;
	}
	if (!fixed && !(t->subgroup_pin && e->fn->stage == STAGE_COMPUTE && t->subgroup_min <= wave && wave <= t->subgroup_max)) {
		emit_refuse(e, DIAG_CROSS_LANE, "%s in a wave of %u; the target's subgroups have %u to %u", what, wave, t->subgroup_min,
		            t->subgroup_max);
		return false;
	}
	e->subgroup_size = wave;
	words_capability(&e->m, SpvCapabilityGroupNonUniform);
	return true;
}

uint32_t emit_lane_id(struct emit *e)
{
	const uint32_t *w = e->fn->workgroup;
	uint32_t u32 = emit_type(e, IR_I32), index;

	if (e->fn->stage != STAGE_COMPUTE) {
		if (!wave_ops(e, "the lane's number", true))
			return emit_undef(e, IR_I32);
		return emit_builtin_value(e, SYSVAL_lane_id);
	}
	index = emit_builtin_value(e, SYSVAL_local_index);
	if (w[0] * w[1] * w[2] <= e->fn->wave)
		return index;
	return E_OP(e, BitwiseAnd, u32, index, emit_u32(e, e->fn->wave - 1u));
}

static uint32_t subgroup(struct emit *e)
{
	return emit_u32(e, SpvScopeSubgroup);
}

/* The ballot as the wave's integer, in words. */
static void ballot(struct emit *e, uint32_t bit, uint32_t out[2])
{
	uint32_t v4 = emit_vec_type(e, IR_I32, 4), u32 = emit_type(e, IR_I32), v;

	words_capability(&e->m, SpvCapabilityGroupNonUniformBallot);
	v = E_OP(e, GroupNonUniformBallot, v4, subgroup(e), bit);
	out[0] = E_OP(e, CompositeExtract, u32, v, 0);
	out[1] = e->fn->wave == 64 ? E_OP(e, CompositeExtract, u32, v, 1) : 0;
}

/* b1 and sub-word values travel as words. */
static uint32_t travel(struct emit *e, ir_id v, ir_type *as)
{
	ir_type t = emit_inst(e, v)->type;

	*as = t;
	if (ir_base(t) == IR_B1) {
		*as = IR_I32;
		return E_OP(e, Select, emit_type(e, IR_I32), emit_get(e, v), emit_u32(e, 1), emit_u32(e, 0));
	}
	if (ir_bits(t) < 32) {
		*as = IR_I32;
		return emit_get_u32(e, v);
	}
	return emit_get(e, v);
}

static uint32_t arrive(struct emit *e, uint32_t v, ir_type t)
{
	uint32_t type = emit_type(e, t);

	if (ir_base(t) == IR_B1)
		return E_OP(e, INotEqual, type, v, emit_u32(e, 0));
	if (ir_bits(t) < 32) {
		v = E_OP(e, UConvert, emit_type(e, ir_int_of_bits(ir_bits(t))), v);
		return ir_is_float(t) ? E_OP(e, Bitcast, type, v) : v;
	}
	return v;
}

static uint32_t lane_of_first(struct emit *e, uint32_t mask)
{
	uint32_t u32 = emit_type(e, IR_I32), b1 = emit_type(e, IR_B1), zero = emit_u32(e, 0), h[2], lo, hi;

	ballot(e, mask, h);
	lo = E_EXT(e, FindILsb, u32, h[0]);
	if (e->fn->wave == 64) {
		hi = E_OP(e, IAdd, u32, E_EXT(e, FindILsb, u32, h[1]), emit_u32(e, 32));
		lo = E_OP(e, Select, u32, E_OP(e, INotEqual, b1, h[0], zero), lo, hi);
		h[0] = E_OP(e, BitwiseOr, u32, h[0], h[1]);
	}
	return E_OP(e, Select, u32, E_OP(e, IEqual, b1, h[0], zero), zero, lo); /* no lane: lane 0 */
}

/* Is `lane` this lane's number with some bits turned over? */
static bool opposite(const struct emit *e, ir_id lane, uint64_t *bits)
{
	const struct ir_inst *x = emit_inst(e, lane);

	return x->op == IR_ixor && emit_inst(e, x->a[0])->op == IR_sysval && emit_inst(e, x->a[0])->sub == SYSVAL_lane_id &&
	       emit_is_const(e, x->a[1], bits) && *bits < e->fn->wave;
}

static void read_lane(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type, as;
	uint32_t v, lane, type, u32 = emit_type(e, IR_I32);
	uint64_t k;
	bool first = i->op == IR_readfirst, all = emit_is_const(e, i->a[0], &k) && k;
	const struct fact_target *f = e->t;

	if (!wave_ops(e, ir_ops[i->op].name, first && all ? f->subgroup_ballot : f->subgroup_shuffle && f->subgroup_ballot)) {
		e->val[id] = emit_undef(e, t);
		return;
	}
	v = travel(e, i->a[1], &as);
	type = emit_type(e, as);
	if (first && all) {
		words_capability(&e->m, SpvCapabilityGroupNonUniformBallot);
		v = E_OP(e, GroupNonUniformBroadcastFirst, type, subgroup(e), v);
	} else {
		if (first)
			lane = lane_of_first(e, emit_get(e, i->a[0]));
		else if (emit_max(e, i->a[2], 4) < e->fn->wave)
			lane = emit_get(e, i->a[2]);
		else
			lane = E_OP(e, BitwiseAnd, u32, emit_get(e, i->a[2]), emit_u32(e, e->fn->wave - 1u));
		if (!first && emit_is_const(e, i->a[2], &k)) {
			words_capability(&e->m, SpvCapabilityGroupNonUniformBallot);
			lane = emit_u32(e, (uint32_t)k & (e->fn->wave - 1u));
			v = E_OP(e, GroupNonUniformBroadcast, type, subgroup(e), v, lane);
		} else if (opposite(e, i->a[2], &k)) { /* drivers have moves for some of these */
			words_capability(&e->m, SpvCapabilityGroupNonUniformShuffle);
			v = E_OP(e, GroupNonUniformShuffleXor, type, subgroup(e), v, emit_u32(e, (uint32_t)k));
		} else {
			words_capability(&e->m, SpvCapabilityGroupNonUniformShuffle);
			v = E_OP(e, GroupNonUniformShuffle, type, subgroup(e), v, lane);
		}
	}
	e->val[id] = arrive(e, v, t);
}

static bool quad_ops(struct emit *e)
{
	if (!e->t->subgroup_quad) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "the target has no quad operations");
		return false;
	}
	words_capability(&e->m, SpvCapabilityGroupNonUniform);
	words_capability(&e->m, SpvCapabilityGroupNonUniformQuad);
	return true;
}

/* Is this lane, by its place in the quad, in the set? Any subgroup starts on a whole quad. */
static uint32_t quad_lanes(struct emit *e, unsigned set)
{
	uint32_t u32 = emit_type(e, IR_I32), v = emit_builtin_value(e, SYSVAL_lane_id);
	unsigned bits = set == 10 ? 1 : set == 12 ? 2 : 3;

	v = E_OP(e, BitwiseAnd, u32, v, emit_u32(e, bits));
	if (bits == 3)
		v = E_OP(e, BitwiseAnd, u32, E_OP(e, ShiftRightLogical, u32, emit_u32(e, set), v), emit_u32(e, 1));
	return E_OP(e, INotEqual, emit_type(e, IR_B1), v, emit_u32(e, 0));
}

/* Each lane's value is one of a lane beside it, across or its own: exchanges, and a choice among them. */
static uint32_t quad_value(struct emit *e, uint32_t type, uint32_t v, unsigned perm)
{
	uint32_t out = 0;

	if (perm == (perm & 3) * 0x55)
		return E_OP(e, GroupNonUniformQuadBroadcast, type, subgroup(e), v, emit_u32(e, perm & 3));
	for (unsigned x = 0; x < 4; x++) {
		unsigned set = 0;
		for (unsigned k = 0; k < 4; k++)
			set |= (perm >> 2 * k & 3) == (k ^ x) ? 1u << k : 0;
		if (!set)
			continue;
		uint32_t from = x ? E_OP(e, GroupNonUniformQuadSwap, type, subgroup(e), v, emit_u32(e, x - 1)) : v;
		if (!out)
			out = from;
		else if (set & 1)
			out = E_OP(e, Select, type, quad_lanes(e, set ^ 15), out, from);
		else
			out = E_OP(e, Select, type, quad_lanes(e, set), from, out);
	}
	return out;
}

static void quad(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type, as = IR_I32;
	uint32_t v, r = 0, type;
	bool any = i->op == IR_quadany;

	if (!quad_ops(e)) {
		e->val[id] = emit_undef(e, t);
		return;
	}
	v = travel(e, i->a[any ? 0 : 1], &as);
	type = emit_type(e, as);
	if (!any)
		r = quad_value(e, type, v, (unsigned)i->imm & 255);
	else
		for (unsigned k = 0; k < 2; k++) { /* horizontal, then vertical */
			r = E_OP(e, GroupNonUniformQuadSwap, type, subgroup(e), v, emit_u32(e, k));
			v = r = E_OP(e, BitwiseOr, type, v, r);
		}
	e->val[id] = arrive(e, r, t);
}

static void vote(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type;
	uint32_t h[2], bit;

	if (!wave_ops(e, ir_ops[i->op].name, i->op == IR_any ? e->t->subgroup_vote : e->t->subgroup_ballot)) {
		e->val[id] = emit_undef(e, t);
		return;
	}
	bit = emit_get(e, i->a[0]);
	if (i->op == IR_any) {
		words_capability(&e->m, SpvCapabilityGroupNonUniformVote);
		e->val[id] = E_OP(e, GroupNonUniformAny, emit_type(e, t), subgroup(e), bit);
		return;
	}
	ballot(e, bit, h);
	if (ir_bits(t) == 64)
		e->val[id] = emit_pack(e, t, h[0], e->fn->wave == 64 ? h[1] : emit_u32(e, 0));
	else
		e->val[id] = h[0];
}

/* The bit of the first of all lanes that are here: drivers know what happens under such a condition happens once. */
bool emit_elects(const struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id), *s = emit_inst(e, i->a[0]), *first, *all;
	uint64_t k;

	if (i->op != IR_lanebit || e->fn->stage != STAGE_COMPUTE || s->op != IR_shl || !emit_is_const(e, s->a[0], &k) || k != 1)
		return false;
	first = emit_inst(e, s->a[1]);
	first = first->op == IR_zext ? emit_inst(e, first->a[0]) : first;
	all = first->op == IR_ctz ? emit_inst(e, first->a[0]) : first;
	return all->op == IR_ballot && emit_mask_true(e, all->a[0]) && all->block == i->block;
}

static void lane_bit(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);

	if (emit_elects(e, id)) {
		if (wave_ops(e, "the first lane", true))
			e->val[id] = E_OP(e, GroupNonUniformElect, emit_type(e, IR_B1), subgroup(e));
		return;
	}
	ir_type t = emit_inst(e, i->a[0])->type;
	uint32_t v = emit_get(e, i->a[0]), type = emit_type(e, t), lane = emit_lane_id(e);

	v = E_OP(e, ShiftRightLogical, type, v, lane);
	v = E_OP(e, BitwiseAnd, type, v, emit_const(e, t, 1));
	e->val[id] = E_OP(e, INotEqual, emit_type(e, IR_B1), v, emit_const(e, t, 0));
}

static void derivative(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type;
	SpvOp op = i->op == IR_ddx ? i->imm ? SpvOpDPdxFine : SpvOpDPdxCoarse : i->imm ? SpvOpDPdyFine : SpvOpDPdyCoarse;
	uint32_t v = emit_get(e, i->a[0]);

	if (e->fn->stage != STAGE_FRAGMENT || ir_base(t) != IR_F32) {
		emit_refuse(e, DIAG_CROSS_LANE, "a derivative outside of a fragment program, or not of 32 bits");
		e->val[id] = emit_undef(e, t);
		return;
	}
	words_capability(&e->m, SpvCapabilityDerivativeControl);
	e->val[id] = emit_op(e, op, emit_type(e, t), &v, 1);
}

/* One capability stands for two features. Where a wave is put together of several subgroups, its first lane may be another one's the next
 * time: what those read is comparable on the device's clock only. */
static void read_clock(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool device = i->imm || (e->fn->stage == STAGE_COMPUTE && e->t->subgroup_max < e->fn->wave);
	uint32_t scope = emit_u32(e, device ? SpvScopeDevice : SpvScopeSubgroup);

	words_capability(&e->m, SpvCapabilityShaderClockKHR);
	words_extension(&e->m, "SPV_KHR_shader_clock");
	if (device)
		emit_feature(e, e->t->device_clock, SPIRV_shaderDeviceClock);
	else
		emit_feature(e, e->t->subgroup_clock, SPIRV_shaderSubgroupClock);
	e->val[id] = emit_op(e, SpvOpReadClockKHR, emit_type(e, i->type), &scope, 1);
}

void emit_lane_op(struct emit *e, ir_id id)
{
	switch (emit_inst(e, id)->op) {
	case IR_any: case IR_ballot: vote(e, id); break;
	case IR_lanebit: lane_bit(e, id); break;
	case IR_ddx: case IR_ddy: derivative(e, id); break;
	case IR_clock: read_clock(e, id); break;
	case IR_quad: case IR_quadany: quad(e, id); break;
	default: read_lane(e, id);
	}
}

/* sub: execution scope | memory scope << 4 | spaces << 8 (1 shared, 2 device, 4 image); acquire and release. */
void emit_barrier(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned exec = i->sub & 15, mem = i->sub >> 4 & 15, spaces = i->sub >> 8;
	uint32_t s = 0;

	if (spaces & 1)
		s |= SpvMemorySemanticsWorkgroupMemoryMask;
	if (spaces & 2)
		s |= SpvMemorySemanticsUniformMemoryMask;
	if (spaces & 4)
		s |= SpvMemorySemanticsImageMemoryMask;
	if (s)
		s |= SpvMemorySemanticsAcquireReleaseMask;
	if (s && e->vulkan_model)
		s |= SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask;
	if (exec > SCOPE_GROUP || (exec == SCOPE_GROUP && e->fn->stage != STAGE_COMPUTE)) {
		emit_refuse(e, DIAG_CROSS_LANE, "a barrier that reaches past the workgroup");
		return;
	}
	if (exec == SCOPE_WAVE && !wave_ops(e, "a barrier of one wave", true))
		return;
	if (mem == SCOPE_LANE) /* no memory to order */
		mem = exec;
	if (exec > SCOPE_LANE)
		E_STMT(e, ControlBarrier, emit_u32(e, (uint32_t)emit_scope(e, exec)), emit_u32(e, (uint32_t)emit_scope(e, mem)),
		       emit_u32(e, s));
	else if (s)
		E_STMT(e, MemoryBarrier, emit_u32(e, (uint32_t)emit_scope(e, mem)), emit_u32(e, s));
}

/* A discard of every lane that comes, which has nothing behind it: the lane ends, as one that leaves the program
 * does. */
bool emit_ends(const struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	uint64_t k;

	return i->op == IR_demote && emit_is_const(e, i->a[0], &k) && k && emit_inst(e, i->next)->op == IR_ret;
}

/* Lanes whose bit is set become helpers. */
void emit_demote(struct emit *e, ir_id id)
{
	ir_id mask = ir_args(e->fn, id)[0];
	struct emit_guard g;
	uint64_t k;
	bool always = emit_is_const(e, mask, &k) && k;

	if (e->fn->stage != STAGE_FRAGMENT) {
		emit_refuse(e, DIAG_STAGE, "a discard outside of a fragment program");
		return;
	}
	if ((emit_is_const(e, mask, &k) && !k) || emit_ends(e, id))
		return;
	emit_need(e, e->t->demote, SpvCapabilityDemoteToHelperInvocation, "shaderDemoteToHelperInvocation");
	if (e->t->spirv < 0x00010600)
		words_extension(&e->m, "SPV_EXT_demote_to_helper_invocation");
	if (!always) { /* not emit_mask_true: a helper stays one, but the others must be asked */
		uint32_t then = words_id(&e->m), cond = emit_get(e, mask);
		g.merge = words_id(&e->m);
		E_STMT(e, SelectionMerge, g.merge, 0);
		E_STMT(e, BranchConditional, cond, then, g.merge);
		emit_new_label(e, then);
	}
	emit_stmt(e, SpvOpDemoteToHelperInvocation, NULL, 0);
	if (!always)
		emit_guard_end(e, &g, 0, NULL);
}
