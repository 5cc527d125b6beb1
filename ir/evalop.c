/* Constant evaluation of pure ops, driven by the evaluation column of ops.def.
 *
 * Host floats do the arithmetic: f32 and f64 directly (compiled without contraction, excess precision or a flush
 * mode), f16 through double, whose 53 bits make one addition, multiplication, division or square root of 11-bit
 * operands round correctly when narrowed once more; ffma of f16 is exact in double but for the final sum, which fma of
 * doubles rounds at bit 53, so it is formed with the error term. NaN results are the canonical quiet NaN. */
#include "ir.h"

#include <math.h>
#include <string.h>

/* ---- bits and values */
static float f32_of(uint64_t bits)
{
	uint32_t b = (uint32_t)bits;
	float f;

	memcpy(&f, &b, sizeof f);
	return f;
}

static double f64_of(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static uint64_t bits_of_f32(float f)
{
	uint32_t b;

	memcpy(&b, &f, sizeof b);
	return b;
}

static uint64_t bits_of_f64(double d)
{
	uint64_t b;

	memcpy(&b, &d, sizeof b);
	return b;
}

struct format {
	unsigned mant, bias, max_exp; /* stored mantissa bits; bias; all-ones exponent */
};

static struct format format_of(unsigned w)
{
	return w == 16 ? (struct format){ 10, 15, 31 } : w == 32 ? (struct format){ 23, 127, 255 } :
		(struct format){ 52, 1023, 2047 };
}

static bool is_nan(unsigned w, uint64_t a)
{
	struct format f = format_of(w);

	return (a & ((1ull << (w - 1)) - 1)) > (uint64_t)f.max_exp << f.mant;
}

static uint64_t quiet_nan(unsigned w)
{
	struct format f = format_of(w);

	return (uint64_t)f.max_exp << f.mant | 1ull << (f.mant - 1);
}

enum round { TO_NEAREST, TO_ZERO };

/* sign * m * 2^e, exact but for `sticky` (bits below m), rounded once to width w. m != 0. */
static uint64_t compose(unsigned w, bool neg, uint64_t m, int e, bool sticky, enum round mode)
{
	struct format f = format_of(w);
	uint64_t sign = neg ? 1ull << (w - 1) : 0;
	int top = 63 - __builtin_clzll(m) + e; /* exponent of the leading bit */
	int lsb = top - (int)f.mant;           /* exponent of the result's last bit */

	if (lsb < 1 - (int)f.bias - (int)f.mant)
		lsb = 1 - (int)f.bias - (int)f.mant; /* denormal */
	int shift = lsb - e;
	uint64_t q, rest = 0, half = 0;
	if (shift <= 0) {
		q = m << -shift;
	} else if (shift > 64) {
		q = 0;
		sticky = true;
	} else {
		q = shift == 64 ? 0 : m >> shift;
		half = 1ull << (shift - 1);
		rest = m & (half | (half - 1));
	}
	if (mode == TO_NEAREST && half && (rest > half || (rest == half && (sticky || (q & 1)))))
		q++;
	/* at least 1; a carry out of q and the missing leading bit of a denormal come out right by addition */
	unsigned exp = (unsigned)(lsb + (int)f.mant + (int)f.bias);
	uint64_t inf = (uint64_t)f.max_exp << f.mant, bits = exp > f.max_exp ? inf : q + ((uint64_t)(exp - 1) << f.mant);
	return sign | (bits < inf ? bits : inf - (mode == TO_ZERO));
}

static uint64_t narrow(unsigned w, double d, enum round mode)
{
	uint64_t b = bits_of_f64(d), frac = b & ((1ull << 52) - 1);
	int exp = (int)(b >> 52 & 2047);
	bool neg = b >> 63;

	if (w == 64)
		return isnan(d) ? quiet_nan(64) : b;
	struct format f = format_of(w);
	if (exp == 2047)
		return frac ? quiet_nan(w) : (neg ? 1ull << (w - 1) : 0) | (uint64_t)f.max_exp << f.mant;
	if (!exp && !frac)
		return neg ? 1ull << (w - 1) : 0;
	if (exp)
		frac |= 1ull << 52;
	else
		exp = 1;
	return compose(w, neg, frac, exp - 1075, false, mode);
}

double ir_float_value(unsigned w, uint64_t bits)
{
	if (w == 64)
		return f64_of(bits);
	if (w == 32)
		return (double)f32_of(bits);
	unsigned exp = bits >> 10 & 31, frac = bits & 1023;
	double m = exp == 31 ? (frac ? (double)NAN : (double)INFINITY) :
		exp ? ldexp((double)(frac | 1024), (int)exp - 25) : ldexp((double)frac, -24);
	return bits >> 15 & 1 ? -m : m;
}

uint64_t ir_float_bits(unsigned w, double d)
{
	return narrow(w, d, TO_NEAREST);
}

/* The result of an operation that the host rounded correctly for width 32 or 64, or whose double rounding is harmless. */
static uint64_t give(unsigned w, double d)
{
	return narrow(w, d, TO_NEAREST);
}

static double val(unsigned w, uint64_t a)
{
	return ir_float_value(w, a);
}

/* ---- integer helpers */
static uint64_t ev_mask(unsigned w, uint64_t a)
{
	return w < 64 ? a & ((1ull << w) - 1) : a;
}

static int64_t ev_sign(unsigned w, uint64_t a)
{
	return w < 64 ? (int64_t)(a << (64 - w)) >> (64 - w) : (int64_t)a;
}

static uint64_t ev_umulh(unsigned w, uint64_t a, uint64_t b)
{
	if (w < 64)
		return a * b >> w;
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t mid = ah * bl + (al * bl >> 32), mid2 = al * bh + (uint32_t)mid;

	return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static uint64_t ev_smulh(unsigned w, uint64_t a, uint64_t b)
{
	uint64_t h = ev_umulh(w, a, b);

	/* a signed operand is its unsigned reading less 2^w when its top bit is set */
	if (a >> (w - 1) & 1)
		h -= b;
	if (b >> (w - 1) & 1)
		h -= a;
	return h;
}

static uint64_t ev_popc(uint64_t a)
{
	return (uint64_t)__builtin_popcountll(a);
}

static uint64_t ev_clz(unsigned w, uint64_t a)
{
	return a ? (uint64_t)__builtin_clzll(a) - (64 - w) : w;
}

static uint64_t ev_ctz(unsigned w, uint64_t a)
{
	return a ? (uint64_t)__builtin_ctzll(a) : w;
}

static uint64_t ev_brev(unsigned w, uint64_t a)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < w; i++)
		r |= (a >> i & 1) << (w - 1 - i);
	return r;
}

static uint64_t ev_ubfe(unsigned w, uint64_t a, uint64_t offset, uint64_t width)
{
	if (offset >= w)
		return 0;
	a >>= offset;
	return width < w ? a & ((1ull << width) - 1) : a;
}

static uint64_t ev_sbfe(unsigned w, uint64_t a, uint64_t offset, uint64_t width)
{
	int64_t s = ev_sign(w, a);

	if (!width)
		return 0;
	s >>= offset < w ? offset : w - 1;
	return (uint64_t)(width < w ? ev_sign((unsigned)width, (uint64_t)s) : s);
}

/* ---- conversions */
static uint64_t from_int(unsigned wt, bool neg, uint64_t m)
{
	return m ? compose(wt, neg, m, 0, false, TO_NEAREST) : 0;
}

static uint64_t ev_s2f(unsigned wt, unsigned w, uint64_t a)
{
	int64_t s = ev_sign(w, a);

	return from_int(wt, s < 0, s < 0 ? 0 - (uint64_t)s : (uint64_t)s);
}

static uint64_t ev_u2f(unsigned wt, unsigned w, uint64_t a)
{
	(void)w;
	return from_int(wt, false, a);
}

static uint64_t ev_f2s(unsigned wt, unsigned w, uint64_t a)
{
	double d = trunc(val(w, a)), limit = ldexp(1.0, (int)wt - 1);

	if (isnan(d))
		return 0;
	if (d >= limit)
		return (1ull << (wt - 1)) - 1;
	if (d < -limit)
		return 1ull << (wt - 1);
	return (uint64_t)(int64_t)d;
}

static uint64_t ev_f2u(unsigned wt, unsigned w, uint64_t a)
{
	double d = trunc(val(w, a));

	if (isnan(d) || d <= 0)
		return 0;
	if (d >= ldexp(1.0, (int)wt))
		return UINT64_MAX;
	return (uint64_t)d;
}

static uint64_t ev_f2f(unsigned wt, unsigned w, uint64_t a)
{
	return narrow(wt, val(w, a), TO_NEAREST);
}

static uint64_t ev_f2f_rtz(unsigned wt, unsigned w, uint64_t a)
{
	return narrow(wt, val(w, a), TO_ZERO);
}

/* ---- float arithmetic. Doubles hold sums, products of f32 operands with at most one rounding; rounding 53 bits to 24 again
 * is harmless for + - * / sqrt (53 >= 2 * 24 + 2). */
static uint64_t ev_fadd(unsigned w, uint64_t a, uint64_t b)
{
	return give(w, val(w, a) + val(w, b));
}

static uint64_t ev_fsub(unsigned w, uint64_t a, uint64_t b)
{
	return give(w, val(w, a) - val(w, b));
}

static uint64_t ev_fmul(unsigned w, uint64_t a, uint64_t b)
{
	return give(w, val(w, a) * val(w, b));
}

static uint64_t ev_ffma(unsigned w, uint64_t a, uint64_t b, uint64_t c)
{
	if (w == 64)
		return give(64, fma(f64_of(a), f64_of(b), f64_of(c)));
	if (w == 32) {
		float r = fmaf(f32_of(a), f32_of(b), f32_of(c));
		return isnan(r) ? quiet_nan(32) : bits_of_f32(r);
	}
	/* The product is exact. Round the sum to odd at 53 bits, so that narrowing once more rounds correctly. */
	double p = val(16, a) * val(16, b), v = val(16, c), s = p + v;
	if (!isfinite(s))
		return give(16, s);
	double bb = s - p, err = (p - (s - bb)) + (v - bb);
	uint64_t bits = bits_of_f64(s);
	if (err != 0 && !(bits & 1))
		bits += (err > 0) == (s > 0) ? 1 : UINT64_MAX;
	return give(16, f64_of(bits));
}

static bool ev_funo(unsigned w, uint64_t a, uint64_t b)
{
	return is_nan(w, a) || is_nan(w, b);
}

static bool ev_feq(unsigned w, uint64_t a, uint64_t b)
{
	return val(w, a) == val(w, b);
}

static bool ev_flt(unsigned w, uint64_t a, uint64_t b)
{
	return val(w, a) < val(w, b);
}

static bool ev_fle(unsigned w, uint64_t a, uint64_t b)
{
	return val(w, a) <= val(w, b);
}

static bool ev_flg(unsigned w, uint64_t a, uint64_t b)
{
	return !ev_funo(w, a, b) && !ev_feq(w, a, b);
}

/* One NaN: the other operand; -0 is less than +0. */
static uint64_t pick(unsigned w, uint64_t a, uint64_t b, bool want_less)
{
	if (is_nan(w, a))
		return is_nan(w, b) ? quiet_nan(w) : b;
	if (is_nan(w, b))
		return a;
	if (ev_feq(w, a, b))
		return (a >> (w - 1) & 1) == want_less ? a : b;
	return ev_flt(w, a, b) == want_less ? a : b;
}

static uint64_t ev_fmin(unsigned w, uint64_t a, uint64_t b)
{
	return pick(w, a, b, true);
}

static uint64_t ev_fmax(unsigned w, uint64_t a, uint64_t b)
{
	return pick(w, a, b, false);
}

static uint64_t ev_fsat(unsigned w, uint64_t a)
{
	double d = val(w, a);

	return d >= 1 ? give(w, 1) : d > 0 ? a : 0;
}

static uint64_t ev_floor(unsigned w, uint64_t a)
{
	return give(w, floor(val(w, a)));
}

static uint64_t ev_ceil(unsigned w, uint64_t a)
{
	return give(w, ceil(val(w, a)));
}

static uint64_t ev_ftrunc(unsigned w, uint64_t a)
{
	return give(w, trunc(val(w, a)));
}

static uint64_t ev_rndne(unsigned w, uint64_t a)
{
	double d = val(w, a), f = floor(d), diff = d - f;

	if (!(fabs(d) < 4503599627370496.0))
		return give(w, d);
	if (diff > 0.5 || (diff == 0.5 && fmod(f, 2.0) != 0))
		f += 1;
	return give(w, copysign(f, d));
}

static uint64_t ev_fract(unsigned w, uint64_t a)
{
	double d = val(w, a);

	return give(w, d - floor(d));
}

static uint64_t ev_rcp(unsigned w, uint64_t a)
{
	return give(w, 1 / val(w, a));
}

static uint64_t ev_rsq(unsigned w, uint64_t a)
{
	return give(w, 1 / sqrt(val(w, a)));
}

static uint64_t ev_sqrt(unsigned w, uint64_t a)
{
	return give(w, sqrt(val(w, a)));
}

static uint64_t ev_exp2(unsigned w, uint64_t a)
{
	return give(w, exp2(val(w, a)));
}

static uint64_t ev_log2(unsigned w, uint64_t a)
{
	return give(w, log2(val(w, a)));
}

static uint64_t ev_sin(unsigned w, uint64_t a)
{
	return give(w, sin(val(w, a)));
}

static uint64_t ev_cos(unsigned w, uint64_t a)
{
	return give(w, cos(val(w, a)));
}

/* Mantissa as an integer and the exponent of its last bit; false for 0, infinities and NaN. */
static bool take_apart(unsigned w, uint64_t a, bool *neg, uint64_t *m, int *e)
{
	struct format f = format_of(w);
	unsigned exp = (unsigned)(a >> f.mant & f.max_exp);

	*neg = a >> (w - 1) & 1;
	*m = a & ((1ull << f.mant) - 1);
	if (exp == f.max_exp || (!exp && !*m))
		return false;
	if (exp)
		*m |= 1ull << f.mant;
	else
		exp = 1;
	*e = (int)exp - (int)f.bias - (int)f.mant;
	return true;
}

static uint64_t ev_ldexp(unsigned w, uint64_t a, uint64_t b)
{
	int64_t n = ev_sign(32, b);
	bool neg;
	uint64_t m;
	int e;

	if (!take_apart(w, a, &neg, &m, &e))
		return is_nan(w, a) ? quiet_nan(w) : a;
	/* past these nothing changes: everything overflows or is below the smallest denormal */
	n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
	return compose(w, neg, m, e + (int)n, false, TO_NEAREST);
}

static uint64_t ev_frexpm(unsigned w, uint64_t a)
{
	bool neg;
	uint64_t m;
	int e;

	if (!take_apart(w, a, &neg, &m, &e))
		return is_nan(w, a) ? quiet_nan(w) : a;
	return compose(w, neg, m, -(64 - __builtin_clzll(m)), false, TO_NEAREST);
}

static uint64_t ev_frexpe(unsigned w, uint64_t a)
{
	bool neg;
	uint64_t m;
	int e;

	if (!take_apart(w, a, &neg, &m, &e))
		return 0;
	return (uint64_t)(int64_t)(e + 64 - __builtin_clzll(m));
}

static uint64_t ev_flush(unsigned w, uint64_t a)
{
	struct format f = format_of(w);

	return a >> f.mant & f.max_exp ? a : a & 1ull << (w - 1);
}

static bool ev_fclass(unsigned w, uint64_t a, uint64_t set)
{
	struct format f = format_of(w);
	bool neg = a >> (w - 1) & 1;
	unsigned exp = (unsigned)(a >> f.mant & f.max_exp), kind;
	uint64_t frac = a & ((1ull << f.mant) - 1);

	/* order of the bits: sNaN qNaN -inf -norm -den -0 +0 +den +norm +inf */
	if (exp == f.max_exp && frac)
		kind = frac >> (f.mant - 1) & 1;
	else if (exp == f.max_exp)
		kind = neg ? 2 : 9;
	else if (exp)
		kind = neg ? 3 : 8;
	else if (frac)
		kind = neg ? 4 : 7;
	else
		kind = neg ? 5 : 6;
	return set >> kind & 1;
}

/* ---- the table as code */
bool ir_eval_op(enum ir_op op, ir_type type, uint16_t sub, uint64_t imm, const ir_type *types, const uint64_t *args,
                uint64_t *out)
{
	unsigned n = 0, WT = ir_bits(type), W = WT;
	uint64_t v[3] = { 0 };
	bool known = true;

	(void)sub;
	if (ir_elems(type) != 1 || op >= IR_OP_COUNT)
		return false;
	for (const char *s = ir_ops[op].sig + 2; *s && n < 3; s++)
		if (*s == '?' || *s == '*')
			return false; /* no row with open operands has an evaluation */
		else
			v[n] = args[n], n++;
	if (n) {
		if (ir_elems(types[0]) != 1)
			return false;
		W = ir_bits(types[0]);
	}
	const uint64_t A = v[0], B = v[1], C = v[2], IMM = imm;
	const int64_t SA = W ? ev_sign(W, A) : 0, SB = W ? ev_sign(W, B) : 0;
	uint64_t r = 0;
	switch (op) {
#define NOEVAL (known = false, 0)
#define OP(name, sig, cls, fx, div, eval, spv) \
	case IR_##name: \
		r = (uint64_t)(eval); \
		break;
#include "ops.def"
#undef OP
#undef NOEVAL
	default:
		return false;
	}
	*out = ev_mask(WT, r);
	return known;
}
