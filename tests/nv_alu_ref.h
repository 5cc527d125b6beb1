/* nv_alu_ref.h - C references of nv_alu_test.c, written from the definitions of the operations. */
#ifndef NV_ALU_REF_H
#define NV_ALU_REF_H

static float as_float(uint32_t v)
{
	float f;

	memcpy(&f, &v, 4);
	return f;
}

static uint32_t as_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

/* ---- logic */
static uint32_t lut3(uint32_t a, uint32_t b, uint32_t c, unsigned lut)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 32; i++)
		v |= (lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1u) << i;
	return v;
}

static void ref_lop3(const struct vals *v, unsigned lut, struct result *r)
{
	r->r10 = lut3(v->r[1], v->r[2], v->r[3], lut);
}

static void ref_lop3z(const struct vals *v, unsigned lut, struct result *r)
{
	r->r10 = lut3(v->r[1], 0x12345678, 0, lut);
}

static void ref_plop3(const struct vals *v, unsigned lut, struct result *r)
{
	r->p0 = lut >> (v->p2 << 2 | v->p3 << 1 | 1) & 1;
	r->p1 = lut >> (v->p2 << 2 | v->p3 << 1 | 1) & 2;
	r->p1 = (lut ^ 0xff) >> (v->p2 << 2 | v->p3 << 1 | 1) & 1;
}

static uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel)
{
	uint64_t both = a | (uint64_t)b << 32;
	uint32_t v = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned n = sel >> 4 * i & 15;
		uint32_t byte = (uint32_t)(both >> 8 * (n & 7)) & 0xff;

		if (n & 8)
			byte = byte & 0x80 ? 0xff : 0;
		v |= byte << 8 * i;
	}
	return v;
}

static void ref_prmt_imm(const struct vals *v, unsigned sel, struct result *r) { r->r10 = prmt(v->r[1], v->r[3], sel); }
static void ref_prmt(const struct vals *v, unsigned arg, struct result *r) { (void)arg; r->r10 = prmt(v->r[1],
	v->r[3], v->r[2]); }

/* ---- shifts: arg bit 0-1 type (i64, u64, i32, u32), 2 wrap, 3 right, 4 high, 5 count from r2 (else bits 8-15) */
static void ref_shf(const struct vals *v, unsigned arg, struct result *r)
{
	unsigned bits = (arg & 3) < 2 ? 64 : 32;
	bool sign = !(arg & 1);
	uint32_t s = arg & 32 ? v->r[2] : arg >> 8;
	uint64_t x = v->r[1] | (uint64_t)v->r[3] << 32;

	s = arg & 4 ? s & (bits - 1) : s < bits ? s : bits;
	if (!(arg & 8))
		x = s < 64 ? x << s : 0;
	else if (sign)
		x = s < 64 ? (uint64_t)((int64_t)x >> s) : (uint64_t)((int64_t)x >> 63);
	else
		x = s < 64 ? x >> s : 0;
	r->r10 = (uint32_t)(arg & 16 ? x >> 32 : x);
}

/* ---- sums. iadd3: arg 0 plain with carries, 1 a - b with carry, 2 -a + b + c */
static void ref_iadd3(const struct vals *v, unsigned arg, struct result *r)
{
	uint64_t s;

	if (arg == 0)
		s = (uint64_t)v->r[1] + v->r[2] + v->r[3];
	else if (arg == 1)
		s = (uint64_t)v->r[1] + (uint32_t)~v->r[2] + 1;
	else
		s = (uint32_t)(0 - v->r[1] + v->r[2] + v->r[3]);
	r->r10 = (uint32_t)s;
	r->p0 = s >> 32 >= 1;
	r->p1 = s >> 32 >= 2;
}

static void ref_iadd3x(const struct vals *v, unsigned arg, struct result *r)
{
	uint64_t s = (uint64_t)v->r[1] + (arg ? (uint32_t)~v->r[2] : v->r[2]) + v->p2;

	r->r10 = (uint32_t)s;
	r->p0 = s >> 32 >= 1;
	r->p1 = s >> 32 >= 2;
}

static void ref_iadd2(const struct vals *v, unsigned arg, struct result *r)
{
	uint64_t s = arg ? (uint64_t)v->r[1] + (uint32_t)~v->r[2] + 1 : (uint64_t)v->r[1] + v->r[2];

	r->r10 = (uint32_t)s;
	r->r11 = s >> 32 & 1;
}

static void ref_imad(const struct vals *v, unsigned arg,
	struct result *r) { (void)arg; r->r10 = v->r[1] * v->r[2] + v->r[3]; }

static void ref_imad64(const struct vals *v, unsigned sign, struct result *r)
{
	uint64_t p = sign ? (uint64_t)((int64_t)(int32_t)v->r[1] * (int32_t)v->r[2]) : (uint64_t)v->r[1] * v->r[2];

	p += v->r[3] | (uint64_t)v->r[4] << 32;
	r->r10 = (uint32_t)p;
	r->r11 = (uint32_t)(p >> 32);
}

/* arg: bit 0 high, 1 a signed, 2 b signed */
static void ref_imul(const struct vals *v, unsigned arg, struct result *r)
{
	int64_t a = arg & 2 ? (int32_t)v->r[1] : (int64_t)v->r[1], b = arg & 4 ? (int32_t)v->r[2] : (int64_t)v->r[2];
	uint64_t p = (uint64_t)a * (uint64_t)b;

	r->r10 = (uint32_t)(arg & 1 ? p >> 32 : p);
}

/* arg: bit 0 psl, 1 mrg, 2 high a, 3 high b, 4 signed a, 5 signed b, 6-8 mode */
static void ref_xmad(const struct vals *v, unsigned arg, struct result *r)
{
	uint32_t a = arg & 4 ? v->r[1] >> 16 : v->r[1] & 0xffff, b = arg & 8 ? v->r[2] >> 16 : v->r[2] & 0xffff,
		c = v->r[3], p;

	if (arg & 16)
		a = (uint32_t)(int16_t)a;
	if (arg & 32)
		b = (uint32_t)(int16_t)b;
	p = a * b;
	if (arg & 1)
		p <<= 16;
	switch (arg >> 6) {
	case 1: c &= 0xffff; break;
	case 2: c >>= 16; break;
	case 4: c += v->r[2] << 16; break;
	default: break;
	}
	p += c;
	r->r10 = arg & 2 ? (p & 0xffff) | v->r[2] << 16 : p;
}

static void ref_iscadd(const struct vals *v, unsigned shift,
	struct result *r) { r->r10 = (v->r[1] << shift) + v->r[2]; }

/* ---- comparisons: arg bits 0-2 condition, 3 signed, 4-5 set op, 6 ex */
static bool icmp(unsigned cc, bool sign, uint32_t a, uint32_t b)
{
	int64_t x = sign ? (int32_t)a : (int64_t)a, y = sign ? (int32_t)b : (int64_t)b;

	return (cc & 1 && x < y) || (cc & 2 && x == y) || (cc & 4 && x > y);
}

static bool setop(unsigned op, bool a, bool b)
{
	return op == 0 ? a && b : op == 1 ? a || b : a != b;
}

static void ref_isetp(const struct vals *v, unsigned arg, struct result *r)
{
	bool c = icmp(arg & 7, arg >> 3 & 1, v->r[1], v->r[2]);

	if (arg >> 6 & 1 && v->r[1] == v->r[2])
		c = v->p3;
	r->p0 = setop(arg >> 4 & 3, c, v->p2);
	r->p1 = setop(arg >> 4 & 3, !c, v->p2);
}

static void ref_icmp(const struct vals *v, unsigned arg, struct result *r)
{
	r->r10 = icmp(arg & 7, arg >> 3 & 1, v->r[3], 0) ? v->r[1] : v->r[2];
}

static void ref_iset(const struct vals *v, unsigned arg, struct result *r)
{
	r->r10 = setop(arg >> 4 & 3, icmp(arg & 7, arg >> 3 & 1, v->r[1], v->r[2]), v->p2) ? (arg & 64
		? 0x3f800000 : ~0u) : 0;
}

/* The codes' bits: 1 less, 2 equal, 4 greater, 8 unordered. */
static bool fcmp(unsigned cc, uint32_t a, uint32_t b)
{
	float x = as_float(a), y = as_float(b);

	return (cc & 1 && x < y) || (cc & 2 && x == y) || (cc & 4 && x > y) || (cc & 8 && (isnan(x) || isnan(y)));
}

static void ref_fsetp(const struct vals *v, unsigned arg, struct result *r)
{
	bool c = fcmp(arg & 15, v->r[1], v->r[2]);

	r->p0 = setop(arg >> 4 & 3, c, v->p2);
	r->p1 = setop(arg >> 4 & 3, !c, v->p2);
}

static void ref_fset(const struct vals *v, unsigned arg, struct result *r)
{
	r->r10 = fcmp(arg & 15, v->r[1], v->r[2]) ? 0x3f800000 : 0;
}

static void ref_imnmx(const struct vals *v, unsigned arg, struct result *r) /* bit 0 signed; p2: minimum */
{
	bool less = icmp(1, arg & 1, v->r[1], v->r[2]);

	r->r10 = less == v->p2 ? v->r[1] : v->r[2];
}

static void ref_sel(const struct vals *v, unsigned arg, struct result *r)
{
	(void)arg;
	r->r10 = v->p2 ? v->r[1] : v->r[2];
}

/* ---- bits */
static void ref_flo(const struct vals *v, unsigned arg, struct result *r) /* bit 0 signed, 1 shift amount, 2 inverted */
{
	uint32_t x = arg & 4 ? ~v->r[1] : v->r[1];
	int n = 31;

	if (arg & 1 && x >> 31)
		x = ~x;
	while (n >= 0 && !(x >> n & 1))
		n--;
	r->r10 = n < 0 ? ~0u : arg & 2 ? 31u - (unsigned)n : (unsigned)n;
}

static void ref_popc(const struct vals *v, unsigned inv, struct result *r)
{
	for (unsigned i = 0; i < 32; i++)
		r->r10 += ((inv ? ~v->r[1] : v->r[1]) >> i) & 1;
}

static uint32_t reverse(uint32_t v)
{
	uint32_t o = 0;

	for (unsigned i = 0; i < 32; i++)
		o |= (v >> i & 1) << (31 - i);
	return o;
}

static void ref_brev(const struct vals *v, unsigned arg, struct result *r) { (void)arg; r->r10 = reverse(v->r[1]); }
static void ref_iabs(const struct vals *v, unsigned arg, struct result *r)
{
	(void)arg;
	r->r10 = v->r[1] >> 31 ? 0 - v->r[1] : v->r[1];
}

static void ref_bfe(const struct vals *v, unsigned arg, struct result *r) /* bit 0 signed, 1 reversed */
{
	uint32_t a = arg & 2 ? reverse(v->r[1]) : v->r[1], at = v->r[2] & 0xff, n = v->r[2] >> 8 & 0xff, sign;

	for (unsigned i = 0; i < n && i < 32; i++)
		r->r10 |= (at + i < 32 ? a >> (at + i) & 1 : 0) << i;
	if (!(arg & 1) || !n)
		return;
	sign = at + n > 32 ? a >> 31 : a >> (at + n - 1) & 1;
	for (unsigned i = 0; i < 32; i++)
		if (i >= n || at + i > 31)
			r->r10 = (r->r10 & ~(1u << i)) | sign << i;
}

static void ref_bfi(const struct vals *v, unsigned arg, struct result *r)
{
	uint32_t at = v->r[2] & 0xff, n = v->r[2] >> 8 & 0xff;

	(void)arg;
	r->r10 = v->r[3];
	for (unsigned i = 0; i < n && at + i < 32; i++)
		r->r10 = (r->r10 & ~(1u << (at + i))) | ((i < 32 ? v->r[1] >> i & 1 : 0) << (at + i));
}

static void ref_bmsk(const struct vals *v, unsigned wrap, struct result *r)
{
	uint32_t at = wrap ? v->r[1] & 31 : v->r[1], n = wrap ? v->r[2] & 31 : v->r[2];

	for (uint32_t i = 0; i < 32; i++)
		if (i >= at && i - at < n)
			r->r10 |= 1u << i;
}

static void ref_lop2(const struct vals *v, unsigned arg, struct result *r) /* bits 0-1 op, 2 ~a, 3 ~b */
{
	uint32_t a = arg & 4 ? ~v->r[1] : v->r[1], b = arg & 8 ? ~v->r[2] : v->r[2];

	r->r10 = (arg & 3) == 0 ? a & b : (arg & 3) == 1 ? a | b : (arg & 3) == 2 ? a ^ b : b;
}

static void ref_shl(const struct vals *v, unsigned wrap, struct result *r)
{
	r->r10 = wrap || v->r[2] < 32 ? v->r[1] << (v->r[2] & 31) : 0;
}

static void ref_shr(const struct vals *v, unsigned arg, struct result *r) /* bit 0 wrap, 1 signed */
{
	uint32_t s = arg & 1 ? v->r[2] & 31 : v->r[2];

	if (arg & 2)
		r->r10 = (uint32_t)((int32_t)v->r[1] >> (s < 32 ? s : 31));
	else
		r->r10 = s < 32 ? v->r[1] >> s : 0;
}

static void ref_psetp(const struct vals *v, unsigned arg, struct result *r) /* bits 0-1, 2-3 */
{
	bool x = setop(arg & 3, v->p2, v->p3);

	r->p0 = setop(arg >> 2, x, !v->p3);
	r->p1 = setop(arg >> 2, !x, !v->p3);
}

/* ---- floats */
static void ref_fadd(const struct vals *v, unsigned arg, struct result *r) /* bit 0 sat */
{
	float f = as_float(v->r[1]) - fabsf(as_float(v->r[2]));

	if (arg & 1)
		f = f > 0 ? (f < 1 ? f : 1) : 0;
	r->r10 = as_bits(f);
}

static void ref_fmul(const struct vals *v, unsigned arg, struct result *r)
{
	(void)arg;
	r->r10 = as_bits(as_float(v->r[1]) * as_float(v->r[2]));
}

static void ref_ffma(const struct vals *v, unsigned arg, struct result *r)
{
	(void)arg;
	r->r10 = as_bits(fmaf(as_float(v->r[1]), as_float(v->r[2]), -as_float(v->r[3])));
}

static void ref_fmnmx(const struct vals *v, unsigned arg, struct result *r)
{
	float a = as_float(v->r[1]), b = as_float(v->r[2]);

	(void)arg;
	if (isnan(a) || isnan(b))
		r->r10 = isnan(a) ? v->r[2] : v->r[1];
	else if (a == b) /* zeros of both signs: -0 is less */
		r->r10 = v->p2 == (v->r[1] >> 31) ? v->r[1] : v->r[2];
	else
		r->r10 = (a < b) == v->p2 ? v->r[1] : v->r[2];
}

static double round_mode(double f, unsigned mode)
{
	return mode == 0 ? nearbyint(f) : mode == 1 ? floor(f) : mode == 2 ? ceil(f) : trunc(f);
}

static void ref_f2i(const struct vals *v, unsigned arg, struct result *r) /* bit 0 signed, 1-2 mode */
{
	double f = round_mode(as_float(v->r[1]), arg >> 1);

	if (isnan(f))
		r->r10 = 0;
	else if (arg & 1)
		r->r10 = f < -2147483648.0 ? 0x80000000 : f > 2147483647.0 ? 0x7fffffff : (uint32_t)(int32_t)f;
	else
		r->r10 = f < 0 ? 0 : f > 4294967295.0 ? ~0u : (uint32_t)f;
}

static void ref_i2f(const struct vals *v, unsigned sign, struct result *r)
{
	r->r10 = as_bits(sign ? (float)(int32_t)v->r[1] : (float)v->r[1]);
}

static void ref_frnd(const struct vals *v, unsigned mode, struct result *r)
{
	r->r10 = as_bits((float)round_mode(as_float(v->r[1]), mode));
}

/* 0: i16 -> i32, 1: u8 -> u32, 2: |i32| -> u16 */
static void ref_i2i(const struct vals *v, unsigned arg, struct result *r)
{
	uint32_t a = v->r[1];

	r->r10 = arg == 0 ? (uint32_t)(int16_t)a : arg == 1 ? a & 0xff : (a >> 31 ? 0 - a : a) & 0xffff;
}

/* ---- sums of sm53, lea */
/* bits 0-1, 2-3, 4-5 halves, 6 left shift, 7 -b */
static void ref_iadd3m(const struct vals *v, unsigned arg, struct result *r)
{
	uint32_t x[3];

	for (unsigned i = 0; i < 3; i++) {
		unsigned h = arg >> 2 * i & 3;
		x[i] = h == 0 ? v->r[i + 1] : h == 1 ? v->r[i + 1] & 0xffff : v->r[i + 1] >> 16;
	}
	x[0] += arg & 128 ? 0 - x[1] : x[1];
	r->r10 = (arg & 64 ? x[0] << 16 : x[0]) + x[2];
}

static void ref_lea_hi(const struct vals *v, unsigned shift, struct result *r)
{
	uint64_t x = v->r[1] | (uint64_t)v->r[3] << 32;

	r->r10 = (uint32_t)(x >> (32 - shift)) + v->r[2];
}

static void ref_lop3p(const struct vals *v, unsigned arg, struct result *r) /* lut, bits 8-9 predicate */
{
	r->r10 = lut3(v->r[1], v->r[2], v->r[3], arg & 255);
	r->p0 = arg >> 8 == 1 || (arg >> 8 == 2 && !r->r10) || (arg >> 8 == 3 && r->r10);
}

/* ---- half floats */
static long double half_value(uint32_t h)
{
	int e = h >> 10 & 31, m = h & 1023;
	long double v = e == 31 ? (m ? (long double)NAN : (long double)INFINITY) : e ? ldexpl(1024 + m,
		e - 25) : ldexpl(m, -24);

	return h & 0x8000 ? -v : v;
}

static uint32_t half_bits(long double v)
{
	uint32_t sign = signbit(v) ? 0x8000 : 0;
	int e;

	v = fabsl(v);
	if (isnan(v))
		return 0x7e00;
	if (v == 0)
		return sign;
	frexpl(v, &e); /* v in [2^(e-1), 2^e) */
	e = e - 1 < -14 ? -14 : e - 1;
	v = rintl(ldexpl(v, 10 - e)); /* in units of the last place, ties to even */
	if (isinf(v) || v >= ldexpl(65520, 10 - e))
		return sign | 0x7c00;
	if (v >= 2048) {
		v /= 2;
		e++;
	}
	if (e > 15)
		return sign | 0x7c00;
	return sign | (v < 1024 ? (uint32_t)v : (uint32_t)(e + 15) << 10 | ((uint32_t)v - 1024));
}

static uint32_t pick(uint32_t v, unsigned swz, unsigned k)
{
	return (swz ? swz == 3 : k) ? v >> 16 : v & 0xffff;
}

/* arg: bits 0-1 operation (add, mul, fma), 2-3 swizzle of a, 4-5 of b, 6-7 merge; NaN results are all one */
static void ref_half(const struct vals *v, unsigned arg, struct result *r)
{
	uint32_t out[2];

	for (unsigned k = 0; k < 2; k++) {
		long double a = half_value(pick(v->r[1], arg >> 2 & 3, k)), b = half_value(pick(v->r[2], arg >> 4 & 3, k));
		long double c = half_value(pick(v->r[3], 0, k));

		out[k] = half_bits((arg & 3) == 0 ? a + b : (arg & 3) == 1 ? a * b : a * b + c);
	}
	r->r10 = out[0] | out[1] << 16;
}

static uint32_t canonical(uint32_t v) /* NaN halves made equal */
{
	for (unsigned k = 0; k < 32; k += 16)
		if ((v >> k & 0x7fff) > 0x7c00)
			v = (v & ~(0xffffu << k)) | 0x7e00u << k;
	return v;
}

#endif
