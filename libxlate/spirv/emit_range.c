/* emit_range.c - bounds of a number by how it is computed, for conversions that need not saturate then, and powers of two that need no
 * steps. */
#include "emit.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct emit_range of_all(void)
{
	return (struct emit_range){ -HUGE_VAL, HUGE_VAL, true };
}

/* What rounding may have moved, and more. */
static struct emit_range wider(struct emit_range r)
{
	double low = r.low - fabs(r.low) * 0x1p-20, high = r.high + fabs(r.high) * 0x1p-20;

	return isfinite(low) && isfinite(high) ? (struct emit_range){ low, high, r.nan } : of_all();
}

static bool constant(const struct emit *e, ir_id v, double *k)
{
	uint64_t bits;
	uint32_t word;
	float f;

	if (!emit_is_const(e, v, &bits))
		return false;
	if (ir_base(emit_inst(e, v)->type) == IR_F64) {
		memcpy(k, &bits, sizeof *k);
		return isfinite(*k);
	}
	word = (uint32_t)bits;
	memcpy(&f, &word, sizeof f);
	*k = f;
	return ir_base(emit_inst(e, v)->type) == IR_F32 && isfinite(f);
}

/* Of a value of type t times k plus c. What is too large for the type is infinite, and nothing brings that back. */
static struct emit_range scaled(ir_type t, struct emit_range r, double k, double c)
{
	double low = r.low * k, high = r.high * k, a = low + c, b = high + c, most = ir_base(t) == IR_F64 ? DBL_MAX : FLT_MAX;

	if (fabs(low) > most || fabs(high) > most || !isfinite(a) || !isfinite(b)) /* infinity times zero would be no number */
		return of_all();
	r = wider((struct emit_range){ a < b ? a : b, a < b ? b : a, r.nan });
	return r.low < -most || r.high > most ? of_all() : r;
}

static struct emit_range bounded(struct emit_range r, double k, bool top)
{
	if (top ? r.high > k : r.high < k)
		r.high = k;
	if (top ? r.low > k : r.low < k)
		r.low = k;
	r.nan = false; /* of one NaN: the other operand, which must lie within, too */
	return r;
}

/* fmin or fmax of a constant: a NaN becomes that constant. */
static struct emit_range extreme(struct emit_range r, double k, bool top)
{
	struct emit_range out = bounded(r, k, top);

	if (r.nan && out.low > k)
		out.low = k;
	if (r.nan && out.high < k)
		out.high = k;
	return out;
}

struct emit_range emit_range(const struct emit *e, ir_id id, unsigned depth)
{
	const struct ir_inst *i = emit_inst(e, id);
	struct emit_range r, s;
	double k, c;

	if (constant(e, id, &k))
		return (struct emit_range){ k, k, false };
	if (!depth || !ir_is_float(i->type))
		return of_all();
	depth--;
	switch (i->op) {
	case IR_fsat: return (struct emit_range){ 0, 1, false };
	case IR_sysval: /* a pixel's place: no more of them than a float can tell apart; quads start at even ones */
		if (i->sub != SYSVAL_frag_coord || ir_elems(i->type) != 1 || i->imm >= 2)
			return of_all();
		return (struct emit_range){ 0, 0x1p24, false };
	case IR_u2f: case IR_s2f:
		if (ir_bits(i->type) < 32)
			return of_all();
		k = ldexp(1, (int)ir_bits(emit_inst(e, i->a[0])->type));
		return (struct emit_range){ i->op == IR_s2f ? -k : 0, k, false };
	case IR_fmin: case IR_fmax:
		return constant(e, i->a[1], &k) ? extreme(emit_range(e, i->a[0], depth), k, i->op == IR_fmin) : of_all();
	case IR_fmul: return constant(e, i->a[1], &k) ? scaled(i->type, emit_range(e, i->a[0], depth), k, 0) : of_all();
	case IR_fadd: return constant(e, i->a[1], &k) ? scaled(i->type, emit_range(e, i->a[0], depth), 1, k) : of_all();
	case IR_ffma:
		if (!constant(e, i->a[1], &k) || !constant(e, i->a[2], &c))
			return of_all();
		return scaled(i->type, emit_range(e, i->a[0], depth), k, c);
	case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne:
		r = emit_range(e, i->a[0], depth);
		return (struct emit_range){ floor(r.low), ceil(r.high), r.nan };
	case IR_select:
		r = emit_range(e, i->a[1], depth);
		s = emit_range(e, i->a[2], depth);
		return (struct emit_range){ r.low < s.low ? r.low : s.low, r.high > s.high ? r.high : s.high, r.nan || s.nan };
	default: return of_all();
	}
}

/* ---- signed numbers of 32 bits */
static const struct emit_ints all_ints = { INT32_MIN, INT32_MAX };

static struct emit_ints ints(int64_t low, int64_t high)
{
	return low < INT32_MIN || high > INT32_MAX ? all_ints : (struct emit_ints){ low, high };
}

static struct emit_ints either(struct emit_ints a, struct emit_ints b)
{
	return (struct emit_ints){ a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
}

static struct emit_ints of_exponent(ir_type t)
{
	return ir_base(t) == IR_F16 ? ints(-23, 16) : ir_base(t) == IR_F32 ? ints(-148, 128) : ints(-1073, 1024);
}

struct emit_ints emit_ints(const struct emit *e, ir_id id, unsigned depth)
{
	const struct ir_inst *i = emit_inst(e, id);
	struct emit_ints a, b;
	uint64_t k;
	bool constant, small;

	if (i->type != IR_I32)
		return all_ints;
	if (emit_is_const(e, id, &k))
		return (struct emit_ints){ (int32_t)(uint32_t)k, (int32_t)(uint32_t)k };
	if (!depth)
		return all_ints;
	depth--;
	switch (i->op) {
	case IR_ffrexpe: return of_exponent(emit_inst(e, i->a[0])->type);
	case IR_ineg:
		a = emit_ints(e, i->a[0], depth);
		return ints(-a.high, -a.low);
	case IR_select: return either(emit_ints(e, i->a[1], depth), emit_ints(e, i->a[2], depth));
	case IR_iadd: case IR_isub: case IR_smin: case IR_smax: case IR_iand: case IR_umin: case IR_lshr:
		break;
	default: return all_ints;
	}
	constant = emit_is_const(e, i->a[1], &k);
	small = constant && k <= INT32_MAX;
	if (i->op == IR_iand || i->op == IR_umin)
		return small ? ints(0, (int64_t)k) : all_ints;
	if (i->op == IR_lshr)
		return constant && (k & 31) ? ints(0, (int64_t)(UINT32_MAX >> (k & 31))) : all_ints;
	a = emit_ints(e, i->a[0], depth);
	b = emit_ints(e, i->a[1], depth);
	if (i->op == IR_iadd)
		return ints(a.low + b.low, a.high + b.high);
	if (i->op == IR_isub)
		return ints(a.low - b.high, a.high - b.low);
	if (i->op == IR_smin)
		return ints(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high);
	return ints(a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
}
