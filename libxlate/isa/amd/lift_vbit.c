/* lift_vbit.c - vector bit operations and those that cross lanes. */
#include "lift_amd.h"

static ir_id vs(struct amd_lift *l, unsigned i)
{
	return lift_vsrc(l, i, IR_I32);
}

void lift_v_shift64(struct amd_lift *l, const struct lift_row *r) /* REV: the amount comes first */
{
	unsigned amount = r->arg & REV ? 0 : 1;
	ir_id n = op1(l, IR_zext, IR_I64, vs(l, amount)), v = lift_vsrc(l, 1 - amount, IR_I64);

	lift_vdst(l, op2(l, r->op, IR_I64, v, n), IR_I64);
}

void lift_v_bfe(struct amd_lift *l, const struct lift_row *r) /* op: ubfe, sbfe */
{
	ir_id v = vs(l, 0), off = ik(l, IR_iand, vs(l, 1), 31), width = ik(l, IR_iand, vs(l, 2), 31);
	ir_id f = op3(l, r->op, IR_I32, v, off, width);

	lift_vdst(l, f, IR_I32);
}

void lift_v_bfi(struct amd_lift *l, const struct lift_row *r)
{
	ir_id m = vs(l, 0), a = vs(l, 1), b = vs(l, 2);

	(void)r;
	a = i2(l, IR_iand, m, a);
	b = i2(l, IR_iand, op1(l, IR_inot, IR_I32, m), b);
	lift_vdst(l, i2(l, IR_ior, a, b), IR_I32);
}

void lift_v_bfm(struct amd_lift *l, const struct lift_row *r)
{
	ir_id n = ik(l, IR_iand, vs(l, 0), 31), s = vs(l, 1), one = lift_c32(l, 1);

	(void)r;
	lift_vdst(l, i2(l, IR_shl, i2(l, IR_isub, i2(l, IR_shl, one, n), one), s), IR_I32);
}

/* low dword of {a, b} >> amount; count: bits per step, 1 or 8 */
void lift_v_align(struct amd_lift *l, const struct lift_row *r)
{
	ir_id hi = vs(l, 0), lo = vs(l, 1), n = ik(l, IR_iand, vs(l, 2), lift_count(r) == 8 ? 3 : 31);

	if (lift_count(r) == 8)
		n = ik(l, IR_shl, n, 3);
	ir_id both = op2(l, IR_pack64, IR_I64, lo, hi), v = op2(l, IR_lshr, IR_I64, both, op1(l, IR_zext, IR_I64, n));
	lift_vdst(l, op1(l, IR_lo64, IR_I32, v), IR_I32);
}

/* Bytes by selector: 0-3 of source 1, 4-7 of source 0, 8-11 the sign of source 1's and source 0's halves, 12 is 0,
 * above all ones. */
void lift_v_perm(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = vs(l, 0), b = vs(l, 1), sel = vs(l, 2), both = op2(l, IR_pack64, IR_I64, b, a), v = lift_c32(l, 0);

	(void)r;
	for (unsigned i = 0; i < 4; i++) {
		ir_id s = lift_ubfe(l, sel, 8 * i, 8, false);
		ir_id shift = op1(l, IR_zext, IR_I64, ik(l, IR_shl, ik(l, IR_iand, s, 7), 3));
		ir_id byte = ik(l, IR_iand, op1(l, IR_lo64, IR_I32, op2(l, IR_lshr, IR_I64, both, shift)), 255);
		/* selector 8 + k: bit 16 k + 15 of the pair */
		ir_id at = op1(l, IR_zext, IR_I64, ik(l, IR_ior, ik(l, IR_shl, ik(l, IR_iand, s, 3), 4), 15));
		ir_id top = ik(l, IR_iand, op1(l, IR_lo64, IR_I32, op2(l, IR_lshr, IR_I64, both, at)), 1);
		ir_id sign = ik(l, IR_iand, op1(l, IR_ineg, IR_I32, top), 255);
		ir_id zero = bk(l, IR_ieq, s, 12), high = k_where(l, zero, 0, lift_c32(l, 255));
		high = op3(l, IR_select, IR_I32, bk(l, IR_ult, s, 12), sign, high);
		byte = op3(l, IR_select, IR_I32, bk(l, IR_ult, s, 8), byte, high);
		v = i2(l, IR_ior, v, ik(l, IR_shl, byte, 8 * i));
	}
	lift_vdst(l, v, IR_I32);
}

void lift_v_ffb(struct amd_lift *l, const struct lift_row *r) /* op: clz, ctz; SIGNED; none: -1 */
{
	ir_id a = vs(l, 0);

	if (r->arg & SIGNED)
		a = i2(l, IR_ixor, a, ik(l, IR_ashr, a, 31));
	ir_id n = op1(l, r->op, IR_I32, a), none = bk(l, IR_ieq, a, 0);
	lift_vdst(l, op3(l, IR_select, IR_I32, none, lift_c32(l, UINT32_MAX), n), IR_I32);
}

void lift_v_bcnt(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = vs(l, 0), b = vs(l, 1);

	(void)r;
	lift_vdst(l, i2(l, IR_iadd, op1(l, IR_popc, IR_I32, a), b), IR_I32);
}

/* Bits of a mask half below this lane, plus source 1. HI: lanes 32 and up.
 * With all ones the count is the lane number itself: min(lane, 32), max(lane, 32) - 32, or their sum for the pair. */
void lift_v_mbcnt(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	ir_id m = vs(l, 0), base = vs(l, 1), lane = lift_lane(l), n;
	bool hi = r->arg & HI, pair = false;
	uint64_t k;

	if (ir_is_const(l->fn, m, &k) && k == UINT32_MAX) {
		pair = hi && l->mbcnt.valid && in->src[1].kind == AMD_K_VGPR && in->src[1].index == l->mbcnt.vgpr;
		if (pair) {
			base = l->mbcnt.base;
			n = lane;
		} else if (l->wave == 32) {
			n = hi ? lift_c32(l, 0) : lane;
		} else if (hi) {
			n = ik(l, IR_isub, ik(l, IR_umax, lane, 32), 32);
		} else {
			n = ik(l, IR_umin, lane, 32);
		}
	} else {
		ir_id d[2];
		if (l->wave == 32) {
			d[0] = ik(l, IR_isub, i2(l, IR_shl, lift_c32(l, 1), lane), 1);
			d[1] = lift_c32(l, 0);
		} else {
			ir_id one = ir_const(l->fn, IR_I64, 1);
			lift_split(l, op2(l, IR_isub, IR_I64, op2(l, IR_shl, IR_I64, one, op1(l, IR_zext, IR_I64, lane)), one), d);
		}
		n = op1(l, IR_popc, IR_I32, i2(l, IR_iand, m, d[hi]));
	}
	lift_vdst(l, i2(l, IR_iadd, base, n), IR_I32);
	if (!hi && ir_is_const(l->fn, m, &k) && k == UINT32_MAX && l->wave == 64 && in->dst[0].kind == AMD_K_VGPR) {
		l->mbcnt.valid = true;
		l->mbcnt.vgpr = in->dst[0].index;
		l->mbcnt.base = base;
	}
}

/* Of lane 0 where EXEC is zero (RDNA 2 instruction set, V_READFIRSTLANE_B32): what it holds, not what the lanes of EXEC do. */
void lift_v_readfirst(struct amd_lift *l, const struct lift_row *r)
{
	(void)r;
	l->whole = true;
	ir_id v = vs(l, 0), x = op2(l, IR_readfirst, IR_I32, lift_exec(l), v);

	lift_set_scalar(l, &l->in->dst[0], &x);
}

void lift_v_readlane(struct amd_lift *l, const struct lift_row *r)
{
	l->whole = true;
	ir_id v = lift_dword(l, &l->in->src[0], 0), n = ik(l, IR_iand, lift_dword(l, &l->in->src[1], 0), l->wave - 1);
	ir_id x = op3(l, IR_readlane, IR_I32, lift_exec(l), v, n);

	(void)r;
	lift_set_scalar(l, &l->in->dst[0], &x);
}

void lift_v_writelane(struct amd_lift *l, const struct lift_row *r) /* whatever EXEC is */
{
	unsigned d = l->in->dst[0].index;

	l->whole = true;
	ir_id v = lift_dword(l, &l->in->src[0], 0), n = ik(l, IR_iand, lift_dword(l, &l->in->src[1], 0), l->wave - 1);

	(void)r;
	if (lift_is_shared(l, d))
		lift_refuse(l, "a lane of a register that both halves of the wave share");
	ir_id old = lift_vgpr(l, d), here = b2(l, IR_ieq, lift_lane(l), n);
	lift_set_vgpr_all(l, d, op3(l, IR_select, IR_I32, here, v, old));
}

void lift_v_swap(struct amd_lift *l, const struct lift_row *r)
{
	unsigned d = l->in->dst[0].index, s = l->in->src[0].index;
	ir_id a = lift_vgpr(l, d), b = lift_vgpr(l, s);

	(void)r;
	lift_set_vgpr(l, d, b);
	if (s != d)
		lift_set_vgpr(l, s, a);
}

/* 64-bit selector of 16 nibbles: the lane of the row to read. HI: of the other row of the pair. op_sel bit 0: fetch
 * from lanes that are off; bit 1: such lanes read 0, else do not write. */
void lift_v_permlane(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;

	l->whole = true;
	ir_id lane = lift_lane(l), v = vs(l, 0);
	ir_id lo = lift_dword(l, &in->src[1], 0), hi = lift_dword(l, &in->src[2], 0), sel = op2(l, IR_pack64, IR_I64, lo, hi);
	ir_id shift = op1(l, IR_zext, IR_I64, ik(l, IR_shl, ik(l, IR_iand, lane, 15), 2));
	ir_id n = ik(l, IR_iand, op1(l, IR_lo64, IR_I32, op2(l, IR_lshr, IR_I64, sel, shift)), 15);
	ir_id row = ik(l, IR_iand, lane, ~15u);

	if (r->arg & HI)
		row = ik(l, IR_ixor, row, 16);
	ir_id index = i2(l, IR_ior, row, n), x = op3(l, IR_shuffle, IR_I32, lift_exec(l), v, index);
	if (!(in->op_sel & 1)) {
		ir_id on = op3(l, IR_shuffle, IR_B1, l->yes, lift_exec(l), index);
		if (in->op_sel & 2)
			x = op3(l, IR_select, IR_I32, on, x, lift_c32(l, 0));
		else
			l->enable = on;
	}
	lift_set_vgpr(l, in->dst[0].index, x);
}

/* ---- a choice only moves bits: they are of the type that they have */
/* Source i, and its type: none where it is a constant, which is of any. */
static ir_id moved(struct amd_lift *l, unsigned i, ir_type *t)
{
	const struct amd_opnd *o = &l->in->src[i];
	bool as_it_is = o->kind == AMD_K_VGPR && lift_is_plain(l->in);
	ir_id v = as_it_is ? lift_vgpr_any(l, o->index) : lift_vsrc(l, i, IR_I32);

	*t = l->fn->inst[v].op == IR_const ? IR_VOID : l->fn->inst[v].type;
	return v;
}

void lift_v_cndmask(struct amd_lift *l, const struct lift_row *r)
{
	ir_type ta, tb;
	ir_id a = moved(l, 0, &ta), b = moved(l, 1, &tb), m = lift_active(l, lift_mask(l, &l->in->src[2]));
	bool floats = (ta == IR_F32 && tb == IR_F32) || (ta == IR_F32 && tb == IR_VOID) || (ta == IR_VOID && tb == IR_F32);
	ir_type t = floats ? IR_F32 : IR_I32;

	(void)r;
	lift_vdst(l, op3(l, IR_select, t, m, lift_cast(l, t, b), lift_cast(l, t, a)), t);
}
