/* alu_ref.h - the arithmetic rows of ops.def once more, from the definitions: two's complement, IEEE 754-2019, and the row's comment
 * where an op has no published name. Written without a look at the evaluator, which it judges, as it judges devices.
 *
 * Numbers are taken apart into sign, integer and power of two, and rounded in one place; only the elementary functions and
 * what C defines by IEEE itself (float and double sums and products, fma) come from the C library.
 */
#ifndef XL_TEST_ALU_REF_H
#define XL_TEST_ALU_REF_H

#include "../ir/ir.h"

#include <math.h>
#include <string.h>

typedef __int128 ref_s128;
typedef unsigned __int128 ref_u128;

/* ---- floats: how much of the result counts */
enum ref_match { REF_BITS, REF_ANY_ZERO /* either zero */, REF_NEAR /* the host's precision */ };

static enum ref_match alu_ref_match(enum ir_op op)
{
	switch (op) {
	case IR_frcp: case IR_frsq: case IR_fsqrt: case IR_fexp2: case IR_flog2: case IR_fsin: case IR_fcos: case IR_ffract:
		return REF_NEAR;
	case IR_fmin: case IR_fmax: case IR_fsat: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne:
		return REF_ANY_ZERO;
	default:
		return REF_BITS;
	}
}

struct ref_format { int digits, emin, emax; }; /* of binary16, 32, 64: significant bits, exponents of normal numbers */
static struct ref_format ref_format(unsigned w)
{
	return w == 16 ? (struct ref_format){ 11, -14, 15 } : w == 32 ? (struct ref_format){ 24, -126, 127 } :
		(struct ref_format){ 53, -1022, 1023 };
}

struct ref_float { bool nan, inf, neg; uint64_t m; int e; }; /* value: m * 2^e */

static struct ref_float ref_open(unsigned w, uint64_t bits)
{
	struct ref_format f = ref_format(w);
	uint64_t frac = bits & ((1ull << (f.digits - 1)) - 1), biased = bits >> (f.digits - 1) & ((1ull << (w - f.digits)) - 1);
	struct ref_float x = { .neg = bits >> (w - 1) & 1 };

	if (biased == (uint64_t)(f.emax + f.emax + 1)) {
		x.nan = frac != 0;
		x.inf = !x.nan;
	} else {
		x.m = biased ? frac | 1ull << (f.digits - 1) : frac;
		x.e = (biased ? (int)biased - f.emax : f.emin) - (f.digits - 1);
	}
	return x;
}

static uint64_t ref_inf(unsigned w, bool neg)
{
	struct ref_format f = ref_format(w);

	return (uint64_t)(2 * f.emax + 1) << (f.digits - 1) | (uint64_t)neg << (w - 1);
}

static uint64_t ref_nan(unsigned w)
{
	return ref_inf(w, false) | 1ull << (ref_format(w).digits - 2);
}

/* m * 2^e, rounded to nearest even or toward zero. */
static uint64_t ref_round(unsigned w, bool neg, ref_u128 m, int e, bool to_zero)
{
	struct ref_format f = ref_format(w);
	uint64_t sign = (uint64_t)neg << (w - 1);
	int top = -1;

	for (ref_u128 t = m; t; t >>= 1)
		top++;
	if (top < 0)
		return sign;
	int exponent = top + e < f.emin ? f.emin : top + e, unit = exponent - (f.digits - 1), drop = unit - e;
	while (drop > 100) { /* the last bit remembers what went */
		m = m >> 1 | (m & 1);
		drop--;
		if (m <= 1)
			drop = drop > 100 ? 100 : drop;
	}
	uint64_t kept = (uint64_t)(drop > 0 ? m >> drop : m << -drop);
	if (drop > 0 && !to_zero) {
		ref_u128 rest = m & (((ref_u128)1 << drop) - 1), half = (ref_u128)1 << (drop - 1);
		kept += rest > half || (rest == half && (kept & 1));
	}
	if (kept >> f.digits) {
		kept >>= 1;
		exponent++;
	}
	if (exponent > f.emax)
		return to_zero ? (ref_inf(w, neg) - 1) : ref_inf(w, neg);
	if (!(kept >> (f.digits - 1)))
		return sign | kept; /* below the normal numbers */
	return sign | (uint64_t)(exponent + f.emax) << (f.digits - 1) | (kept & ((1ull << (f.digits - 1)) - 1));
}

static double ref_double(unsigned w, uint64_t bits)
{
	struct ref_float x = ref_open(w, bits);
	double d = x.nan ? (double)NAN : x.inf ? (double)INFINITY : ldexp((double)x.m, x.e);

	return x.neg ? -d : d;
}

/* Rounds a double, as the last step of something that is not exact anyway. */
static uint64_t ref_from_double(unsigned w, double d)
{
	uint64_t b;

	memcpy(&b, &d, 8);
	struct ref_float x = ref_open(64, b);
	return x.nan ? ref_nan(w) : x.inf ? ref_inf(w, x.neg) : ref_round(w, x.neg, x.m, x.e, false);
}

static float ref_single(uint64_t bits)
{
	uint32_t u = (uint32_t)bits;
	float f;

	memcpy(&f, &u, 4);
	return f;
}

static uint64_t ref_single_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return isnan(f) ? ref_nan(32) : u;
}

/* a * b + c in binary16: all terms are multiples of 2^-48, so the exact sum fits. */
static uint64_t ref_half_fma(uint64_t a, uint64_t b, uint64_t c)
{
	struct ref_float x = ref_open(16, a), y = ref_open(16, b), z = ref_open(16, c);
	bool neg = x.neg != y.neg, inf = x.inf || y.inf;

	if (x.nan || y.nan || z.nan || (x.inf && !y.inf && !y.m) || (y.inf && !x.inf && !x.m) || (inf && z.inf && neg != z.neg))
		return ref_nan(16);
	if (inf || z.inf)
		return ref_inf(16, inf ? neg : z.neg);
	ref_s128 p = (ref_s128)(x.m * y.m) << (x.e + y.e + 48), s = (ref_s128)z.m << (z.e + 48);
	ref_s128 sum = (neg ? -p : p) + (z.neg ? -s : s);
	if (!sum)
		return ref_round(16, neg && z.neg, 0, 0, false);
	return ref_round(16, sum < 0, (ref_u128)(sum < 0 ? -sum : sum), -48, false);
}

static uint64_t ref_arith(enum ir_op op, unsigned w, const uint64_t *a)
{
	uint64_t flip = 1ull << (w - 1), one = ref_round(w, false, 1, 0, false);

	if (w == 16) {
		uint64_t zero = (ref_open(16, a[0]).neg != ref_open(16, a[1]).neg ? flip : 0); /* adds nothing, sign included */
		return op == IR_fadd ? ref_half_fma(a[0], one, a[1]) : op == IR_fsub ? ref_half_fma(a[0], one, a[1] ^ flip) :
			op == IR_fmul ? ref_half_fma(a[0], a[1], zero) : ref_half_fma(a[0], a[1], a[2]);
	}
	if (w == 32) {
		volatile float x = ref_single(a[0]), y = ref_single(a[1]), r;
		r = op == IR_fadd ? x + y : op == IR_fsub ? x - y : op == IR_fmul ? x * y : fmaf(x, y, ref_single(a[2]));
		return ref_single_bits(r);
	}
	volatile double x = ref_double(64, a[0]), y = ref_double(64, a[1]), r;
	r = op == IR_fadd ? x + y : op == IR_fsub ? x - y : op == IR_fmul ? x * y : fma(x, y, ref_double(64, a[2]));
	return ref_from_double(64, r);
}

/* The integers around x: 0 toward minus infinity, 1 toward plus infinity, 2 toward zero, 3 nearest even. */
static uint64_t ref_integral(unsigned w, uint64_t bits, unsigned how)
{
	struct ref_float x = ref_open(w, bits);

	if (x.nan || x.inf || x.e >= 0)
		return x.nan ? ref_nan(w) : bits;
	uint64_t whole = -x.e > 63 ? 0 : x.m >> -x.e, rest = -x.e > 63 ? x.m : x.m & ((1ull << -x.e) - 1);
	uint64_t half = -x.e > 63 ? UINT64_MAX : 1ull << (-x.e - 1);
	bool up = how == 0 ? rest && x.neg : how == 1 ? rest && !x.neg : how == 3 && (rest > half || (rest == half && (whole & 1)));
	return ref_round(w, x.neg, whole + up, 0, false);
}

static uint64_t ref_elementary(enum ir_op op, unsigned w, uint64_t bits)
{
	double x = ref_double(w, bits);

	switch (op) {
	case IR_frcp: return ref_from_double(w, 1 / x);
	case IR_frsq: return ref_from_double(w, 1 / sqrt(x));
	case IR_fsqrt: return ref_from_double(w, sqrt(x));
	case IR_fexp2: return ref_from_double(w, exp2(x));
	case IR_flog2: return ref_from_double(w, log2(x));
	case IR_fsin: return ref_from_double(w, sin(x));
	case IR_fcos: return ref_from_double(w, cos(x));
	default: return ref_from_double(w, x - floor(x));
	}
}

/* Sign bit, class: sNaN qNaN -inf -normal -denormal -0 +0 +denormal +normal +inf. */
static unsigned ref_class(unsigned w, uint64_t bits)
{
	struct ref_float x = ref_open(w, bits);
	struct ref_format f = ref_format(w);

	if (x.nan)
		return bits >> (f.digits - 2) & 1;
	unsigned size = x.inf ? 3 : !x.m ? 0 : x.m >> (f.digits - 1) ? 2 : 1;
	return x.neg ? 5 - size : 6 + size;
}

static uint64_t ref_scale(unsigned w, uint64_t bits, int32_t by)
{
	struct ref_float x = ref_open(w, bits);

	if (x.nan || x.inf)
		return x.nan ? ref_nan(w) : bits;
	return ref_round(w, x.neg, x.m, x.e + (by > 5000 ? 5000 : by < -5000 ? -5000 : by), false);
}

static uint64_t ref_fraction(enum ir_op op, unsigned w, uint64_t bits)
{
	struct ref_float x = ref_open(w, bits);
	int top = 0;

	if (x.nan || x.inf || !x.m)
		return op == IR_ffrexpe ? 0 : x.nan ? ref_nan(w) : bits;
	while (x.m >> top)
		top++;
	return op == IR_ffrexpe ? (uint64_t)(int64_t)(top + x.e) : ref_round(w, x.neg, x.m, -top, false);
}

static uint64_t ref_pick(enum ir_op op, unsigned w, uint64_t a, uint64_t b)
{
	struct ref_float x = ref_open(w, a), y = ref_open(w, b);

	if (x.nan || y.nan)
		return x.nan && y.nan ? ref_nan(w) : x.nan ? b : a;
	return (ref_double(w, a) < ref_double(w, b)) == (op == IR_fmin) ? a : b;
}

static uint64_t ref_clamp(unsigned w, uint64_t bits)
{
	double x = ref_double(w, bits);

	return !(x > 0) ? 0 : x > 1 ? ref_round(w, false, 1, 0, false) : bits;
}

static bool ref_compare(enum ir_op op, unsigned w, uint64_t a, uint64_t b)
{
	bool unordered = ref_open(w, a).nan || ref_open(w, b).nan;
	double x = ref_double(w, a), y = ref_double(w, b);

	switch (op) {
	case IR_feq: return !unordered && x == y;
	case IR_flt: return !unordered && x < y;
	case IR_fle: return !unordered && x <= y;
	case IR_flg: return !unordered && x != y;
	case IR_fequ: return unordered || x == y;
	case IR_fltu: return unordered || x < y;
	case IR_fleu: return unordered || x <= y;
	case IR_fneu: return unordered || x != y;
	default: return unordered;
	}
}

/* ---- integers */
static ref_s128 ref_signed(unsigned w, uint64_t v)
{
	return v >> (w - 1) & 1 ? (ref_s128)v - ((ref_s128)1 << w) : (ref_s128)v;
}

/* Bit `at` of a number that goes on past its width: as its sign, or as zeros. */
static uint64_t ref_bit(unsigned w, uint64_t v, uint64_t at, bool sign)
{
	return at < w ? v >> at & 1 : sign ? v >> (w - 1) & 1 : 0;
}

static uint64_t ref_field(bool sign, unsigned w, uint64_t v, uint64_t offset, uint64_t width)
{
	uint64_t r = 0;

	width = width > w ? w : width;
	if (!sign && offset >= w)
		return 0;
	for (unsigned k = 0; k < w && width; k++) {
		if (k >= width && !sign)
			break;
		r |= ref_bit(w, v, offset + (k < width ? k : width - 1), sign) << k;
	}
	return r;
}

static uint64_t ref_count(enum ir_op op, unsigned w, uint64_t v)
{
	unsigned n = 0;

	if (op == IR_popc)
		for (unsigned k = 0; k < w; k++)
			n += v >> k & 1;
	else
		while (n < w && !(v >> (op == IR_clz ? w - 1 - n : n) & 1))
			n++;
	return n;
}

static uint64_t ref_reverse(unsigned w, uint64_t v)
{
	uint64_t r = 0;

	for (unsigned k = 0; k < w; k++)
		r |= (v >> k & 1) << (w - 1 - k);
	return r;
}

static uint64_t ref_to_int(bool is_signed, unsigned to, unsigned from, uint64_t bits)
{
	struct ref_float x = ref_open(from, bits);
	ref_s128 low = is_signed ? -((ref_s128)1 << (to - 1)) : 0, high = ((ref_s128)1 << (is_signed ? to - 1 : to)) - 1, v;

	if (x.nan)
		return 0;
	v = x.inf || x.e > 70 ? (x.inf || x.m ? (ref_s128)1 << 100 : 0) : x.e >= 0 ? (ref_s128)x.m << (x.e > 60 ? 60 : x.e) :
		x.e < -63 ? 0 : (ref_s128)(x.m >> -x.e);
	v = x.neg ? -v : v;
	return (uint64_t)(v < low ? low : v > high ? high : v);
}

static uint64_t ref_from_int(bool is_signed, unsigned to, unsigned from, uint64_t v)
{
	ref_s128 s = is_signed ? ref_signed(from, v) : (ref_s128)v;

	return ref_round(to, s < 0, (ref_u128)(s < 0 ? -s : s), 0, false);
}

static uint64_t ref_convert(unsigned to, unsigned from, uint64_t bits, bool to_zero)
{
	struct ref_float x = ref_open(from, bits);

	return x.nan ? ref_nan(to) : x.inf ? ref_inf(to, x.neg) : ref_round(to, x.neg, x.m, x.e, to_zero);
}

static bool ref_integer(enum ir_op op, unsigned w, const uint64_t *a, uint64_t *out)
{
	ref_s128 x = ref_signed(w, a[0]), y = ref_signed(w, a[1]);
	ref_u128 u = a[0], v = a[1];
	unsigned shift = (unsigned)(a[1] % w);

	switch (op) {
	case IR_iadd: *out = (uint64_t)(u + v); return true;
	case IR_isub: *out = (uint64_t)(u - v); return true;
	case IR_imul: *out = (uint64_t)(u * v); return true;
	case IR_umulh: *out = (uint64_t)(u * v >> w); return true;
	case IR_smulh: *out = (uint64_t)(x * y >> w); return true;
	case IR_carry: *out = (uint64_t)((u + v) >> w); return true;
	case IR_borrow: case IR_ult: *out = u < v; return true;
	case IR_ineg: *out = (uint64_t)-x; return true;
	case IR_iand: *out = a[0] & a[1]; return true;
	case IR_ior: *out = a[0] | a[1]; return true;
	case IR_ixor: *out = a[0] ^ a[1]; return true;
	case IR_inot: *out = ~a[0]; return true;
	case IR_shl: *out = (uint64_t)(u << shift); return true;
	case IR_lshr: *out = (uint64_t)(u >> shift); return true;
	case IR_ashr: *out = (uint64_t)(x >> shift); return true;
	case IR_smin: *out = (uint64_t)(x < y ? x : y); return true;
	case IR_smax: *out = (uint64_t)(x < y ? y : x); return true;
	case IR_umin: *out = (uint64_t)(u < v ? u : v); return true;
	case IR_umax: *out = (uint64_t)(u < v ? v : u); return true;
	case IR_popc: case IR_clz: case IR_ctz: *out = ref_count(op, w, a[0]); return true;
	case IR_brev: *out = ref_reverse(w, a[0]); return true;
	case IR_ubfe: case IR_sbfe: *out = ref_field(op == IR_sbfe, w, a[0], a[1], a[2]); return true;
	case IR_ieq: *out = u == v; return true;
	case IR_ine: *out = u != v; return true;
	case IR_slt: *out = x < y; return true;
	case IR_sle: *out = x <= y; return true;
	case IR_ule: *out = u <= v; return true;
	case IR_select: *out = a[0] ? a[1] : a[2]; return true;
	case IR_zext: case IR_trunc: case IR_bitcast: case IR_lo64: *out = a[0]; return true;
	case IR_sext: *out = (uint64_t)x; return true;
	case IR_pack64: *out = a[1] << 32 | a[0]; return true;
	case IR_hi64: *out = a[0] >> 32; return true;
	case IR_pack32: *out = a[1] << 16 | a[0]; return true;
	default: return false;
	}
}

static bool ref_floating(enum ir_op op, unsigned to, unsigned w, uint64_t imm, const uint64_t *a, uint64_t *out)
{
	switch (op) {
	case IR_s2f: case IR_u2f: *out = ref_from_int(op == IR_s2f, to, w, a[0]); return true;
	case IR_f2s: case IR_f2u: *out = ref_to_int(op == IR_f2s, to, w, a[0]); return true;
	case IR_f2f: case IR_f2f_rtz: *out = ref_convert(to, w, a[0], op == IR_f2f_rtz); return true;
	case IR_fadd: case IR_fsub: case IR_fmul: case IR_ffma: *out = ref_arith(op, w, a); return true;
	case IR_fmin: case IR_fmax: *out = ref_pick(op, w, a[0], a[1]); return true;
	case IR_fneg: *out = a[0] ^ 1ull << (w - 1); return true;
	case IR_fabs: *out = a[0] & ~(1ull << (w - 1)); return true;
	case IR_fsat: *out = ref_clamp(w, a[0]); return true;
	case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne: *out = ref_integral(w, a[0], op - IR_ffloor); return true;
	case IR_ffract: case IR_frcp: case IR_frsq: case IR_fsqrt: case IR_fexp2: case IR_flog2: case IR_fsin: case IR_fcos:
		*out = ref_elementary(op, w, a[0]);
		return true;
	case IR_fldexp: *out = ref_scale(w, a[0], (int32_t)(uint32_t)a[1]); return true;
	case IR_ffrexpm: case IR_ffrexpe: *out = ref_fraction(op, w, a[0]); return true;
	case IR_fflush: *out = ref_class(w, a[0]) == 4 || ref_class(w, a[0]) == 7 ? a[0] & 1ull << (w - 1) : a[0]; return true;
	case IR_feq: case IR_flt: case IR_fle: case IR_flg: case IR_fequ: case IR_fltu: case IR_fleu: case IR_fneu: case IR_funo:
		*out = ref_compare(op, w, a[0], a[1]);
		return true;
	case IR_fclass: *out = imm >> ref_class(w, a[0]) & 1; return true;
	default: return false;
	}
}

/* The row's result for operand bits; false where the row has no arithmetic. The result has the type's width. */
static bool alu_ref(enum ir_op op, ir_type type, uint64_t imm, const ir_type *types, const uint64_t *args, uint64_t *out)
{
	uint64_t a[3] = { args[0], args[1], args[2] };
	unsigned w = ir_bits(types[0]), to = ir_bits(type);

	if (!ref_integer(op, w, a, out) && !ref_floating(op, to, w, imm, a, out))
		return false;
	if (to < 64)
		*out &= (1ull << to) - 1;
	return true;
}

#endif
