/* nv_shift.c - shifts. `.w` takes counts modulo the width, else they saturate at it. */
#include "nv_lift.h"

/* op of 32 bits by `by`: modulo 32 with wrap, else as if by 32 from 32 on. */
static ir_id shift32(struct nv_lift *l, enum ir_op op, ir_id v, ir_id by, bool wrap)
{
	ir_id shifted = i2(l, op, v, by), past;

	if (wrap)
		return shifted;
	past = op == IR_ashr ? ik(l, IR_ashr, v, 31) : nv_c32(l, 0);
	return op3(l, IR_select, IR_I32, below(l, by, 32), shifted, past);
}

void lift_alu_shl(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), by = nv_int(l, 1);

	if (l->in->m[NVM_X])
		nv_refuse(l, "shift with a carry in");
	nv_set(l, 0, shift32(l, IR_shl, a, by, l->in->m[NVM_W]));
}

void lift_alu_shr(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0);

	if (l->in->m[NVM_X])
		nv_refuse(l, "shift with a carry in");
	if (l->in->m[NVM_REV])
		a = op1(l, IR_brev, IR_I32, a);
	nv_set(l, 0, shift32(l, l->in->m[NVM_SIGNED] ? IR_ashr : IR_lshr, a, nv_int(l, 1), l->in->m[NVM_W]));
}

/* shf shifts the pair (low, high) and keeps one word. With a constant count no 64-bit shift is needed. */
struct funnel {
	bool right, sign, keep_high;
	ir_id low, high;
};

static ir_id shift_const(struct nv_lift *l, enum ir_op op, ir_id v, unsigned by)
{
	return by ? ik(l, op, v, by) : v;
}

static ir_id funnel_const(struct nv_lift *l, const struct funnel *f, unsigned by) /* by 0-63 */
{
	enum ir_op shr = f->sign ? IR_ashr : IR_lshr;
	ir_id fill = f->sign ? ik(l, IR_ashr, f->high, 31) : nv_c32(l, 0);

	if (f->right && f->keep_high)
		return by < 32 ? shift_const(l, shr, f->high, by) : fill;
	if (!f->right && !f->keep_high)
		return by < 32 ? shift_const(l, IR_shl, f->low, by) : nv_c32(l, 0);
	if (f->right) {
		if (by >= 32)
			return shift_const(l, shr, f->high, by - 32);
		return by ? funnel(l, f->high, f->low, 32 - by) : f->low;
	}
	if (by >= 32)
		return shift_const(l, IR_shl, f->low, by - 32);
	return by ? funnel(l, f->high, f->low, by) : f->high;
}

static ir_id funnel_wide(struct nv_lift *l, const struct funnel *f, ir_id by, unsigned bits, bool wrap)
{
	enum ir_op op = f->right ? (f->sign ? IR_ashr : IR_lshr) : IR_shl;
	ir_id pair = op2(l, IR_pack64, IR_I64, f->low, f->high);
	ir_id count, v, past;

	if (wrap)
		count = ik(l, IR_iand, by, bits - 1);
	else
		count = i2(l, IR_umin, by, nv_c32(l, bits)); /* a count of 64 is taken care of below */
	v = op2(l, op, IR_I64, pair, op1(l, IR_zext, IR_I64, count));
	if (!wrap && bits == 64) {
		past = f->right && f->sign ? op2(l, IR_ashr, IR_I64, pair, ir_const(l->fn, IR_I64, 63)) : ir_const(l->fn,
			IR_I64, 0);
		v = op3(l, IR_select, IR_I64, op2(l, IR_ult, IR_B1, count, nv_c32(l, 64)), v, past);
	}
	return op1(l, f->keep_high ? IR_hi64 : IR_lo64, IR_I32, v);
}

void lift_alu_shf(struct nv_lift *l)
{
	enum { I64, U64, I32, U32 }; /* NVM_SHFT */
	const uint8_t *m = l->in->m;
	unsigned type = m[NVM_SHFT], bits = type == I64 || type == U64 ? 64 : 32;
	bool wrap = m[NVM_W];
	ir_id low = nv_int(l, 0), by = nv_int(l, 1), high = nv_int(l, 2);
	struct funnel f = {m[NVM_RIGHT], type == I64 || type == I32, m[NVM_HIGH], low, high};
	uint64_t k;

	if (m[NVM_X]) {
		nv_refuse(l, "shift with a carry in");
		return;
	}
	if (ir_is_const(l->fn, by, &k)) {
		k = wrap ? k & (bits - 1) : k < bits ? k : bits;
		if (k < 64) {
			nv_set(l, 0, funnel_const(l, &f, (unsigned)k));
			return;
		}
	} else if (bits == 32 && f.right == f.keep_high) { /* one word decides */
		enum ir_op op = f.right ? (f.sign ? IR_ashr : IR_lshr) : IR_shl;

		nv_set(l, 0, shift32(l, op, f.right ? f.high : f.low, by, wrap));
		return;
	}
	nv_set(l, 0, funnel_wide(l, &f, by, bits, wrap));
}
