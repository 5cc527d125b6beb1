/* ir_eval_test - evaluation of ops against C arithmetic on a grid of edge cases, and the reference evaluator on a small workgroup. */
#include "../ir/eval.h"

#include <math.h>
#include <string.h>

static unsigned passed, failed, skipped;

static void check(bool fine, const char *name, const char *detail)
{
	if (fine) {
		passed++;
		return;
	}
	failed++;
	printf("FAIL %s%s%s\n", name, detail ? ": " : "", detail ? detail : "");
}

static const uint64_t ints[] = { 0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x12345678,
	0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xdeadbeefcafebabe,
	0xffffffffffffffff };
enum { NINT = sizeof ints / sizeof *ints };

static uint64_t run2(enum ir_op op, ir_type t, ir_type ot, uint64_t a, uint64_t b)
{
	ir_type types[3] = { ot, ot, ot };
	uint64_t args[3] = { a, b, 0 }, out = 0xbad;

	if (!ir_eval_op(op, t, 0, 0, types, args, &out))
		check(false, ir_ops[op].name, "no evaluation");
	return out;
}

static uint64_t run1(enum ir_op op, ir_type t, ir_type ot, uint64_t a)
{
	return run2(op, t, ot, a, 0);
}

static uint64_t run3(enum ir_op op, ir_type t, ir_type t0, ir_type t1, uint64_t a, uint64_t b, uint64_t c)
{
	ir_type types[3] = { t0, t1, t1 };
	uint64_t args[3] = { a, b, c }, out = 0xbad;

	ir_eval_op(op, t, 0, 0, types, args, &out);
	return out;
}

#define EXPECT(op, got, want) do { \
	uint64_t g_ = (uint64_t)(got), w_ = (uint64_t)(want); \
	if (g_ != w_) { \
		char d_[128]; \
		snprintf(d_, sizeof d_, "got %llx want %llx (line %d)", (unsigned long long)g_, (unsigned long long)w_, __LINE__); \
		check(false, #op, d_); \
	} else { \
		passed++; \
	} } while (0)

#define INT_OPS(U, S, T, W) static void int_ops_##W(void) \
{ \
	for (unsigned i = 0; i < NINT; i++) \
		for (unsigned j = 0; j < NINT; j++) { \
			U a = (U)ints[i], b = (U)ints[j]; \
			S sa = (S)a, sb = (S)b; \
			unsigned sh = (unsigned)(b % W); \
			EXPECT(iadd, run2(IR_iadd, T, T, a, b), (U)(a + b)); \
			EXPECT(isub, run2(IR_isub, T, T, a, b), (U)(a - b)); \
			EXPECT(imul, run2(IR_imul, T, T, a, b), (U)((uint64_t)a * b)); \
			EXPECT(umulh, run2(IR_umulh, T, T, a, b), (U)(((unsigned __int128)a * b) >> W)); \
			EXPECT(smulh, run2(IR_smulh, T, T, a, b), (U)(((__int128)sa * sb) >> W)); \
			EXPECT(carry, run2(IR_carry, IR_B1, T, a, b), ((unsigned __int128)a + b) >> W); \
			EXPECT(borrow, run2(IR_borrow, IR_B1, T, a, b), a < b); \
			EXPECT(iand, run2(IR_iand, T, T, a, b), (U)(a & b)); \
			EXPECT(ior, run2(IR_ior, T, T, a, b), (U)(a | b)); \
			EXPECT(ixor, run2(IR_ixor, T, T, a, b), (U)(a ^ b)); \
			EXPECT(shl, run2(IR_shl, T, T, a, b), (U)((uint64_t)a << sh)); \
			EXPECT(lshr, run2(IR_lshr, T, T, a, b), (U)(a >> sh)); \
			EXPECT(ashr, run2(IR_ashr, T, T, a, b), (U)(sa >> sh)); \
			EXPECT(smin, run2(IR_smin, T, T, a, b), sa < sb ? a : b); \
			EXPECT(smax, run2(IR_smax, T, T, a, b), sa < sb ? b : a); \
			EXPECT(umin, run2(IR_umin, T, T, a, b), a < b ? a : b); \
			EXPECT(umax, run2(IR_umax, T, T, a, b), a < b ? b : a); \
			EXPECT(slt, run2(IR_slt, IR_B1, T, a, b), sa < sb); \
			EXPECT(sle, run2(IR_sle, IR_B1, T, a, b), sa <= sb); \
			EXPECT(ult, run2(IR_ult, IR_B1, T, a, b), a < b); \
			EXPECT(ule, run2(IR_ule, IR_B1, T, a, b), a <= b); \
			EXPECT(ieq, run2(IR_ieq, IR_B1, T, a, b), a == b); \
			EXPECT(ine, run2(IR_ine, IR_B1, T, a, b), a != b); \
			for (unsigned width = 0; width <= W + 1; width++) { \
				U field = 0, sfield = 0; \
				unsigned off = (unsigned)(b % (W + 3)), n = width > W ? W : width; \
				for (unsigned k = 0; k < W; k++) { \
					unsigned from = off + (k < n ? k : n - 1); \
					if (k < n && off + k < W && (a >> (off + k) & 1)) \
						field |= (U)((U)1 << k); \
					if (n && ((from < W ? a >> from : a >> (W - 1)) & 1)) \
						sfield |= (U)((U)1 << k); \
				} \
				EXPECT(ubfe, run3(IR_ubfe, T, T, IR_I32, a, off, width), field); \
				EXPECT(sbfe, run3(IR_sbfe, T, T, IR_I32, a, off, width), sfield); \
			} \
			EXPECT(select, run3(IR_select, T, IR_B1, T, i & 1, a, b), i & 1 ? a : b); \
		} \
	for (unsigned i = 0; i < NINT; i++) { \
		U a = (U)ints[i], rev = 0; \
		unsigned pop = 0, lead = 0, trail = 0; \
		for (unsigned k = 0; k < W; k++) { \
			pop += (unsigned)(a >> k & 1); \
			rev |= (U)((a >> k & 1) ? (U)1 << (W - 1 - k) : 0); \
		} \
		while (lead < W && !(a >> (W - 1 - lead) & 1)) \
			lead++; \
		while (trail < W && !(a >> trail & 1)) \
			trail++; \
		EXPECT(popc, run1(IR_popc, IR_I32, T, a), pop); \
		EXPECT(clz, run1(IR_clz, IR_I32, T, a), lead); \
		EXPECT(ctz, run1(IR_ctz, IR_I32, T, a), trail); \
		EXPECT(brev, run1(IR_brev, T, T, a), rev); \
		EXPECT(inot, run1(IR_inot, T, T, a), (U)~a); \
		EXPECT(ineg, run1(IR_ineg, T, T, a), (U)(0 - a)); \
		EXPECT(u2f, run1(IR_u2f, IR_F32, T, a), bits32((float)a)); \
		EXPECT(s2f, run1(IR_s2f, IR_F32, T, a), bits32((float)(S)a)); \
		EXPECT(u2f, run1(IR_u2f, IR_F64, T, a), bits64((double)a)); \
		EXPECT(s2f, run1(IR_s2f, IR_F64, T, a), bits64((double)(S)a)); \
	} \
}

static uint64_t bits32(float f)
{
	uint32_t b;

	memcpy(&b, &f, 4);
	return isnan(f) ? 0x7fc00000 : b;
}

static uint64_t bits64(double d)
{
	uint64_t b;

	memcpy(&b, &d, 8);
	return isnan(d) ? 0x7ff8000000000000 : b;
}

INT_OPS(uint8_t, int8_t, IR_I8, 8)
INT_OPS(uint16_t, int16_t, IR_I16, 16)
INT_OPS(uint32_t, int32_t, IR_I32, 32)
INT_OPS(uint64_t, int64_t, IR_I64, 64)

static void conversions(void)
{
	for (unsigned i = 0; i < NINT; i++) {
		uint64_t v = ints[i];
		EXPECT(zext, run1(IR_zext, IR_I64, IR_I32, (uint32_t)v), (uint32_t)v);
		EXPECT(sext, run1(IR_sext, IR_I64, IR_I32, (uint32_t)v), (int64_t)(int32_t)v);
		EXPECT(sext, run1(IR_sext, IR_I32, IR_I8, (uint8_t)v), (uint32_t)(int8_t)v);
		EXPECT(sext, run1(IR_sext, IR_I32, IR_B1, v & 1), v & 1 ? 0xffffffff : 0);
		EXPECT(zext, run1(IR_zext, IR_I32, IR_B1, v & 1), v & 1);
		EXPECT(trunc, run1(IR_trunc, IR_I16, IR_I64, v), (uint16_t)v);
		EXPECT(lo64, run1(IR_lo64, IR_I32, IR_I64, v), (uint32_t)v);
		EXPECT(hi64, run1(IR_hi64, IR_I32, IR_I64, v), v >> 32);
		EXPECT(pack64, run2(IR_pack64, IR_I64, IR_I32, (uint32_t)v, (uint32_t)(v >> 32)), v);
		EXPECT(pack32, run2(IR_pack32, IR_I32, IR_I16, v & 0xffff, v >> 16 & 0xffff), v & 0xffffffff);
		EXPECT(bitcast, run1(IR_bitcast, IR_F32, IR_I32, (uint32_t)v), (uint32_t)v);
	}
}

static const uint32_t f32s[] = { 0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3f000001,
	0x3effffff, 0xbf000000, 0x40200000, 0x3fc00000, 0x40600000, 0xc0200000, 0x4b000000, 0x4affffff, 0x4b800001, 0x4f000000,
	0xcf000000, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00001,
	0x33800000, 0x477ff000, 0x477fefff, 0x38800000, 0x387fc000, 0x33000000, 0x33000001, 0x3eaaaaab, 0x42f6e979 };
enum { NF32 = sizeof f32s / sizeof *f32s };

static float f32(uint32_t b)
{
	float f;

	memcpy(&f, &b, 4);
	return f;
}

static uint64_t sat(double d, double lo, double hi, uint64_t at_lo, uint64_t at_hi)
{
	if (isnan(d))
		return 0;
	return d <= lo ? at_lo : d >= hi ? at_hi : (uint64_t)(int64_t)d;
}

static void float_pairs(void)
{
	for (unsigned i = 0; i < NF32; i++)
		for (unsigned j = 0; j < NF32; j++) {
			uint32_t a = f32s[i], b = f32s[j];
			volatile float x = f32(a), y = f32(b), r;
			double dx = (double)x * 1e30, dy = (double)y * 3e-20;
			EXPECT(fadd, run2(IR_fadd, IR_F32, IR_F32, a, b), (r = x + y, bits32(r)));
			EXPECT(fsub, run2(IR_fsub, IR_F32, IR_F32, a, b), (r = x - y, bits32(r)));
			EXPECT(fmul, run2(IR_fmul, IR_F32, IR_F32, a, b), (r = x * y, bits32(r)));
			EXPECT(fadd64, run2(IR_fadd, IR_F64, IR_F64, bits64(dx), bits64(dy)), bits64(dx + dy));
			EXPECT(fmul64, run2(IR_fmul, IR_F64, IR_F64, bits64(dx), bits64(dy)), bits64(dx * dy));
			bool un = isnan(x) || isnan(y);
			EXPECT(feq, run2(IR_feq, IR_B1, IR_F32, a, b), x == y);
			EXPECT(flt, run2(IR_flt, IR_B1, IR_F32, a, b), x < y);
			EXPECT(fle, run2(IR_fle, IR_B1, IR_F32, a, b), x <= y);
			EXPECT(flg, run2(IR_flg, IR_B1, IR_F32, a, b), x < y || x > y);
			EXPECT(fequ, run2(IR_fequ, IR_B1, IR_F32, a, b), un || x == y);
			EXPECT(fltu, run2(IR_fltu, IR_B1, IR_F32, a, b), un || x < y);
			EXPECT(fleu, run2(IR_fleu, IR_B1, IR_F32, a, b), un || x <= y);
			EXPECT(fneu, run2(IR_fneu, IR_B1, IR_F32, a, b), un || x != y);
			EXPECT(funo, run2(IR_funo, IR_B1, IR_F32, a, b), un);
			if (!(x == 0 && y == 0)) {
				EXPECT(fmin, run2(IR_fmin, IR_F32, IR_F32, a, b), bits32(isnan(x) ? y : isnan(y) ? x : x < y ? x : y));
				EXPECT(fmax, run2(IR_fmax, IR_F32, IR_F32, a, b), bits32(isnan(x) ? y : isnan(y) ? x : x > y ? x : y));
			}
			for (unsigned k = 0; k < NF32; k++) {
				volatile float z = f32(f32s[k]);
				EXPECT(ffma, run3(IR_ffma, IR_F32, IR_F32, IR_F32, a, b, f32s[k]), bits32(fmaf(x, y, z)));
			}
		}
}

static void float_singles(void)
{
	for (unsigned i = 0; i < NF32; i++) {
		uint32_t a = f32s[i];
		float x = f32(a);
		bool nan = isnan(x);
		EXPECT(fneg, run1(IR_fneg, IR_F32, IR_F32, a), a ^ 0x80000000);
		EXPECT(fabs, run1(IR_fabs, IR_F32, IR_F32, a), a & 0x7fffffff);
		EXPECT(ffloor, run1(IR_ffloor, IR_F32, IR_F32, a), bits32(floorf(x)));
		EXPECT(fceil, run1(IR_fceil, IR_F32, IR_F32, a), bits32(ceilf(x)));
		EXPECT(ftrunc, run1(IR_ftrunc, IR_F32, IR_F32, a), bits32(truncf(x)));
		EXPECT(frndne, run1(IR_frndne, IR_F32, IR_F32, a), bits32(rintf(x)));
		EXPECT(fsqrt, run1(IR_fsqrt, IR_F32, IR_F32, a), bits32(sqrtf(x)));
		EXPECT(frcp, run1(IR_frcp, IR_F32, IR_F32, a), bits32(1.0f / x));
		EXPECT(fsat, run1(IR_fsat, IR_F32, IR_F32, a), nan || x <= 0 ? 0 : x >= 1 ? 0x3f800000 : a);
		EXPECT(f2s, run1(IR_f2s, IR_I32, IR_F32, a),
		       (uint32_t)sat((double)x, -2147483648.0, 2147483647.0, 0x80000000, 0x7fffffff));
		EXPECT(f2u, run1(IR_f2u, IR_I32, IR_F32, a), sat((double)x, 0, 4294967295.0, 0, 0xffffffff));
		EXPECT(f2s64, run1(IR_f2s, IR_I64, IR_F32, a),
		       sat((double)x, -9223372036854775808.0, 9223372036854775808.0, 1ull << 63, INT64_MAX));
		EXPECT(f2s16, run1(IR_f2s, IR_I16, IR_F32, a), sat((double)x, -32768, 32767, 0x8000, 0x7fff) & 0xffff);
		EXPECT(f2f, run1(IR_f2f, IR_F64, IR_F32, a), bits64((double)x));
#ifdef __FLT16_MAX__
		_Float16 h = (_Float16)x;
		uint16_t hb;
		memcpy(&hb, &h, 2);
		EXPECT(f2f16, run1(IR_f2f, IR_F16, IR_F32, a), nan ? 0x7e00 : hb);
#endif
		/* towards zero: the value of magnitude not above x that lies next to it */
		if (!nan && !isinf(x)) {
			uint64_t z = run1(IR_f2f_rtz, IR_F16, IR_F32, a);
			double v = ir_float_value(16, z), up = ir_float_value(16, z + 1);
			check(fabs(v) <= fabs((double)x) && (fabs(up) > fabs((double)x) || isinf(up)) && (z >> 15) == (a >> 31),
			      "f2f_rtz", NULL);
		}
		int e;
		float m = frexpf(x, &e);
		bool finite = isfinite(x) && x != 0;
		EXPECT(ffrexpm, run1(IR_ffrexpm, IR_F32, IR_F32, a), finite ? bits32(m) : nan ? 0x7fc00000 : a);
		EXPECT(ffrexpe, run1(IR_ffrexpe, IR_I32, IR_F32, a), (uint32_t)(finite ? e : 0));
		EXPECT(fflush, run1(IR_fflush, IR_F32, IR_F32, a), a & 0x7f800000 ? a : a & 0x80000000);
		static const int shifts[] = { 0, 1, -1, 127, -126, -149, -150, 300, -300, 2147483647, -2147483647 - 1 };
		for (unsigned k = 0; k < sizeof shifts / sizeof *shifts; k++)
			EXPECT(fldexp, run2(IR_fldexp, IR_F32, IR_F32, a, (uint32_t)shifts[k]), bits32(ldexpf(x, shifts[k])));
		int cls = nan ? (a >> 22 & 1) : isinf(x) ? (x < 0 ? 2 : 9) : x == 0 ? (a >> 31 ? 5 : 6) :
			fpclassify(x) == FP_SUBNORMAL ? (x < 0 ? 4 : 7) : x < 0 ? 3 : 8;
		for (unsigned k = 0; k < 10; k++) {
			ir_type t = IR_F32;
			uint64_t arg = a, out = 9;
			ir_eval_op(IR_fclass, IR_B1, 0, 1ull << k, &t, &arg, &out);
			EXPECT(fclass, out, k == (unsigned)cls);
		}
	}
}

#ifdef __FLT16_MAX__
static uint64_t bits16(_Float16 h)
{
	uint16_t b;

	memcpy(&b, &h, 2);
	return (b & 0x7fff) > 0x7c00 ? 0x7e00 : b;
}

static void halves(void)
{
	for (unsigned a = 0; a < 65536; a += 7) {
		uint16_t ab = (uint16_t)a;
		_Float16 h;
		memcpy(&h, &ab, 2);
		if (bits64((double)h) != bits64(ir_float_value(16, a)))
			check(false, "f16 value", NULL);
		for (unsigned k = 0; k < 20; k++) {
			uint16_t bb = (uint16_t)(a * 40503u + k * 3571u), cb = (uint16_t)(a * 9973u + k * 7919u);
			_Float16 g, c;
			memcpy(&g, &bb, 2);
			memcpy(&c, &cb, 2);
			EXPECT(fadd16, run2(IR_fadd, IR_F16, IR_F16, ab, bb), bits16((_Float16)((float)h + (float)g)));
			EXPECT(fmul16, run2(IR_fmul, IR_F16, IR_F16, ab, bb), bits16((_Float16)((float)h * (float)g)));
			/* 113 bits hold the exact sum */
			EXPECT(ffma16, run3(IR_ffma, IR_F16, IR_F16, IR_F16, ab, bb, cb),
			       bits16((_Float16)((__float128)h * (__float128)g + (__float128)c)));
		}
	}
}

#else
static void halves(void)
{
	printf("skip: this compiler has no _Float16 to compare with (alu_ref_test needs none)\n");
	skipped++;
}
#endif

/* ---- the evaluator: a workgroup that exchanges through shared memory and counts in a loop */
struct memory { uint32_t word[256]; };

static bool store_word(void *user, const struct eval_access *x, const uint64_t *value)
{
	struct memory *m = user;

	if (x->offset / 4 >= 256)
		return false;
	m->word[x->offset / 4] = (uint32_t)*value;
	return true;
}

static void evaluator(void)
{
	static const char *text =
		"fn e compute wave 32 workgroup 40 1 1 shared 256 ssa\n"
		"res storage_buffer set 0 binding 0 written\n"
		"b0:\n"
		"\t%b:res = bind -\n"
		"\t%i:i32 = sysval.local_index\n"
		"\t%o:i32 = shl %i, i32:2\n"
		"\tstshared b1:1, %o, %i\n"
		"\tbarrier.group.group.shared\n"
		"\t%r:i32 = isub i32:39, %i\n"
		"\t%ro:i32 = shl %r, i32:2\n"
		"\t%v:i32 = ldshared b1:1, %ro\n"
		"\tbr loop\n"
		"loop:\n" /* sum of 0 .. v, a different trip count per lane */
		"\t%k:i32 = phi b0 %v, loop %k1\n"
		"\t%s:i32 = phi b0 i32:0, loop %s1\n"
		"\t%s1:i32 = iadd %s, %k\n"
		"\t%k1:i32 = isub %k, i32:1\n"
		"\t%c:b1 = sle i32:0, %k1\n"
		"\tbrc %c, loop, out\n"
		"out:\n"
		"\t%odd:i32 = iand %i, i32:1\n"
		"\t%m:b1 = ine %odd, i32:0\n"
		"\t%bal:i32 = ballot %m\n"
		"\tstbuf %m, %b, %o, -, %s1\n"
		"\t%z:b1 = ieq %i, i32:0\n"
		"\tstbuf %z, %b, i32:0, -, %bal\n"
		"\tret\n";
	struct arena a;
	const char *error;
	struct memory mem = { { 0 } };
	bool fine = true;

	arena_init(&a, 64 << 20);
	struct ir_fn *fn = ir_parse(&a, text, &error);
	check(fn != NULL, "evaluator text", error);
	if (!fn)
		return;
	error = ir_verify(fn, &a);
	check(!error, "evaluator text verifies", error);
	cfg_order(fn);
	struct eval_options o = { .io = { .user = &mem, .store = store_word }, .arena = &a };
	check(eval_run(fn, &o, &error) == EVAL_OK, "evaluator runs", error);
	for (unsigned i = 1; i < 40; i++)
		fine &= mem.word[i] == (i & 1 ? (39 - i) * (40 - i) / 2 : 0);
	check(fine && mem.word[0] == 0xaaaaaaaa, "evaluator result", NULL);
	o.max_steps = 1000;
	check(eval_run(fn, &o, &error) == EVAL_STEPS, "evaluator step limit", NULL);
	o.max_steps = 0;
	o.io.store = NULL;
	check(eval_run(fn, &o, &error) == EVAL_REFUSED, "evaluator refuses", NULL);
	arena_free(&a);
}

int main(void)
{
	int_ops_8();
	int_ops_16();
	int_ops_32();
	int_ops_64();
	conversions();
	float_pairs();
	float_singles();
	halves();
	evaluator();
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
