/* emit_conv.c - conversions that SPIR-V leaves undefined out of range, packing, and rounding to zero. */
#include "emit.h"

#include <string.h>

static uint64_t double_bits(double v)
{
	uint64_t b;

	memcpy(&b, &v, sizeof b);
	return b;
}

static uint32_t float_const(struct emit *e, ir_type t, double v)
{
	uint32_t b;
	float f = (float)v;

	if (ir_base(t) == IR_F64)
		return emit_const(e, t, double_bits(v));
	memcpy(&b, &f, sizeof b);
	return emit_const(e, t, b);
}

static double power_of_two(unsigned n)
{
	double v = 1;

	while (n--)
		v *= 2;
	return v;
}

/* Float to integer: truncate, saturate, NaN to 0. The value is clamped to the largest float inside the range first; a
 * float past it is replaced after. NClamp gives its minimum for NaN, which is right for unsigned results already. A value that is known
 * to be within needs none of it. */
static uint32_t to_int(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool sign = i->op == IR_f2s;
	ir_type t = i->type, from = emit_inst(e, i->a[0])->type;
	unsigned w = ir_bits(t), mant;
	uint32_t x = emit_get(e, i->a[0]), v, b1 = emit_type(e, IR_B1), type = emit_type(e, t);
	double past = power_of_two(w - sign), low = sign ? -past : 0, high;

	if (ir_base(from) == IR_F16) {
		x = E_OP(e, FConvert, emit_type(e, IR_F32), x);
		from = IR_F32;
	}
	struct emit_range r = emit_range(e, emit_inst(e, id)->a[0], RANGE_DEPTH);
	if (!r.nan && r.low > (sign ? low - 1 : -1) && r.high < past) {
		emit_computes(e, from);
		return emit_op(e, sign ? SpvOpConvertFToS : SpvOpConvertFToU, type, &x, 1);
	}
	mant = ir_base(from) == IR_F64 ? 53 : 24;
	high = w - sign <= mant ? past - 1 : past - power_of_two(w - sign - mant);
	v = E_EXT(e, NClamp, emit_type(e, from), x, float_const(e, from, low), float_const(e, from, high));
	v = emit_op(e, sign ? SpvOpConvertFToS : SpvOpConvertFToU, type, &v, 1);
	if (w - sign > mant) {
		uint32_t over = E_OP(e, FOrdGreaterThanEqual, b1, x, float_const(e, from, past));
		v = E_OP(e, Select, type, over, emit_const(e, t, UINT64_MAX >> (64 - w + sign)), v);
	}
	if (sign)
		v = E_OP(e, Select, type, E_OP(e, IsNan, b1, x), emit_const(e, t, 0), v);
	emit_computes(e, from);
	return v;
}

static uint32_t extend(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool sign = i->op == IR_sext;
	ir_type t = i->type;
	uint32_t x = emit_get(e, i->a[0]), type = emit_type(e, t);

	if (ir_base(emit_inst(e, i->a[0])->type) == IR_B1)
		return E_OP(e, Select, type, x, emit_const(e, t, sign ? UINT64_MAX : 1), emit_const(e, t, 0));
	return emit_op(e, sign ? SpvOpSConvert : SpvOpUConvert, type, &x, 1);
}

/* Round to zero, by the host's mode where nothing else is rounded to halves, else: convert to nearest, and where that grew step one back. Halves are sign and magnitude, so infinity steps
 * to the largest finite value. Any host rounding gives the same result. */
static uint32_t to_zero(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = i->type, from = emit_inst(e, i->a[0])->type, it = ir_int_of_bits(ir_bits(t));
	uint32_t wide = emit_type(e, from), x = emit_get(e, i->a[0]), h, grew, bits, type = emit_type(e, t), itype = emit_type(e, it);

	if (ir_bits(t) >= ir_bits(from)) /* widening is exact */
		return E_OP(e, FConvert, type, x);
	emit_computes(e, from);
	emit_computes(e, t);
	h = E_OP(e, FConvert, type, x);
	if (e->half_to_zero && ir_bits(t) == 16) {
		e->to_zero_op = true;
		return h;
	}
	grew = E_OP(e, FConvert, wide, h);
	grew = E_OP(e, FOrdGreaterThan, emit_type(e, IR_B1), E_EXT(e, FAbs, wide, grew), E_EXT(e, FAbs, wide, x));
	bits = E_OP(e, Bitcast, itype, h);
	bits = E_OP(e, ISub, itype, bits, E_OP(e, Select, itype, grew, emit_const(e, it, 1), emit_const(e, it, 0)));
	return E_OP(e, Bitcast, type, bits);
}

void emit_conv_op(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	uint32_t u32 = emit_type(e, IR_I32), a, b;

	switch (i->op) {
	case IR_zext: case IR_sext: e->val[id] = extend(e, id); break;
	case IR_f2s: case IR_f2u: e->val[id] = to_int(e, id); break;
	case IR_f2f_rtz: e->val[id] = to_zero(e, id); break;
	case IR_pack64:
		a = emit_get(e, i->a[0]);
		b = emit_get(e, i->a[1]);
		e->val[id] = emit_pack(e, IR_I64, a, b);
		break;
	case IR_hi64:
		a = E_OP(e, Bitcast, emit_type(e, IR_VEC(IR_I32, 2)), emit_get(e, i->a[0]));
		e->val[id] = E_OP(e, CompositeExtract, u32, a, 1);
		break;
	default: /* pack32 */
		a = emit_get(e, i->a[0]);
		b = emit_get(e, i->a[1]);
		a = E_OP(e, CompositeConstruct, emit_type(e, IR_VEC(IR_I16, 2)), a, b);
		e->val[id] = E_OP(e, Bitcast, u32, a);
	}
}
