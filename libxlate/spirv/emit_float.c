/* emit_float.c - float ops that need more than one instruction: exact scaling, mantissa and exponent, classes, flushes. */
#include "emit.h"

struct format { ir_type f, i; unsigned bits, mant, bias; };

static struct format format_of(ir_type t)
{
	switch (ir_base(t)) {
	case IR_F16: return (struct format){IR_F16, IR_I16, 16, 10, 15};
	case IR_F64: return (struct format){IR_F64, IR_I64, 64, 52, 1023};
	default: return (struct format){IR_F32, IR_I32, 32, 23, 127};
	}
}

static uint64_t f_inf(const struct format *f)
{
	return ((1ull << (f->bits - 1 - f->mant)) - 1) << f->mant;
}

static uint64_t f_sign(const struct format *f)
{
	return 1ull << (f->bits - 1);
}

static uint64_t f_one(const struct format *f)
{
	return (uint64_t)f->bias << f->mant;
}

static uint32_t bool_type(struct emit *e)
{
	return emit_type(e, IR_B1);
}

static uint32_t magnitude(struct emit *e, const struct format *f, uint32_t bits)
{
	return E_OP(e, BitwiseAnd, emit_type(e, f->i), bits, emit_const(e, f->i, f_sign(f) - 1));
}

/* 2^n as a float of 32 or 64 bits, for n (i32) in the normal range. */
static uint32_t power(struct emit *e, const struct format *f, uint32_t n)
{
	uint32_t u32 = emit_type(e, IR_I32), v = E_OP(e, IAdd, u32, n, emit_u32(e, f->bias));

	if (f->bits == 32)
		return E_OP(e, Bitcast, emit_type(e, IR_F32), E_OP(e, ShiftLeftLogical, u32, v, emit_u32(e, f->mant)));
	v = E_OP(e, ShiftLeftLogical, u32, v, emit_u32(e, f->mant - 32));
	return emit_pack(e, f->f, emit_u32(e, 0), v);
}

static uint32_t clamp(struct emit *e, uint32_t n, int lo, int hi)
{
	return E_EXT(e, SClamp, emit_type(e, IR_I32), n, emit_u32(e, (uint32_t)lo), emit_u32(e, (uint32_t)hi));
}

static uint32_t scale_mul(struct emit *e, ir_type t, uint32_t x, uint32_t by)
{
	uint32_t v = E_OP(e, FMul, emit_type(e, t), x, by);

	emit_exact(e, v);
	return v;
}

/* x * 2^n with one rounding: two steps that stay exact (they move by less than the distance to the denormals), then the
 * rest. A first step down goes only as far as leaves a full mantissa above the denormals to a value that ends as one. Where n lies
 * within `r` there may be steps that never move. */
static uint32_t scale(struct emit *e, const struct format *f, uint32_t x, uint32_t n, struct emit_ints r)
{
	uint32_t u32 = emit_type(e, IR_I32), b1 = bool_type(e), step;
	int max = (int)f->bias, min = 1 - (int)f->bias, down = min + (int)f->mant + 1;
	int steps = r.low >= min && r.high <= max ? 0 : r.low >= down + min && r.high <= 2 * max ? 1 : 2;

	for (int k = 0; k < steps; k++) {
		step = E_OP(e, Select, u32, E_OP(e, SLessThan, b1, n, emit_u32(e, (uint32_t)min)), emit_u32(e, (uint32_t)down),
		            E_OP(e, Select, u32, E_OP(e, SGreaterThan, b1, n, emit_u32(e, (uint32_t)max)), emit_u32(e, (uint32_t)max),
		                 emit_u32(e, 0)));
		x = scale_mul(e, f->f, x, power(e, f, step));
		n = E_OP(e, ISub, u32, n, step);
	}
	return scale_mul(e, f->f, x, power(e, f, steps < 2 ? n : clamp(e, n, min, max)));
}

static uint32_t ldexp_value(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	struct format f = format_of(i->type), f32 = format_of(IR_F32);
	uint32_t x = emit_get(e, i->a[0]), n, limit;
	struct emit_ints r;
	uint64_t k;
	int c;

	if (emit_is_const(e, i->a[1], &k)) {
		c = (int)(uint32_t)k;
		if (f.bits > 16 && c >= 1 - (int)f.bias && c <= (int)f.bias)
			return scale_mul(e, f.f, x, emit_const(e, f.f, (uint64_t)(c + (int)f.bias) << f.mant));
	}
	n = emit_get(e, i->a[1]);
	if (f.bits == 16) { /* exact in 32 bits, rounded once on the way back */
		x = E_OP(e, FConvert, emit_type(e, IR_F32), x);
		n = clamp(e, n, -60, 60);
		x = scale_mul(e, IR_F32, x, power(e, &f32, n));
		e->round_op[1] = true;
		return E_OP(e, FConvert, emit_type(e, IR_F16), x);
	}
	limit = f.bits == 32 ? 400 : 3200; /* further than any finite value can move */
	r = emit_ints(e, i->a[1], RANGE_DEPTH);
	if (r.low < -(int)limit || r.high > (int)limit)
		n = clamp(e, n, -(int)limit, (int)limit);
	return scale(e, &f, x, n, r);
}

/* Biased-exponent view of a magnitude: normalised mantissa bits and the exponent (value = 0.mant * 2^exponent). */
static void normalise(struct emit *e, const struct format *f, uint32_t mag, uint32_t *mant, uint32_t *exponent)
{
	uint32_t u32 = emit_type(e, IR_I32), it = emit_type(e, f->i), lz, s, ex, h[2];

	if (f->bits == 64) {
		emit_halves(e, mag, h);
		uint32_t top = emit_clz32(e, h[1]), low = E_OP(e, IAdd, u32, emit_clz32(e, h[0]), emit_u32(e, 32));
		lz = E_OP(e, Select, u32, E_OP(e, IEqual, bool_type(e), h[1], emit_u32(e, 0)), low, top);
	} else
		lz = emit_clz32(e, mag);
	s = E_EXT(e, SMax, u32, E_OP(e, ISub, u32, lz, emit_u32(e, f->bits - 1 - f->mant)), emit_u32(e, 0));
	s = E_EXT(e, UMin, u32, s, emit_u32(e, f->bits - 1));
	*mant = E_OP(e, ShiftLeftLogical, it, mag, s);
	ex = E_OP(e, ShiftRightLogical, it, mag, emit_u32(e, f->mant));
	if (f->bits == 64)
		ex = E_OP(e, UConvert, u32, ex);
	ex = E_EXT(e, UMax, u32, ex, emit_u32(e, 1));
	ex = E_OP(e, ISub, u32, ex, emit_u32(e, f->bias - 1));
	*exponent = E_OP(e, ISub, u32, ex, s);
}

/* frexp's halves. Half precision goes through single, where nothing is lost. */
static uint32_t frexp_value(struct emit *e, ir_id id, bool exponent)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = emit_inst(e, i->a[0])->type;
	bool half = ir_base(t) == IR_F16;
	struct format f = format_of(half ? IR_F32 : t);
	uint32_t x = emit_get(e, i->a[0]), ft = emit_type(e, f.f), it = emit_type(e, f.i), bits, mag, m, ex, plain, v;

	if (half)
		x = E_OP(e, FConvert, ft, x);
	bits = E_OP(e, Bitcast, it, x);
	mag = magnitude(e, &f, bits);
	/* zero, infinity and NaN: (mag - 1) unsigned >= inf - 1 */
	plain = E_OP(e, ULessThan, bool_type(e), E_OP(e, ISub, it, mag, emit_const(e, f.i, 1)), emit_const(e, f.i, f_inf(&f) - 1));
	normalise(e, &f, mag, &m, &ex);
	if (exponent)
		return E_OP(e, Select, emit_type(e, IR_I32), plain, ex, emit_u32(e, 0));
	m = E_OP(e, BitwiseAnd, it, m, emit_const(e, f.i, (1ull << f.mant) - 1));
	m = E_OP(e, BitwiseOr, it, m, emit_const(e, f.i, f_one(&f) - (1ull << f.mant)));
	m = E_OP(e, BitwiseOr, it, m, E_OP(e, BitwiseAnd, it, bits, emit_const(e, f.i, f_sign(&f))));
	v = E_OP(e, Bitcast, ft, E_OP(e, Select, it, plain, m, bits));
	return half ? E_OP(e, FConvert, emit_type(e, IR_F16), v) : v;
}

static uint32_t flush(struct emit *e, ir_type t, const uint32_t *param)
{
	struct format f = format_of(t);
	uint32_t it = emit_type(e, f.i), type = emit_type(e, f.f), bits, sign, low, v, x = *param;

	if (e->t->nan_mode[f.bits == 16 ? 1 : f.bits == 64 ? 3 : 2]) { /* below the normals: times 0, which keeps the sign */
		low = E_OP(e, FOrdLessThan, bool_type(e), E_EXT(e, FAbs, type, x), emit_const(e, f.f, 1ull << f.mant));
		v = E_OP(e, FMul, type, x, emit_const(e, f.f, 0));
		emit_exact(e, v);
		return E_OP(e, Select, type, low, v, x);
	}
	bits = E_OP(e, Bitcast, it, x);
	low = E_OP(e, ULessThan, bool_type(e), magnitude(e, &f, bits), emit_const(e, f.i, 1ull << f.mant));
	sign = E_OP(e, BitwiseAnd, it, bits, emit_const(e, f.i, f_sign(&f)));
	v = E_OP(e, Select, it, low, sign, bits);
	return E_OP(e, Bitcast, type, v);
}

/* Single-rounded multiply-add where the target's may round twice: the sum in the wider format, rounded to odd. */
static uint32_t fused(struct emit *e, ir_type t, const uint32_t *param)
{
	struct format w = format_of(ir_base(t) == IR_F16 ? IR_F32 : IR_F64);
	uint32_t wt = emit_type(e, w.f), it = emit_type(e, w.i), b1 = bool_type(e), v[3], p, s, bb, err, bits, up, fix, same;

	for (int k = 0; k < 3; k++)
		v[k] = E_OP(e, FConvert, wt, param[k]);
	emit_exact(e, p = E_OP(e, FMul, wt, v[0], v[1]));
	emit_exact(e, s = E_OP(e, FAdd, wt, p, v[2]));
	emit_exact(e, bb = E_OP(e, FSub, wt, s, p));
	emit_exact(e, err = E_OP(e, FSub, wt, s, bb));
	emit_exact(e, err = E_OP(e, FSub, wt, p, err));
	emit_exact(e, bb = E_OP(e, FSub, wt, v[2], bb));
	emit_exact(e, err = E_OP(e, FAdd, wt, err, bb));
	bits = E_OP(e, Bitcast, it, s);
	/* inexact and even: the odd neighbour on the exact sum's side */
	fix = E_OP(e, FOrdNotEqual, b1, err, emit_const(e, w.f, 0));
	same = E_OP(e, IEqual, b1, E_OP(e, BitwiseAnd, it, bits, emit_const(e, w.i, 1)), emit_const(e, w.i, 0));
	fix = E_OP(e, LogicalAnd, b1, fix, same);
	up = E_OP(e, BitwiseXor, it, bits, E_OP(e, Bitcast, it, err));
	same = E_OP(e, SGreaterThanEqual, b1, up, emit_const(e, w.i, 0));
	up = E_OP(e, Select, it, same, emit_const(e, w.i, 1), emit_const(e, w.i, UINT64_MAX));
	up = E_OP(e, IAdd, it, bits, up);
	bits = E_OP(e, Select, it, fix, up, bits);
	e->round_op[ir_base(t) == IR_F16 ? 1 : 2] = true;
	return E_OP(e, FConvert, emit_type(e, t), E_OP(e, Bitcast, wt, bits));
}

static uint32_t called(struct emit *e, ir_id id, enum emit_helper h, emit_helper_fn *body)
{
	ir_type t = emit_inst(e, id)->type;
	unsigned n = ir_nargs(e->fn, id);
	uint32_t arg[3] = {0};

	if (h == HELPER_FMA && ir_base(t) == IR_F64) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "a fused multiply-add of 64 bits on a target that rounds twice");
		return emit_undef(e, t);
	}
	for (unsigned k = 0; k < n && k < 3; k++)
		arg[k] = emit_get(e, emit_inst(e, id)->a[k]);
	return emit_helper_call(e, h, (ir_type)ir_base(t), body, arg, n);
}

void emit_float_op(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = emit_inst(e, i->a[0])->type;
	struct format f = format_of(t);
	uint32_t type = emit_type(e, i->type), a, b;

	emit_computes(e, t);
	switch (i->op) {
	case IR_fsat: /* NClamp gives the minimum for NaN */
		e->val[id] = E_EXT(e, NClamp, type, emit_get(e, i->a[0]), emit_const(e, f.f, 0), emit_const(e, f.f, f_one(&f)));
		break;
	case IR_frcp:
		e->val[id] = E_OP(e, FDiv, type, emit_const(e, f.f, f_one(&f)), emit_get(e, i->a[0]));
		break;
	case IR_fldexp: e->val[id] = ldexp_value(e, id); break;
	case IR_ffrexpm: e->val[id] = frexp_value(e, id, false); break;
	case IR_ffrexpe: e->val[id] = frexp_value(e, id, true); break;
	case IR_fflush: e->val[id] = called(e, id, HELPER_FLUSH, flush); break;
	case IR_ffma: e->val[id] = called(e, id, HELPER_FMA, fused); break;
	default: /* funo */
		a = E_OP(e, IsNan, type, emit_get(e, i->a[0]));
		if (i->a[1] != i->a[0] && emit_inst(e, i->a[1])->op != IR_const) {
			b = E_OP(e, IsNan, type, emit_get(e, i->a[1]));
			a = E_OP(e, LogicalOr, type, a, b);
		} else if (i->a[1] != i->a[0]) {
			uint64_t k;
			if (emit_is_const(e, i->a[1], &k) && (k & (f_sign(&f) - 1)) > f_inf(&f))
				a = emit_true(e, true);
		}
		e->val[id] = a;
	}
}

/* One magnitude class with the signs asked for (1 negative, 2 positive), or-ed to `sum`. */
static uint32_t add_class(struct emit *e, uint32_t sum, uint32_t is, unsigned signs, uint32_t negative)
{
	uint32_t b1 = bool_type(e);

	if (signs == 1)
		is = E_OP(e, LogicalAnd, b1, is, negative);
	else if (signs == 2)
		is = E_OP(e, LogicalAnd, b1, is, E_OP(e, LogicalNot, b1, negative));
	return sum ? E_OP(e, LogicalOr, b1, sum, is) : is;
}

/* Classes by the bits alone: no host flush or fast-math rule can change the answer. */
void emit_class_op(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	struct format f = format_of(emit_inst(e, i->a[0])->type);
	unsigned set = (unsigned)i->imm & 0x3ff, signs;
	uint32_t b1 = bool_type(e), it = emit_type(e, f.i), bits, mag, neg, sum = 0, is, t;
	uint64_t inf = f_inf(&f), quiet = inf | 1ull << (f.mant - 1), normal = 1ull << f.mant;

	bits = emit_get_as(e, i->a[0], f.i);
	mag = magnitude(e, &f, bits);
	neg = E_OP(e, SLessThan, b1, bits, emit_const(e, f.i, 0));
	if ((set & 3) == 3)
		sum = add_class(e, sum, E_OP(e, UGreaterThan, b1, mag, emit_const(e, f.i, inf)), 3, neg);
	else if (set & 2)
		sum = add_class(e, sum, E_OP(e, UGreaterThanEqual, b1, mag, emit_const(e, f.i, quiet)), 3, neg);
	else if (set & 1) { /* inf < mag < quiet */
		t = E_OP(e, ISub, it, mag, emit_const(e, f.i, inf + 1));
		sum = add_class(e, sum, E_OP(e, ULessThan, b1, t, emit_const(e, f.i, quiet - inf - 1)), 3, neg);
	}
	if ((signs = (set >> 2 & 1) | (set >> 8 & 2)) != 0)
		sum = add_class(e, sum, E_OP(e, IEqual, b1, mag, emit_const(e, f.i, inf)), signs, neg);
	if ((signs = (set >> 3 & 1) | (set >> 7 & 2)) != 0) {
		t = E_OP(e, ISub, it, mag, emit_const(e, f.i, normal));
		is = E_OP(e, ULessThan, b1, t, emit_const(e, f.i, inf - normal));
		sum = add_class(e, sum, is, signs, neg);
	}
	if ((signs = (set >> 4 & 1) | (set >> 6 & 2)) != 0) {
		t = E_OP(e, ISub, it, mag, emit_const(e, f.i, 1));
		is = E_OP(e, ULessThan, b1, t, emit_const(e, f.i, normal - 1));
		sum = add_class(e, sum, is, signs, neg);
	}
	if ((signs = (set >> 5 & 1) | (set >> 5 & 2)) != 0)
		sum = add_class(e, sum, E_OP(e, IEqual, b1, mag, emit_const(e, f.i, 0)), signs, neg);
	e->val[id] = sum ? sum : emit_true(e, false);
}
