/* nv_lane.c - what lanes know of themselves and of each other. */
#include "nv_lift.h"

/* System value numbers of s2r. Source: design page nvk-abi, section 6. */
enum {
	SR_LANE = 0x00, SR_TID = 0x20, SR_TID_X, SR_TID_Y, SR_TID_Z, SR_CTA_X = 0x25, SR_CTA_Y, SR_CTA_Z, SR_EQ = 0x38,
		SR_LT, SR_LE,
	SR_GT, SR_GE,
};

/* Bits of the lanes that compare with this one. */
static ir_id lane_mask(struct nv_lift *l, unsigned sr)
{
	ir_id lane = nv_lane(l), one = i2(l, IR_shl, nv_c32(l, 1), lane), lower = ik(l, IR_isub, one, 1);

	switch (sr) {
	case SR_EQ: return one;
	case SR_LT: return lower;
	case SR_LE: return i2(l, IR_ior, lower, one);
	case SR_GT: return op1(l, IR_inot, IR_I32, i2(l, IR_ior, lower, one));
	default: return op1(l, IR_inot, IR_I32, lower);
	}
}

void lift_alu_s2r(struct nv_lift *l)
{
	unsigned sr = (unsigned)l->in->imm;
	ir_id v;

	switch (sr) {
	case SR_LANE: v = nv_lane(l); break;
	case SR_TID_X:
	case SR_TID_Y:
	case SR_TID_Z: v = nv_sysval(l, SYSVAL_local_id, sr - SR_TID_X); break;
	case SR_TID: /* x | y << 16 | z << 26 */
		v = nv_sysval(l, SYSVAL_local_id, 0);
		v = i2(l, IR_ior, v, ik(l, IR_shl, nv_sysval(l, SYSVAL_local_id, 1), 16));
		v = i2(l, IR_ior, v, ik(l, IR_shl, nv_sysval(l, SYSVAL_local_id, 2), 26));
		break;
	case SR_CTA_X:
	case SR_CTA_Y:
	case SR_CTA_Z: v = nv_sysval(l, SYSVAL_workgroup_id, sr - SR_CTA_X); break;
	case SR_EQ:
	case SR_LT:
	case SR_LE:
	case SR_GT:
	case SR_GE: v = lane_mask(l, sr); break;
	default: nv_refuse(l, "system value 0x%x", sr); return;
	}
	nv_set(l, 0, v);
}

void lift_alu_r2ur(struct nv_lift *l)
{
	ir_id v = nv_int(l, 0);

	nv_set(l, 0, op2(l, IR_readfirst, IR_I32, nv_bool(l, true), v));
}

void lift_alu_vote(struct nv_lift *l)
{
	enum { ALL, ANY, EQ };
	ir_id p = nv_pred(l, 0), mask = nv_mask(l), in, out, v, w;

	in = l->guard ? b2(l, IR_iand, p, mask) : p;                   /* participates and holds */
	out = l->guard ? b2(l, IR_iand, not1(l, p), mask) : not1(l, p); /* participates and does not */
	if (!nv_discards(&l->in->dst[0]))
		nv_set(l, 0, op1(l, IR_ballot, IR_I32, in));
	if (nv_discards(&l->in->dst[1]))
		return;
	switch (l->in->m[NVM_VOTE]) {
	case ALL: v = not1(l, op1(l, IR_any, IR_B1, out)); break;
	case ANY: v = op1(l, IR_any, IR_B1, in); break;
	default:
		v = op1(l, IR_any, IR_B1, in);
		w = op1(l, IR_any, IR_B1, out);
		v = not1(l, b2(l, IR_iand, v, w));
	}
	nv_set(l, 1, v);
}

/* ---- shfl. c holds the clamp (bits 0-4) and the segment mask (bits 8-12). */

/* Within quads and with a constant lane: four 2-bit source lanes, or -1. */
static int quad_swizzle(unsigned mode, unsigned lane, unsigned c)
{
	int swz = 0;

	if (c != 0x1c03)
		return -1;
	for (unsigned i = 0; i < 4; i++) {
		unsigned from;

		switch (mode) {
		case NV_SHFL_IDX: from = lane; break;
		case NV_SHFL_BFLY: from = i ^ lane; break;
		default: return -1;
		}
		if (from > 3)
			return -1;
		swz |= (int)(from << 2 * i);
	}
	return swz;
}

struct shuffle {
	unsigned mode;
	ir_id src, lane, c;
};

/* v & k, and v | w, where that is nothing new: segments and clamps are mostly constant. */
static ir_id and_k(struct nv_lift *l, ir_id v, uint32_t k)
{
	uint64_t c;

	return ir_is_const(l->fn, v, &c) ? nv_c32(l, (uint32_t)c & k) : ik(l, IR_iand, v, k);
}

static ir_id and2(struct nv_lift *l, ir_id v, ir_id w)
{
	uint64_t c;

	if (!ir_is_const(l->fn, w, &c))
		return i2(l, IR_iand, v, w);
	return c == UINT32_MAX ? v : c ? and_k(l, v, (uint32_t)c) : w;
}

static ir_id or2(struct nv_lift *l, ir_id v, ir_id w)
{
	uint64_t c;

	return ir_is_const(l->fn, v, &c) && !c ? w : i2(l, IR_ior, v, w);
}

static void shuffle_wide(struct nv_lift *l, const struct shuffle *s)
{
	uint64_t c;
	bool known = ir_is_const(l->fn, s->c, &c);
	ir_id seg = known ? nv_c32(l, c >> 8 & 31) : ik(l, IR_iand, ik(l, IR_lshr, s->c, 8), 31);
	ir_id free_bits = known ? nv_c32(l, ~(uint32_t)(c >> 8 & 31)) : op1(l, IR_inot, IR_I32, seg);
	ir_id self = nv_lane(l), lane = and_k(l, s->lane, 31), min = and2(l, self, seg), from, ok;
	ir_id max = or2(l, min, and2(l, and_k(l, s->c, 31), free_bits));

	switch (s->mode) {
	case NV_SHFL_IDX: from = or2(l, min, and2(l, lane, free_bits)); break;
	case NV_SHFL_UP: from = i2(l, IR_isub, self, lane); break;
	case NV_SHFL_DOWN: from = i2(l, IR_iadd, self, lane); break;
	default: from = i2(l, IR_ixor, self, lane); break;
	}
	ok = s->mode == NV_SHFL_UP ? op2(l, IR_sle, IR_B1, max, from) : op2(l, IR_sle, IR_B1, from, max);
	from = op3(l, IR_select, IR_I32, ok, from, self);
	if (!nv_discards(&l->in->dst[0]))
		nv_set(l, 0, op3(l, IR_shuffle, IR_I32, nv_mask(l), s->src, from));
	nv_set(l, 1, ok);
}

void lift_alu_shfl(struct nv_lift *l)
{
	ir_id src = nv_int(l, 0), from = nv_int(l, 1), clamp = nv_int(l, 2);
	struct shuffle s = {l->in->m[NVM_SHFL], src, from, clamp};
	uint64_t lane, c;
	int swz = -1;

	if (ir_is_const(l->fn, s.lane, &lane) && ir_is_const(l->fn, s.c, &c))
		swz = quad_swizzle(s.mode, (unsigned)lane, (unsigned)c);
	if (swz >= 0) {
		ir_id v = op2(l, IR_quad, IR_I32, nv_mask(l), s.src);

		l->fn->inst[v].imm = (uint64_t)swz;
		nv_set(l, 0, v);
		nv_set(l, 1, nv_bool(l, true));
		return;
	}
	shuffle_wide(l, &s);
}
