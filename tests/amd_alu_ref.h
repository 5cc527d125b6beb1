/* amd_alu_ref.h - C references of vector instructions for amd_alu_test.c, written from the definitions in the instruction
 * set documents (RDNA 2, Sea Islands). VREF(mnemonic, "results:operands", flags, expression): operands are A B C of the
 * named type (see amd_alu_state.h), D is the destination before. */
#ifndef AMD_ALU_REF_H
#define AMD_ALU_REF_H

enum {
	APPROX = 1,  /* host precision: compared with a tolerance */
	SSAT = 2,    /* the expression is exact, a clamp saturates to the signed range */
	USAT = 4,
	ACCUM = 8,   /* reads its destination */
	ABSOLUTE = 16, /* with APPROX: the tolerance is absolute, too */
};

struct op {
	const struct machine *m;
	const struct text *t;
	unsigned lane;
	uint64_t a[4], d;
	bool cin, cout;
	uint32_t wide[4]; /* results of more than 64 bits */
};

struct vref { const char *name, *sig; unsigned flags; uint64_t (*fn)(struct op *); };

#define U(n) ((uint32_t)o->a[n])
#define S(n) ((int32_t)o->a[n])
#define F(n) as_float((uint32_t)o->a[n])
#define DD(n) as_double(o->a[n])
#define H(n) as_half((uint32_t)o->a[n] & 0xffff)
#define UW(n) ((uint16_t)o->a[n])
#define SW(n) ((int16_t)o->a[n])
#define RF(x) float_bits((float)(x))
#define RD(x) double_bits(x)
#define RH(x) half_bits(x)
#define RI(x) ((uint64_t)(int64_t)(x))

/* ---- helpers */
static uint64_t flushed(bool flush, char type, uint64_t v)
{
	return flush && type == 'f' && !(v & 0x7f800000) ? v & 0x80000000 : v;
}
/* A product that is rounded before it is added to. */
#define PRODUCT(x) as_float((uint32_t)flushed(o->m->flush, 'f', float_bits((float)(x))))

static double dmin(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static double dmax(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static double dmed(double a, double b, double c)
{
	if (isnan(a) || isnan(b) || isnan(c))
		return dmin(dmin(a, b), c);
	double top = dmax(dmax(a, b), c);
	return top == a ? dmax(b, c) : top == b ? dmax(a, c) : dmax(a, b);
}
static double even(double x)
{
	double f = floor(x), d = x - f;

	if (!(fabs(x) < 4503599627370496.0))
		return x;
	f += d > 0.5 || (d == 0.5 && fmod(f, 2) != 0);
	return copysign(f, x);
}
static uint32_t to_u32(double x) { return isnan(x) || x <= 0 ? 0 : x >= 4294967296.0 ? UINT32_MAX : (uint32_t)x; }
static uint32_t to_i32(double x)
{
	return isnan(x) ? 0 : x >= 2147483648.0 ? INT32_MAX : x <= -2147483648.0 ? 0x80000000u : (uint32_t)(int32_t)x;
}
static uint32_t to_u16(double x) { return isnan(x) || x <= 0 ? 0 : x >= 65535 ? 65535 : (uint32_t)x; }
static uint32_t to_i16(double x)
{
	return (uint32_t)(isnan(x) ? 0 : x >= 32767 ? 32767 : x <= -32768 ? -32768 : (int32_t)x) & 0xffff;
}
static int64_t s24(uint32_t v) { return (int32_t)(v << 8) >> 8; }
static uint32_t ffbh(uint32_t v)
{
	for (unsigned i = 0; i < 32; i++)
		if (v >> (31 - i) & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t ffbl(uint32_t v)
{
	for (unsigned i = 0; i < 32; i++)
		if (v >> i & 1)
			return i;
	return UINT32_MAX;
}
static uint32_t ffbh_i(uint32_t v)
{
	for (unsigned i = 1; i < 32; i++)
		if ((v >> (31 - i) & 1) != v >> 31)
			return i;
	return UINT32_MAX;
}
static uint32_t reverse(uint32_t v)
{
	uint32_t r = 0;

	for (unsigned i = 0; i < 32; i++)
		r |= (v >> i & 1) << (31 - i);
	return r;
}
static uint32_t ones(uint64_t v)
{
	uint32_t n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}
static uint32_t field(uint32_t v, uint32_t at, uint32_t n) { return n ? v >> at & (0xffffffffu >> (32 - n)) : 0; }
static uint32_t sfield(uint32_t v, uint32_t at, uint32_t n)
{
	uint32_t f = field(v, at, n);

	if (at + n > 32)
		return (uint32_t)((int32_t)v >> at);
	return n && f >> (n - 1) & 1 ? f | ~(0xffffffffu >> (32 - n)) : f;
}
/* 1 / n, then its arc tangent, as a fraction of 32 PI_N bits below the first word: into `sum`, times `by`. */
enum { PI_N = 44 };
static void arc_tangent(uint32_t sum[PI_N], uint32_t n, int by)
{
	uint32_t power[PI_N] = {(uint32_t)abs(by)};
	bool some = true;

	for (unsigned k = 1; some; k += 2, by = -by) {
		uint64_t r = 0, q = 0;
		int64_t carry = 0;
		uint32_t term[PI_N];
		some = false;
		for (unsigned i = 0; i < PI_N; i++) {
			r = r << 32 | power[i];
			power[i] = (uint32_t)(r / (k == 1 ? n : n * n));
			r %= k == 1 ? n : n * n;
			some |= power[i] != 0;
			q = q << 32 | power[i];
			term[i] = (uint32_t)(q / k);
			q %= k;
		}
		for (unsigned i = PI_N; i-- > 0; carry >>= 32) {
			carry += by > 0 ? (int64_t)sum[i] + term[i] : (int64_t)sum[i] - term[i];
			sum[i] = (uint32_t)carry;
		}
	}
}
/* Bits of 2 / pi, 53 from `at` on; none past the first 1201. */
static uint64_t two_over_pi(unsigned at)
{
	uint32_t pi[PI_N] = {0}, rest[PI_N] = {2};
	uint64_t bits = 0;

	arc_tangent(pi, 5, 16); /* Machin */
	arc_tangent(pi, 239, -4);
	for (unsigned i = 0; i < at + 53; i++) {
		int64_t less = 0;
		uint32_t left[PI_N];
		for (unsigned k = 0; k < PI_N; k++) /* no carry leaves: the rest is less than pi */
			rest[k] = rest[k] << 1 | (k + 1 < PI_N ? rest[k + 1] >> 31 : 0);
		for (unsigned k = PI_N; k-- > 0; less >>= 32) {
			less += (int64_t)rest[k] - pi[k];
			left[k] = (uint32_t)less;
		}
		if (!less)
			memcpy(rest, left, sizeof rest);
		if (i >= at)
			bits = bits << 1 | (!less && i < 1201);
	}
	return bits;
}
static double trig_preop(uint64_t angle, uint32_t segment)
{
	int exponent = angle >> 52 & 2047, at = (int)(segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);

	return ldexp((double)two_over_pi((unsigned)at), (exponent >= 1968 ? 128 : 0) - 53 - at);
}
static uint32_t perm(uint32_t hi, uint32_t lo, uint32_t sel)
{
	uint64_t both = (uint64_t)hi << 32 | lo;
	uint32_t v = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned s = sel >> 8 * i & 255;
		uint32_t byte = s < 8 ? (uint32_t)(both >> 8 * s) & 255 : s < 12 ? (both >> (16 * (s - 8) + 15) & 1 ? 255 : 0) :
			s == 12 ? 0 : 255;
		v |= byte << 8 * i;
	}
	return v;
}
static uint32_t sad_bytes(uint32_t a, uint32_t b, bool masked)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < 32; i += 8) {
		int x = a >> i & 255, y = b >> i & 255;
		if (!masked || y)
			n += (uint32_t)(x > y ? x - y : y - x);
	}
	return n;
}
static uint32_t lerp(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 32; i += 8)
		v |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) / 2 << i;
	return v;
}
static double cube(float x, float y, float z, int what)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	int face = az >= ax && az >= ay ? (z < 0 ? 5 : 4) : ay >= ax ? (y < 0 ? 3 : 2) : x < 0 ? 1 : 0;

	switch (what) {
	case 0: return face;
	case 1: return face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x;
	case 2: return face == 2 ? z : face == 3 ? -z : -y;
	default: return 2 * (face >= 4 ? z : face >= 2 ? y : x);
	}
}
static double fract(double x) { return x - floor(x); }
static double mant(double x) { int e; return x == 0 || !isfinite(x) ? x : frexp(x, &e); }
static int32_t expo(double x)
{
	int e = 0;

	if (x != 0 && isfinite(x))
		frexp(x, &e);
	return e;
}
static double legacy(float a, float b) { return a == 0 || b == 0 ? 0 : a * b; }
static uint32_t norm(double x, bool sign)
{
	if (isnan(x))
		return 0;
	x = x > 1 ? 1 : x < (sign ? -1 : 0) ? (sign ? -1 : 0) : x;
	return (uint32_t)(int32_t)even((double)((float)x * (sign ? 32767.0f : 65535.0f))) & 0xffff;
}
static uint32_t pack(uint32_t lo, uint32_t hi) { return (lo & 0xffff) | hi << 16; }
static uint32_t cap(int64_t v, int64_t lo, int64_t hi) { return (uint32_t)(v < lo ? lo : v > hi ? hi : v); }
static unsigned class_of(uint64_t bits, unsigned w, unsigned man)
{
	bool neg = bits >> (w - 1) & 1;
	uint64_t frac = bits & ((1ull << man) - 1), ex = bits >> man & ((1ull << (w - 1 - man)) - 1);

	if (ex == (1ull << (w - 1 - man)) - 1)
		return frac ? (frac >> (man - 1) & 1 ? 1 : 0) : neg ? 2 : 9;
	return ex ? (neg ? 3 : 8) : frac ? (neg ? 4 : 7) : neg ? 5 : 6;
}
static uint64_t add3(struct op *o, uint64_t a, uint64_t b, bool c, bool sub)
{
	uint64_t v = sub ? a - b - c : a + b + c;

	o->cout = v >> 32 & 1;
	if (o->t->clamp && o->cout)
		return sub ? 0 : UINT32_MAX;
	return (uint32_t)v;
}
static uint64_t qsad(struct op *o, bool masked, bool wide)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint32_t s = sad_bytes((uint32_t)(o->a[0] >> 8 * i), U(1), masked);
		if (wide) {
			uint64_t v = (uint64_t)s + dword(o->m, &o->t->o[3], o->lane, i);
			o->wide[i] = o->t->clamp && v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
		} else {
			uint64_t v = s + (o->a[2] >> 16 * i & 0xffff);
			r |= (o->t->clamp && v > 65535 ? 65535 : v & 65535) << 16 * i;
		}
	}
	return r;
}
static uint64_t mad64(struct op *o, bool sign)
{
	__int128 p = sign ? (__int128)((int64_t)S(0) * S(1)) + (int64_t)o->a[2] :
		(__int128)((uint64_t)U(0) * U(1)) + (__int128)o->a[2];

	o->cout = p >> 64 & 1;
	return (uint64_t)p;
}
static int64_t dots(uint32_t a, uint32_t b, unsigned bits, bool sign)
{
	int64_t n = 0;

	for (unsigned i = 0; i < 32; i += bits)
		n += sign ? (int64_t)(int32_t)sfield(a, i, bits) * (int32_t)sfield(b, i, bits) :
			(int64_t)((uint64_t)field(a, i, bits) * field(b, i, bits));
	return n;
}
static uint64_t dot16(struct op *o, bool sign)
{
	int64_t n = sign ? (int64_t)S(2) : (int64_t)(uint64_t)U(2);

	for (unsigned i = 0; i < 2; i++) {
		unsigned sel = i ? o->t->op_sel_hi : o->t->op_sel;
		uint32_t x = U(0) >> 16 * (sel & 1) & 0xffff, y = U(1) >> 16 * (sel >> 1 & 1) & 0xffff;
		n += sign ? (int64_t)(int16_t)x * (int16_t)y : (int64_t)((uint64_t)x * y);
	}
	return (uint64_t)n;
}
/* The division of ordinary values is checked as a whole elsewhere; here the cases by the documents. */
static uint64_t fixup(struct op *o, unsigned w, unsigned man, int bias)
{
	uint64_t top = 1ull << (w - 1), all = (1ull << (w - 1 - man)) - 1, inf = all << man, quiet = 1ull << (man - 1);
	uint64_t q = o->a[0], d = o->a[1], n = o->a[2], sign = (d ^ n) & top;
	unsigned cd = class_of(d, w, man), cn = class_of(n, w, man);
	bool zd = cd == 5 || cd == 6, zn = cn == 5 || cn == 6, id = cd == 2 || cd == 9, in = cn == 2 || cn == 9;
	int ed = (int)(d >> man & all), en = (int)(n >> man & all);

	if (cn < 2)
		return n | quiet;
	if (cd < 2)
		return d | quiet;
	if ((zd && zn) || (id && in))
		return top | inf | quiet;
	if (zd || in)
		return sign | inf;
	if (id || zn)
		return sign;
	if (w != 16 && en - ed < -(bias + (int)man))
		return sign;
	return sign | (q & (top - 1));
}
static uint64_t scale(struct op *o, bool wide)
{
	double a = wide ? DD(0) : (double)F(0), d = wide ? DD(1) : (double)F(1), n = wide ? DD(2) : (double)F(2);
	unsigned w = wide ? 64 : 32, man = wide ? 52 : 23, step = wide ? 128 : 64;
	int ed = (int)(o->a[1] >> man & ((1u << (w - 1 - man)) - 1)), en = (int)(o->a[2] >> man & ((1u << (w - 1 - man)) - 1));
	unsigned cd = class_of(o->a[1], w, man);
	long double q = fabsl((long double)n / d), r = fabsl(1 / (long double)d), tiny = wide ? 0x1p-1022L : 0x1p-126L;
	bool fin = isfinite(n) && isfinite(d), qden = fin && q < tiny, rden = fin && r < tiny;
	double v = a;

	if (isfinite(d) && !fin)
		rden = r < tiny;
	if (n == 0 || d == 0) {
		v = (double)NAN;
	} else if (en - ed >= (wide ? 768 : 96)) {
		o->cout = true;
		v = a == d ? ldexp(a, (int)step) : a;
	} else if (cd == 4 || cd == 7) {
		v = ldexp(a, (int)step);
	} else if (rden && qden) {
		o->cout = true;
		v = a == d ? ldexp(a, -(int)step) : a;
	} else if (rden) {
		v = ldexp(a, -(int)step);
	} else if (qden) {
		o->cout = true;
		v = a == n ? ldexp(a, (int)step) : a;
	} else if (en <= (wide ? 53 : 23)) {
		v = ldexp(a, (int)step);
	}
	return wide ? double_bits(v) : float_bits((float)v);
}
static uint64_t fmas(struct op *o, bool wide)
{
	if (wide) {
		double v = fma(DD(0), DD(1), DD(2));
		return RD(o->cin ? ldexp(v, (o->a[2] >> 52 & 2047) > 1023 ? 128 : -128) : v);
	}
	float v = fmaf(F(0), F(1), F(2));
	return RF(o->cin ? ldexpf(v, (o->a[2] >> 23 & 255) > 127 ? 64 : -64) : v);
}
static double no_inf(double v, double most, bool legacy_zero)
{
	return isinf(v) ? copysign(legacy_zero ? 0 : most, v) : v;
}
/* One rounding of a product and a sum of halves, by exact integers in units of 2^-48. */
static uint32_t hfma(double a, double b, double c)
{
	long double p = (long double)a * b; /* exact */
	long double s = p + c;              /* 64 bits of mantissa; make the sticky bit explicit */
	double d = (double)s;

	if (!isfinite(d) || d == 0)
		return half_bits(d == 0 && p != 0 ? (double)s : d);
	long double rest = isfinite((double)p) ? (p - s) + c : 0, low = s - d;
	if (low + rest != 0) { /* not exact: move off a tie in the right direction */
		double toward = low + rest > 0 ? (double)INFINITY : (double)-INFINITY;
		if (half_bits(d) != half_bits(nextafter(d, toward)))
			return half_bits(nextafter(d, toward));
	}
	return half_bits(d);
}
/* Two products added to a float, the low one first, each with one rounding. */
static float dot2(double a0, double b0, double a1, double b1, float c)
{
	return fmaf((float)a1, (float)b1, fmaf((float)a0, (float)b0, c));
}
static double part16(const struct op *o, unsigned i, unsigned h)
{
	unsigned sel = h ? o->t->op_sel_hi : o->t->op_sel, neg = h ? o->t->neg_hi : o->t->neg_lo;
	double v = as_half((uint32_t)o->a[i] >> 16 * (sel >> i & 1) & 0xffff);

	return neg >> i & 1 ? -v : v;
}
static double quiet_log2(double x) { return log2(x); }

/* ---- the table */
#define VREF_LIST(X) \
	X(v_mov_b32, "i:i", 0, U(0)) X(v_not_b32, "i:i", 0, ~U(0)) X(v_bfrev_b32, "i:i", 0, reverse(U(0))) \
	X(v_cndmask_b32, "i:iim", 0, o->a[2] ? U(1) : U(0)) \
	X(v_add_f32, "f:ff", 0, RF(F(0) + F(1))) X(v_sub_f32, "f:ff", 0, RF(F(0) - F(1))) \
	X(v_subrev_f32, "f:ff", 0, RF(F(1) - F(0))) X(v_mul_f32, "f:ff", 0, RF(F(0) * F(1))) \
	X(v_mul_legacy_f32, "f:ff", 0, RF(legacy(F(0), F(1)))) \
	X(v_mac_f32, "f:ff", ACCUM, RF(PRODUCT(F(0) * F(1)) + as_float((uint32_t)o->d))) \
	X(v_mac_legacy_f32, "f:ff", ACCUM, RF(PRODUCT(legacy(F(0), F(1))) + as_float((uint32_t)o->d))) \
	X(v_fmac_f32, "f:ff", ACCUM, RF(fmaf(F(0), F(1), as_float((uint32_t)o->d)))) \
	X(v_fmac_legacy_f32, "f:ff", ACCUM, RF(F(0) == 0 || F(1) == 0 ? 0.0f + as_float((uint32_t)o->d) : \
		fmaf(F(0), F(1), as_float((uint32_t)o->d)))) \
	X(v_fma_legacy_f32, "f:fff", 0, RF(F(0) == 0 || F(1) == 0 ? 0.0f + F(2) : fmaf(F(0), F(1), F(2)))) \
	X(v_mad_f32, "f:fff", 0, RF(PRODUCT(F(0) * F(1)) + F(2))) X(v_fma_f32, "f:fff", 0, RF(fmaf(F(0), F(1), F(2)))) \
	X(v_mad_legacy_f32, "f:fff", 0, RF(PRODUCT(legacy(F(0), F(1))) + F(2))) \
	X(v_madmk_f32, "f:fff", 0, RF(PRODUCT(F(0) * F(1)) + F(2))) X(v_madak_f32, "f:fff", 0, RF(PRODUCT(F(0) * F(1)) + F(2))) \
	X(v_fmamk_f32, "f:fff", 0, RF(fmaf(F(0), F(1), F(2)))) X(v_fmaak_f32, "f:fff", 0, RF(fmaf(F(0), F(1), F(2)))) \
	X(v_fma_f64, "d:ddd", 0, RD(fma(DD(0), DD(1), DD(2)))) \
	X(v_min_f32, "f:ff", 0, RF(dmin(F(0), F(1)))) X(v_max_f32, "f:ff", 0, RF(dmax(F(0), F(1)))) \
	X(v_min_legacy_f32, "f:ff", 0, RF(F(0) < F(1) ? F(0) : F(1))) X(v_max_legacy_f32, "f:ff", 0, RF(F(0) >= F(1) ? F(0) : F(1))) \
	X(v_min3_f32, "f:fff", 0, RF(dmin(dmin(F(0), F(1)), F(2)))) X(v_max3_f32, "f:fff", 0, RF(dmax(dmax(F(0), F(1)), F(2)))) \
	X(v_med3_f32, "f:fff", 0, RF(dmed(F(0), F(1), F(2)))) \
	X(v_min3_f16, "h:hhh", 0, RH(dmin(dmin(H(0), H(1)), H(2)))) X(v_max3_f16, "h:hhh", 0, RH(dmax(dmax(H(0), H(1)), H(2)))) \
	X(v_med3_f16, "h:hhh", 0, RH(dmed(H(0), H(1), H(2)))) \
	X(v_add_f64, "d:dd", 0, RD(DD(0) + DD(1))) X(v_mul_f64, "d:dd", 0, RD(DD(0) * DD(1))) \
	X(v_min_f64, "d:dd", 0, RD(dmin(DD(0), DD(1)))) X(v_max_f64, "d:dd", 0, RD(dmax(DD(0), DD(1)))) \
	X(v_ldexp_f32, "f:fi", 0, RF(ldexpf(F(0), S(1) > 1000 ? 1000 : S(1) < -1000 ? -1000 : S(1)))) \
	X(v_trig_preop_f64, "d:di", 0, RD(trig_preop(o->a[0], U(1)))) \
	X(v_ldexp_f64, "d:di", 0, RD(ldexp(DD(0), S(1) > 5000 ? 5000 : S(1) < -5000 ? -5000 : S(1)))) \
	X(v_ldexp_f16, "h:hw", 0, RH(ldexp(H(0), SW(1) > 100 ? 100 : SW(1) < -100 ? -100 : SW(1)))) \
	X(v_add_f16, "h:hh", 0, RH(H(0) + H(1))) X(v_sub_f16, "h:hh", 0, RH(H(0) - H(1))) \
	X(v_subrev_f16, "h:hh", 0, RH(H(1) - H(0))) X(v_mul_f16, "h:hh", 0, RH(H(0) * H(1))) \
	X(v_fmac_f16, "h:hh", ACCUM, hfma(H(0), H(1), as_half((uint32_t)o->d & 0xffff))) X(v_fma_f16, "h:hhh", 0, hfma(H(0), H(1), H(2))) \
	X(v_fmamk_f16, "h:hhh", 0, hfma(H(0), H(1), H(2))) X(v_fmaak_f16, "h:hhh", 0, hfma(H(0), H(1), H(2))) \
	X(v_max_f16, "h:hh", 0, RH(dmax(H(0), H(1)))) X(v_min_f16, "h:hh", 0, RH(dmin(H(0), H(1)))) \
	X(v_mul_i32_i24, "i:ii", SSAT, RI(s24(U(0)) * s24(U(1)))) X(v_mul_u32_u24, "i:ii", USAT, RI((int64_t)(U(0) & 0xffffff) * (U(1) & 0xffffff))) \
	X(v_mul_hi_i32_i24, "i:ii", 0, RI(s24(U(0)) * s24(U(1)) >> 32)) \
	X(v_mul_hi_u32_u24, "i:ii", 0, RI((int64_t)(U(0) & 0xffffff) * (U(1) & 0xffffff) >> 32)) \
	X(v_mad_i32_i24, "i:iii", SSAT, RI(s24(U(0)) * s24(U(1)) + S(2))) \
	X(v_mad_u32_u24, "i:iii", USAT, RI((int64_t)(U(0) & 0xffffff) * (U(1) & 0xffffff) + U(2))) \
	X(v_mad_u32_u16, "i:wwi", USAT, RI((int64_t)UW(0) * UW(1) + U(2))) X(v_mad_i32_i16, "i:wwi", SSAT, RI((int64_t)SW(0) * SW(1) + S(2))) \
	X(v_min_i32, "i:ii", 0, S(0) < S(1) ? U(0) : U(1)) X(v_max_i32, "i:ii", 0, S(0) > S(1) ? U(0) : U(1)) \
	X(v_min_u32, "i:ii", 0, U(0) < U(1) ? U(0) : U(1)) X(v_max_u32, "i:ii", 0, U(0) > U(1) ? U(0) : U(1)) \
	X(v_lshr_b32, "i:ii", 0, U(0) >> (U(1) & 31)) X(v_lshrrev_b32, "i:ii", 0, U(1) >> (U(0) & 31)) \
	X(v_ashr_i32, "i:ii", 0, (uint32_t)(S(0) >> (U(1) & 31))) X(v_ashrrev_i32, "i:ii", 0, (uint32_t)(S(1) >> (U(0) & 31))) \
	X(v_lshl_b32, "i:ii", 0, U(0) << (U(1) & 31)) X(v_lshlrev_b32, "i:ii", 0, U(1) << (U(0) & 31)) \
	X(v_and_b32, "i:ii", 0, U(0) & U(1)) X(v_or_b32, "i:ii", 0, U(0) | U(1)) X(v_xor_b32, "i:ii", 0, U(0) ^ U(1)) \
	X(v_xnor_b32, "i:ii", 0, ~(U(0) ^ U(1))) \
	X(v_bfm_b32, "i:ii", 0, ((1u << (U(0) & 31)) - 1) << (U(1) & 31)) X(v_bcnt_u32_b32, "i:ii", 0, ones(U(0)) + U(1)) \
	X(v_mbcnt_lo_u32_b32, "i:ii", 0, ones(U(0) & (o->lane < 32 ? (1u << o->lane) - 1 : UINT32_MAX)) + U(1)) \
	X(v_mbcnt_hi_u32_b32, "i:ii", 0, ones(U(0) & (o->lane < 32 ? 0 : (1u << (o->lane - 32)) - 1)) + U(1)) \
	X(v_add_nc_u32, "i:ii", USAT, RI((int64_t)U(0) + U(1))) X(v_sub_nc_u32, "i:ii", USAT, RI((int64_t)U(0) - U(1))) \
	X(v_subrev_nc_u32, "i:ii", USAT, RI((int64_t)U(1) - U(0))) \
	X(v_add_nc_i32, "i:ii", SSAT, RI((int64_t)S(0) + S(1))) X(v_sub_nc_i32, "i:ii", SSAT, RI((int64_t)S(0) - S(1))) \
	X(v_add_i32, "im:ii", 0, add3(o, U(0), U(1), 0, false)) X(v_sub_i32, "im:ii", 0, add3(o, U(0), U(1), 0, true)) \
	X(v_subrev_i32, "im:ii", 0, add3(o, U(1), U(0), 0, true)) \
	X(v_add_co_u32, "im:ii", 0, add3(o, U(0), U(1), 0, false)) X(v_sub_co_u32, "im:ii", 0, add3(o, U(0), U(1), 0, true)) \
	X(v_subrev_co_u32, "im:ii", 0, add3(o, U(1), U(0), 0, true)) \
	X(v_add_co_ci_u32, "im:iim", 0, add3(o, U(0), U(1), o->a[2], false)) X(v_sub_co_ci_u32, "im:iim", 0, add3(o, U(0), U(1), o->a[2], true)) \
	X(v_subrev_co_ci_u32, "im:iim", 0, add3(o, U(1), U(0), o->a[2], true)) \
	X(v_addc_u32, "im:iim", 0, add3(o, U(0), U(1), o->a[2], false)) X(v_subb_u32, "im:iim", 0, add3(o, U(0), U(1), o->a[2], true)) \
	X(v_subbrev_u32, "im:iim", 0, add3(o, U(1), U(0), o->a[2], true)) \
	X(v_cvt_pknorm_i16_f32, "p:ff", 0, pack(norm(F(0), true), norm(F(1), true))) \
	X(v_cvt_pknorm_u16_f32, "p:ff", 0, pack(norm(F(0), false), norm(F(1), false))) \
	X(v_cvt_pknorm_i16_f16, "p:hh", 0, pack(norm(H(0), true), norm(H(1), true))) \
	X(v_cvt_pknorm_u16_f16, "p:hh", 0, pack(norm(H(0), false), norm(H(1), false))) \
	X(v_cvt_norm_i16_f16, "w:h", 0, norm(H(0), true)) X(v_cvt_norm_u16_f16, "w:h", 0, norm(H(0), false)) \
	X(v_cvt_pkrtz_f16_f32, "p:ff", 0, pack(half_round(F(0), true), half_round(F(1), true))) \
	X(v_cvt_pk_u16_u32, "p:ii", 0, pack(cap(U(0), 0, 65535), cap(U(1), 0, 65535))) \
	X(v_cvt_pk_i16_i32, "p:ii", 0, pack(cap(S(0), -32768, 32767), cap(S(1), -32768, 32767))) \
	X(v_pack_b32_f16, "p:hh", 0, pack((uint32_t)o->a[0], (uint32_t)o->a[1])) \
	X(v_dot2c_f32_f16, "f:pp", ACCUM, RF(dot2(H(0), H(1), as_half(U(0) >> 16), as_half(U(1) >> 16), as_float((uint32_t)o->d)))) \
	X(v_dot4c_i32_i8, "i:ii", ACCUM, RI(dots(U(0), U(1), 8, true) + (int32_t)o->d)) \
	X(v_pk_fmac_f16, "p:pp", ACCUM, pack(hfma(H(0), H(1), as_half((uint32_t)o->d & 0xffff)), \
		hfma(as_half(U(0) >> 16), as_half(U(1) >> 16), as_half((uint32_t)o->d >> 16)))) \
	X(v_cvt_i32_f64, "i:d", 0, to_i32(DD(0))) X(v_cvt_f64_i32, "d:i", 0, RD(S(0))) X(v_cvt_f32_i32, "f:i", 0, RF(S(0))) \
	X(v_cvt_f32_u32, "f:i", 0, RF(U(0))) X(v_cvt_u32_f32, "i:f", 0, to_u32(F(0))) X(v_cvt_i32_f32, "i:f", 0, to_i32(F(0))) \
	X(v_cvt_f16_f32, "h:f", 0, RH(F(0))) X(v_cvt_f32_f16, "f:h", 0, RF(H(0))) \
	X(v_cvt_rpi_i32_f32, "i:f", 0, to_i32(floor((double)(F(0) + 0.5f)))) X(v_cvt_flr_i32_f32, "i:f", 0, to_i32(floor(F(0)))) \
	X(v_cvt_off_f32_i4, "f:i", 0, RF((int32_t)sfield(U(0), 0, 4) / 16.0)) X(v_cvt_f32_f64, "f:d", 0, RF(DD(0))) \
	X(v_cvt_f64_f32, "d:f", 0, RD(F(0))) X(v_cvt_f32_ubyte0, "f:i", 0, RF(U(0) & 255)) X(v_cvt_f32_ubyte1, "f:i", 0, RF(U(0) >> 8 & 255)) \
	X(v_cvt_f32_ubyte2, "f:i", 0, RF(U(0) >> 16 & 255)) X(v_cvt_f32_ubyte3, "f:i", 0, RF(U(0) >> 24)) \
	X(v_cvt_u32_f64, "i:d", 0, to_u32(DD(0))) X(v_cvt_f64_u32, "d:i", 0, RD(U(0))) \
	X(v_cvt_f16_u16, "h:w", 0, RH(UW(0))) X(v_cvt_f16_i16, "h:w", 0, RH(SW(0))) X(v_cvt_u16_f16, "w:h", 0, to_u16(H(0))) \
	X(v_cvt_i16_f16, "w:h", 0, to_i16(H(0))) \
	X(v_trunc_f64, "d:d", 0, RD(trunc(DD(0)))) X(v_ceil_f64, "d:d", 0, RD(ceil(DD(0)))) X(v_rndne_f64, "d:d", 0, RD(even(DD(0)))) \
	X(v_floor_f64, "d:d", 0, RD(floor(DD(0)))) X(v_fract_f64, "d:d", APPROX, RD(fract(DD(0)))) \
	X(v_fract_f32, "f:f", APPROX, RF(fract(F(0)))) X(v_trunc_f32, "f:f", 0, RF(truncf(F(0)))) X(v_ceil_f32, "f:f", 0, RF(ceilf(F(0)))) \
	X(v_rndne_f32, "f:f", 0, RF(even(F(0)))) X(v_floor_f32, "f:f", 0, RF(floorf(F(0)))) \
	X(v_fract_f16, "h:h", APPROX, RH(fract(H(0)))) X(v_trunc_f16, "h:h", 0, RH(trunc(H(0)))) X(v_ceil_f16, "h:h", 0, RH(ceil(H(0)))) \
	X(v_rndne_f16, "h:h", 0, RH(even(H(0)))) X(v_floor_f16, "h:h", 0, RH(floor(H(0)))) \
	X(v_exp_f32, "f:f", APPROX, RF(exp2(F(0)))) X(v_log_f32, "f:f", APPROX, RF(quiet_log2(F(0)))) X(v_rcp_f32, "f:f", APPROX, RF(1.0 / F(0))) \
	X(v_exp_legacy_f32, "f:f", APPROX, RF(exp2(F(0)))) X(v_log_legacy_f32, "f:f", APPROX, RF(quiet_log2(F(0)))) \
	X(v_log_clamp_f32, "f:f", APPROX, RF(no_inf((float)quiet_log2(F(0)), (double)0x1.fffffep127f, false))) \
	X(v_rcp_clamp_f32, "f:f", APPROX, RF(no_inf((float)(1.0 / F(0)), (double)0x1.fffffep127f, false))) \
	X(v_rcp_legacy_f32, "f:f", APPROX, RF(no_inf((float)(1.0 / F(0)), 0, true))) \
	X(v_rsq_clamp_f32, "f:f", APPROX, RF(no_inf((float)(1.0 / sqrt(F(0))), (double)0x1.fffffep127f, false))) \
	X(v_rsq_legacy_f32, "f:f", APPROX, RF(no_inf((float)(1.0 / sqrt(F(0))), 0, true))) \
	X(v_rcp_clamp_f64, "d:d", APPROX, RD(no_inf(1.0 / DD(0), 0x1.fffffffffffffp1023, false))) \
	X(v_rsq_clamp_f64, "d:d", APPROX, RD(no_inf(1.0 / sqrt(DD(0)), 0x1.fffffffffffffp1023, false))) \
	X(v_rcp_iflag_f32, "f:f", APPROX, RF(1.0 / F(0))) X(v_rsq_f32, "f:f", APPROX, RF(1.0 / sqrt(F(0)))) \
	X(v_rcp_f64, "d:d", APPROX, RD(1.0 / DD(0))) X(v_rsq_f64, "d:d", APPROX, RD(1.0 / sqrt(DD(0)))) X(v_sqrt_f32, "f:f", APPROX, RF(sqrt(F(0)))) \
	X(v_sqrt_f64, "d:d", APPROX, RD(sqrt(DD(0)))) \
	X(v_sin_f32, "f:f", APPROX | ABSOLUTE, RF(sin(6.283185307179586 * fract(F(0))))) X(v_cos_f32, "f:f", APPROX | ABSOLUTE, RF(cos(6.283185307179586 * fract(F(0))))) \
	X(v_sin_f16, "h:h", APPROX | ABSOLUTE, RH(sin(6.283185307179586 * fract(H(0))))) X(v_cos_f16, "h:h", APPROX | ABSOLUTE, RH(cos(6.283185307179586 * fract(H(0))))) \
	X(v_rcp_f16, "h:h", APPROX, RH(1.0 / H(0))) X(v_sqrt_f16, "h:h", APPROX, RH(sqrt(H(0)))) X(v_rsq_f16, "h:h", APPROX, RH(1.0 / sqrt(H(0)))) \
	X(v_log_f16, "h:h", APPROX, RH(quiet_log2(H(0)))) X(v_exp_f16, "h:h", APPROX, RH(exp2(H(0)))) \
	X(v_ffbh_u32, "i:i", 0, ffbh(U(0))) X(v_ffbl_b32, "i:i", 0, ffbl(U(0))) X(v_ffbh_i32, "i:i", 0, ffbh_i(U(0))) \
	X(v_frexp_exp_i32_f64, "i:d", 0, RI(expo(DD(0)))) X(v_frexp_mant_f64, "d:d", 0, RD(mant(DD(0)))) \
	X(v_frexp_exp_i32_f32, "i:f", 0, RI(expo(F(0)))) X(v_frexp_mant_f32, "f:f", 0, RF(mant(F(0)))) \
	X(v_frexp_exp_i16_f16, "w:h", 0, RI(expo(H(0)))) X(v_frexp_mant_f16, "h:h", 0, RH(mant(H(0)))) \
	X(v_sat_pk_u8_i16, "i:i", 0, cap((int16_t)U(0), 0, 255) | cap((int32_t)U(0) >> 16, 0, 255) << 8) \
	X(v_cubeid_f32, "f:fff", 0, RF(cube(F(0), F(1), F(2), 0))) X(v_cubesc_f32, "f:fff", 0, RF(cube(F(0), F(1), F(2), 1))) \
	X(v_cubetc_f32, "f:fff", 0, RF(cube(F(0), F(1), F(2), 2))) X(v_cubema_f32, "f:fff", 0, RF(cube(F(0), F(1), F(2), 3))) \
	X(v_bfe_u32, "i:iii", 0, field(U(0), U(1) & 31, U(2) & 31)) X(v_bfe_i32, "i:iii", 0, U(2) & 31 ? sfield(U(0), U(1) & 31, U(2) & 31) : 0) \
	X(v_bfi_b32, "i:iii", 0, (U(0) & U(1)) | (~U(0) & U(2))) X(v_lerp_u8, "i:iii", 0, lerp(U(0), U(1), U(2))) \
	X(v_alignbit_b32, "i:iii", 0, (uint32_t)(((uint64_t)U(0) << 32 | U(1)) >> (U(2) & 31))) \
	X(v_alignbyte_b32, "i:iii", 0, (uint32_t)(((uint64_t)U(0) << 32 | U(1)) >> 8 * (U(2) & 3))) \
	X(v_min3_i32, "i:iii", 0, RI(S(0) < S(1) ? (S(0) < S(2) ? S(0) : S(2)) : S(1) < S(2) ? S(1) : S(2))) \
	X(v_max3_i32, "i:iii", 0, RI(S(0) > S(1) ? (S(0) > S(2) ? S(0) : S(2)) : S(1) > S(2) ? S(1) : S(2))) \
	X(v_min3_u32, "i:iii", 0, U(0) < U(1) ? (U(0) < U(2) ? U(0) : U(2)) : U(1) < U(2) ? U(1) : U(2)) \
	X(v_max3_u32, "i:iii", 0, U(0) > U(1) ? (U(0) > U(2) ? U(0) : U(2)) : U(1) > U(2) ? U(1) : U(2)) \
	X(v_med3_i32, "i:iii", 0, RI(med(S(0), S(1), S(2)))) X(v_med3_u32, "i:iii", 0, RI(med(U(0), U(1), U(2)))) \
	X(v_min3_i16, "w:www", 0, RI(low3(SW(0), SW(1), SW(2)))) X(v_min3_u16, "w:www", 0, RI(low3(UW(0), UW(1), UW(2)))) \
	X(v_max3_i16, "w:www", 0, RI(-low3(-SW(0), -SW(1), -SW(2)))) X(v_max3_u16, "w:www", 0, RI(-low3(-UW(0), -UW(1), -UW(2)))) \
	X(v_med3_i16, "w:www", 0, RI(med(SW(0), SW(1), SW(2)))) X(v_med3_u16, "w:www", 0, RI(med(UW(0), UW(1), UW(2)))) \
	X(v_sad_u8, "i:iii", USAT, RI((int64_t)sad_bytes(U(0), U(1), false) + U(2))) \
	X(v_sad_hi_u8, "i:iii", USAT, RI(((int64_t)sad_bytes(U(0), U(1), false) << 16) + U(2))) \
	X(v_msad_u8, "i:iii", USAT, RI((int64_t)sad_bytes(U(0), U(1), true) + U(2))) \
	X(v_sad_u16, "i:iii", USAT, RI((int64_t)llabs((long long)(U(0) & 65535) - (U(1) & 65535)) + \
		llabs((long long)(U(0) >> 16) - (U(1) >> 16)) + U(2))) \
	X(v_sad_u32, "i:iii", USAT, RI((int64_t)llabs((long long)U(0) - U(1)) + U(2))) \
	X(v_qsad_pk_u16_u8, "l:lil", 0, qsad(o, false, false)) X(v_mqsad_pk_u16_u8, "l:lil", 0, qsad(o, true, false)) \
	X(v_mqsad_u32_u8, "q:liq", 0, qsad(o, true, true)) \
	X(v_div_fixup_f32, "f:fff", 0, fixup(o, 32, 23, 127)) X(v_div_fixup_f64, "d:ddd", 0, fixup(o, 64, 52, 1023)) \
	X(v_div_fixup_f16, "h:hhh", 0, fixup(o, 16, 10, 15)) X(v_div_scale_f32, "fm:fff", 0, scale(o, false)) \
	X(v_div_scale_f64, "dm:ddd", 0, scale(o, true)) X(v_div_fmas_f32, "f:fff", 0, fmas(o, false)) X(v_div_fmas_f64, "d:ddd", 0, fmas(o, true)) \
	X(v_lshl_b64, "l:li", 0, o->a[0] << (U(1) & 63)) X(v_lshr_b64, "l:li", 0, o->a[0] >> (U(1) & 63)) \
	X(v_ashr_i64, "l:li", 0, (uint64_t)((int64_t)o->a[0] >> (U(1) & 63))) X(v_lshlrev_b64, "l:il", 0, o->a[1] << (U(0) & 63)) \
	X(v_lshrrev_b64, "l:il", 0, o->a[1] >> (U(0) & 63)) X(v_ashrrev_i64, "l:il", 0, (uint64_t)((int64_t)o->a[1] >> (U(0) & 63))) \
	X(v_mul_lo_u32, "i:ii", 0, U(0) * U(1)) X(v_mul_hi_u32, "i:ii", 0, (uint64_t)U(0) * U(1) >> 32) X(v_mul_lo_i32, "i:ii", 0, U(0) * U(1)) \
	X(v_mul_hi_i32, "i:ii", 0, (uint64_t)((int64_t)S(0) * S(1) >> 32)) X(v_mad_u64_u32, "lm:iil", 0, mad64(o, false)) \
	X(v_mad_i64_i32, "lm:iil", 0, mad64(o, true)) X(v_xor3_b32, "i:iii", 0, U(0) ^ U(1) ^ U(2)) X(v_xad_u32, "i:iii", 0, (U(0) ^ U(1)) + U(2)) \
	X(v_lshl_add_u32, "i:iii", 0, (U(0) << (U(1) & 31)) + U(2)) X(v_add_lshl_u32, "i:iii", 0, (U(0) + U(1)) << (U(2) & 31)) \
	X(v_add3_u32, "i:iii", 0, U(0) + U(1) + U(2)) X(v_lshl_or_b32, "i:iii", 0, (U(0) << (U(1) & 31)) | U(2)) \
	X(v_and_or_b32, "i:iii", 0, (U(0) & U(1)) | U(2)) X(v_or3_b32, "i:iii", 0, U(0) | U(1) | U(2)) X(v_perm_b32, "i:iii", 0, perm(U(0), U(1), U(2))) \
	X(v_add_nc_u16, "w:ww", USAT, RI(UW(0) + UW(1))) X(v_sub_nc_u16, "w:ww", USAT, RI(UW(0) - UW(1))) \
	X(v_add_nc_i16, "w:ww", SSAT, RI(SW(0) + SW(1))) X(v_sub_nc_i16, "w:ww", SSAT, RI(SW(0) - SW(1))) \
	X(v_mul_lo_u16, "w:ww", 0, (uint32_t)UW(0) * UW(1)) X(v_lshrrev_b16, "w:ww", 0, UW(1) >> (UW(0) & 15)) \
	X(v_ashrrev_i16, "w:ww", 0, RI(SW(1) >> (UW(0) & 15))) X(v_lshlrev_b16, "w:ww", 0, (uint32_t)UW(1) << (UW(0) & 15)) \
	X(v_max_u16, "w:ww", 0, UW(0) > UW(1) ? UW(0) : UW(1)) X(v_max_i16, "w:ww", 0, RI(SW(0) > SW(1) ? SW(0) : SW(1))) \
	X(v_min_u16, "w:ww", 0, UW(0) < UW(1) ? UW(0) : UW(1)) X(v_min_i16, "w:ww", 0, RI(SW(0) < SW(1) ? SW(0) : SW(1))) \
	X(v_mad_u16, "w:www", USAT, RI((int64_t)UW(0) * UW(1) + UW(2))) X(v_mad_i16, "w:www", SSAT, RI((int64_t)SW(0) * SW(1) + SW(2))) \
	X(v_dot2_f32_f16, "f:ppf", 0, RF(dot2(part16(o, 0, 0), part16(o, 1, 0), part16(o, 0, 1), part16(o, 1, 1), F(2)))) \
	X(v_dot2_i32_i16, "i:ppi", SSAT, dot16(o, true)) X(v_dot2_u32_u16, "i:ppi", USAT, dot16(o, false)) \
	X(v_dot4_i32_i8, "i:iii", SSAT, RI(dots(U(0), U(1), 8, true) + S(2))) X(v_dot4_u32_u8, "i:iii", USAT, RI(dots(U(0), U(1), 8, false) + U(2))) \
	X(v_dot8_i32_i4, "i:iii", SSAT, RI(dots(U(0), U(1), 4, true) + S(2))) X(v_dot8_u32_u4, "i:iii", USAT, RI(dots(U(0), U(1), 4, false) + U(2)))

static int64_t med(int64_t a, int64_t b, int64_t c) { return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b; }
static int64_t low3(int64_t a, int64_t b, int64_t c) { return a < b ? (a < c ? a : c) : b < c ? b : c; }

#define X(name, sig, flags, expr) static uint64_t ref_##name(struct op *o) { return (uint64_t)(expr); }
VREF_LIST(X)
#undef X
static const struct vref vrefs[] = {
#define X(name, sig, flags, expr) { #name, sig, flags, ref_##name },
	VREF_LIST(X)
#undef X
};

static const struct vref *find_vref(const char *name)
{
	for (unsigned i = 0; i < sizeof vrefs / sizeof *vrefs; i++)
		if (!strcmp(vrefs[i].name, name))
			return &vrefs[i];
	return NULL;
}
#endif
