/* nv_alu_cases.h - the instructions and references of nv_alu_test.c. */
#ifndef NV_ALU_CASES_H
#define NV_ALU_CASES_H

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

/* ---- sm86 */
static void cases86_logic(void)
{
	uint64_t w[2];

	for (unsigned lut = 0; lut < 256; lut++) {
		alu86(w, 0x012, 1, 10, 1, 2, 3);
		put(w, 72, 8, lut);
		put(w, 81, 3, 7);
		put(w, 87, 4, 15);
		check("lop3", true, w, ref_lop3, lut, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x012, 4, 10, 1, 0x12345678, 255);
		put(w, 72, 8, lut);
		put(w, 81, 3, 7);
		put(w, 87, 4, 15);
		check("lop3 imm", true, w, ref_lop3z, lut, NO_R11 | NO_P0 | NO_P1);
		fixed86(w, 0x81c);
		put(w, 16, 8, lut ^ 0xff);
		put(w, 64, 3, lut & 7);
		put(w, 72, 5, lut >> 3);
		put(w, 68, 3, 7);
		put(w, 77, 3, 3);
		put(w, 87, 3, 2);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		check("plop3", true, w, ref_plop3, lut, NO_R11);
	}
	for (unsigned i = 0; i < 64; i++) {
		unsigned sel = (unsigned)rnd() & 0xffff;

		alu86(w, 0x016, 4, 10, 1, sel, 3);
		check("prmt imm", true, w, ref_prmt_imm, sel, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x016, 1, 10, 1, 2, 3);
		check("prmt", true, w, ref_prmt, 0, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 32; k++)
		for (unsigned s = 0; s < 70; s++) {
			alu86(w, 0x019, s < 65 ? 4 : 1, 10, 1, s < 65 ? s : 2, 3);
			put(w, 73, 2, k & 3);
			put(w, 75, 1, k >> 2 & 1);
			put(w, 76, 1, k >> 3 & 1);
			put(w, 80, 1, k >> 4 & 1);
			check("shf", true, w, ref_shf, s < 65 ? k | s << 8 : k | 32, NO_R11 | NO_P0 | NO_P1);
		}
}

static void cases86_int(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 4; k++) {
		for (unsigned x = 0; x < 2; x++) {
			alu86(w, 0x010, 1, 10, 1, 2, x || k == 1 ? 255 : 3);
			put(w, 72, 1, !x && k == 2);
			put(w, 63, 1, x ? k & 1 : k == 1);
			put(w, 74, 1, x);
			put(w, 77, 4, 15);
			put(w, 87, 4, x ? 2 : 15);
			put(w, 81, 3, k == 2 && !x ? 7 : 0);
			put(w, 84, 3, (k == 2 || k == 1) && !x ? 7 : 1);
			if (k < 3)
				check(x ? "iadd3.x" : "iadd3", true, w, x ? ref_iadd3x : ref_iadd3, x ? k & 1 : k,
				      NO_R11 | (k == 2 && !x ? NO_P0 : 0) | (k && !x ? NO_P1 : 0));
		}
		alu86(w, 0x024, 1, 10, 1, 2, 3);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		check("imad", true, w, ref_imad, 0, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x025, 1, 10, 1, 2, 3);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		check("imad64", true, w, ref_imad64, k & 1, NO_P0 | NO_P1);
		alu86(w, 0x017, 1, 10, 1, 2, 0);
		put(w, 73, 1, k & 1);
		put(w, 87, 3, 2);
		check("imnmx", true, w, ref_imnmx, k & 1, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x01b, 1, 10, 1, 2, 0);
		put(w, 75, 1, k & 1);
		check("bmsk", true, w, ref_bmsk, k & 1, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x109, 1, 10, 0, 1, 0);
		put(w, 63, 1, k & 1);
		check("popc", true, w, ref_popc, k & 1, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 128; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu86(w, 0x00c, 1, 0, 1, 2, 0);
		put(w, 68, 3, 3);
		put(w, 72, 1, k >> 6 & 1);
		put(w, 73, 1, k >> 3 & 1);
		put(w, 74, 2, k >> 4 & 3);
		put(w, 76, 3, k & 7);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		put(w, 87, 3, 2);
		check("isetp", true, w, ref_isetp, k, NO_R11);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu86(w, 0x100, 1, 10, 0, 1, 0);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		put(w, 74, 1, k >> 1 & 1);
		put(w, 63, 1, k >> 2);
		check("flo", true, w, ref_flo, k, NO_R11 | NO_P0 | NO_P1);
	}
	alu86(w, 0x101, 1, 10, 0, 1, 0);
	check("brev", true, w, ref_brev, 0, NO_R11 | NO_P0 | NO_P1);
	alu86(w, 0x013, 1, 10, 0, 1, 0);
	check("iabs", true, w, ref_iabs, 0, NO_R11 | NO_P0 | NO_P1);
	alu86(w, 0x007, 1, 10, 1, 2, 0);
	put(w, 87, 3, 2);
	check("sel", true, w, ref_sel, 0, NO_R11 | NO_P0 | NO_P1);
}

static void cases86_float(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 64; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu86(w, 0x00b, 1, 0, 1, 2, 0);
		put(w, 74, 2, k >> 4 & 3);
		put(w, 76, 4, k & 15);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		put(w, 87, 3, 2);
		check("fsetp", true, w, ref_fsetp, k, NO_R11);
		alu86(w, 0x00a, 1, 10, 1, 2, 0);
		put(w, 76, 4, k & 15);
		put(w, 87, 3, 7);
		check("fset", true, w, ref_fset, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu86(w, 0x021, 1, 10, 1, 2, 0);
		put(w, 62, 2, 3);
		put(w, 77, 1, k & 1);
		check("fadd", true, w, ref_fadd, k & 1, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x020, 1, 10, 1, 2, 255);
		put(w, 84, 3, 4);
		check("fmul", true, w, ref_fmul, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x023, 1, 10, 1, 2, 3);
		put(w, 75, 1, 1);
		check("ffma", true, w, ref_ffma, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x009, 1, 10, 1, 2, 255);
		put(w, 87, 3, 2);
		check("fmnmx", true, w, ref_fmnmx, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x105, 1, 10, 0, 1, 0);
		put(w, 72, 1, k & 1);
		put(w, 75, 2, 2);
		put(w, 78, 2, k >> 1);
		put(w, 84, 2, 2);
		check("f2i", true, w, ref_f2i, k, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x106, 1, 10, 0, 1, 0);
		put(w, 74, 1, k & 1);
		put(w, 75, 2, 2);
		put(w, 84, 2, 2);
		check("i2f", true, w, ref_i2f, k & 1, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x107, 1, 10, 0, 1, 0);
		put(w, 75, 2, 2);
		put(w, 78, 2, k & 3);
		put(w, 84, 2, 2);
		check("frnd", true, w, ref_frnd, k & 3, F32 | NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases86(void)
{
	cases86_logic();
	cases86_int();
	cases86_float();
}

/* ---- sm53 */
static void r53(uint64_t w[2], unsigned op, unsigned pos, unsigned reg)
{
	(void)op;
	put(w, pos, 8, reg);
}

static void cases53_int(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 2; k++) {
		alu53(w, 0x5c10, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 47, 1, 1);
		put(w, 48, 1, k);
		check("iadd2", false, w, ref_iadd2, k, CARRY | NO_P0 | NO_P1);
		alu53(w, 0x5c08, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 40, 1, k);
		check("popc", false, w, ref_popc, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c48, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k);
		check("shl", false, w, ref_shl, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c18, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 5, 3 + k);
		check("iscadd", false, w, ref_iscadd, 3 + k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c20, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 48, 1, k);
		check("imnmx", false, w, ref_imnmx, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu53(w, 0x5c38, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, k);
		check("imul", false, w, ref_imul, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c30, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 40, 1, k >> 2);
		put(w, 41, 1, k >> 1 & 1);
		put(w, 48, 1, k & 1);
		check("flo", false, w, ref_flo, k, NO_R11 | NO_P0 | NO_P1);
		if (k > 3)
			continue;
		alu53(w, 0x5c00, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 48, 1, k & 1);
		put(w, 40, 1, k >> 1);
		check("bfe", false, w, ref_bfe, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c28, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k & 1);
		put(w, 48, 1, k >> 1);
		check("shr", false, w, ref_shr, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 16; k++) {
		alu53(w, 0x5c40, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k >> 2 & 1);
		put(w, 40, 1, k >> 3);
		put(w, 41, 2, k & 3);
		put(w, 48, 3, 7);
		check("lop2", false, w, ref_lop2, k, NO_R11 | NO_P0 | NO_P1);
		if ((k & 3) == 3 || k >> 2 == 3)
			continue;
		alu53(w, 0x5090, 0, 0);
		put(w, 0, 3, 1);
		put(w, 3, 3, 0);
		put(w, 8, 8, 0);
		put(w, 12, 3, 2);
		put(w, 29, 3, 3);
		put(w, 39, 4, 3 | 8);
		put(w, 24, 2, k & 3);
		put(w, 45, 2, k >> 2);
		check("psetp", false, w, ref_psetp, k, NO_R11);
	}
	alu53(w, 0x5bf0, 10, 1);
	r53(w, 0, 20, 2);
	r53(w, 0, 39, 3);
	check("bfi", false, w, ref_bfi, 0, NO_R11 | NO_P0 | NO_P1);
	alu53(w, 0x5bc0, 10, 1);
	r53(w, 0, 20, 2);
	r53(w, 0, 39, 3);
	check("prmt", false, w, ref_prmt, 0, NO_R11 | NO_P0 | NO_P1);
}

static void cases53_more(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 320; k++) {
		if (k >> 6 == 3)
			continue;
		alu53(w, 0x5b00, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 36, 2, k & 3);
		put(w, 53, 1, k >> 2 & 1);
		put(w, 35, 1, k >> 3 & 1);
		put(w, 48, 2, k >> 4 & 3);
		put(w, 50, 3, k >> 6);
		check("xmad", false, w, ref_xmad, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 128; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu53(w, 0x5b50, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 44, 1, k >> 6);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 1, k >> 3 & 1);
		put(w, 49, 3, k & 7);
		check("iset", false, w, ref_iset, k, NO_R11 | NO_P0 | NO_P1);
		if (k >= 64)
			continue;
		alu53(w, 0x5b60, 0, 1);
		put(w, 0, 3, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 1, k >> 3 & 1);
		put(w, 49, 3, k & 7);
		check("isetp", false, w, ref_isetp, k, NO_R11);
		alu53(w, 0x5bb0, 0, 1);
		put(w, 0, 3, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 4, k & 15);
		check("fsetp", false, w, ref_fsetp, k, NO_R11);
		if (k >= 16)
			continue;
		alu53(w, 0x5b40, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 48, 1, k >> 3);
		put(w, 49, 3, k & 7);
		check("icmp", false, w, ref_icmp, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu53(w, 0x5cb0, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, 2);
		put(w, 10, 2, 2);
		put(w, 12, 1, k & 1);
		put(w, 39, 2, k >> 1);
		check("f2i", false, w, ref_f2i, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5ca8, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, 2);
		put(w, 10, 2, 2);
		put(w, 39, 2, k & 3);
		put(w, 42, 1, 1);
		check("f2f.int", false, w, ref_frnd, k & 3, F32 | NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5980, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 49, 1, 1);
		check("ffma", false, w, ref_ffma, 0, F32 | NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 3; k++) {
		alu53(w, 0x5ce0, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, k == 2 ? 1 : 2);
		put(w, 10, 2, k == 0 ? 1 : k == 1 ? 0 : 2);
		put(w, 12, 1, k == 0);
		put(w, 13, 1, k != 1);
		put(w, 49, 1, k == 2);
		check("i2i", false, w, ref_i2i, k, NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases53(void)
{
	cases53_int();
	cases53_more();
}

#endif
