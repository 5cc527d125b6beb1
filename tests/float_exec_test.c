/* float_exec_test.c - the float contract under --float strict, run on lavapipe: small programs of operations that flush denormals
 * on the guest, through the pass that makes it so, against the definition in C: flush(op(flush operands)), bit by bit.
 *
 *	float_exec_test [-v]
 *
 * Each program runs with flushes by float arithmetic and by bits, and without any flag, where denormals must survive.
 */
#include "gpu.h"

#include "../passes/pass.h"

enum { X, Y, Z, VALUES };

struct program {
	const char *name;
	ir_id (*build)(struct ir_fn *, const ir_id *);
	float (*want)(const float *, bool ftz);
};

/* ---- the definition */
static float flush(float v, bool ftz)
{
	uint32_t b;

	memcpy(&b, &v, 4);
	if (!ftz || (b & 0x7f800000))
		return v;
	b &= 0x80000000;
	memcpy(&v, &b, 4);
	return v;
}

static ir_id op(struct ir_fn *fn, enum ir_op o, ir_type t, unsigned n, ir_id a, ir_id b, ir_id c)
{
	ir_id arg[3] = {a, b, c}, v = ir_new(fn, o, t, n, arg);

	fn->inst[v].flags = IR_F_FTZ;
	return v;
}

#define F2(o, a, b) op(fn, IR_##o, IR_F32, 2, a, b, 0)
#define C2(o, a, b) op(fn, IR_##o, IR_B1, 2, a, b, 0)
#define F1(o, a) op(fn, IR_##o, IR_F32, 1, a, 0, 0)
#define K(bits) ir_const(fn, IR_F32, bits)
#define F(v) flush(v, ftz)
#define PROGRAM(name, ir, c) RAW_PROGRAM(name, ir, F(c))
/* what is handed on and not computed: nothing flushes it */
#define RAW_PROGRAM(name, ir, c) \
	static ir_id build_##name(struct ir_fn *fn, const ir_id *v) { (void)v; return ir; } \
	static float want_##name(const float *in, bool ftz) \
	{ \
		float x = F(in[X]), y = F(in[Y]), z = F(in[Z]); \
		(void)x, (void)y, (void)z; \
		return c; \
	}

static float nan_min(float a, float b)
{
	return isnan(a) ? b : isnan(b) ? a : a < b ? a : b;
}

static float nan_max(float a, float b)
{
	return isnan(a) ? b : isnan(b) ? a : a > b ? a : b;
}

static float clamp01(float v)
{
	return v > 1 ? 1 : v > 0 ? v : 0;
}

#define I(k) ir_const(fn, IR_I32, k)
/* The value's bits from `from` on, `most` at most. */
static ir_id bits_of(struct ir_fn *fn, ir_id v, unsigned from, unsigned most)
{
	ir_id bits = ir_op1(fn, IR_bitcast, IR_I32, v), high = ir_op2(fn, IR_lshr, IR_I32, bits, I(from));

	return ir_op2(fn, IR_umin, IR_I32, high, I(most));
}

static unsigned least_of(float v, unsigned from, unsigned most)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits >> from < most ? bits >> from : most;
}

PROGRAM(add, F2(fadd, v[X], v[Y]), x + y)
PROGRAM(sub, F2(fsub, v[X], v[Y]), x - y)
PROGRAM(mul, F2(fmul, v[X], v[Y]), x * y)
PROGRAM(square, F2(fmul, v[X], v[X]), x * x)
PROGRAM(half, F2(fmul, v[X], K(0x3f000000)), x * 0.5f)
PROGRAM(eight, F2(fmul, v[X], K(0x41000000)), x * 8)
PROGRAM(plus_one, F2(fadd, v[X], K(0x3f800000)), x + 1)
PROGRAM(plus_tiny, F2(fadd, v[X], K(0x00400000)), x + F(0x1p-127f))
PROGRAM(fma, op(fn, IR_ffma, IR_F32, 3, v[X], v[Y], v[Z]), fmaf(x, y, z))
PROGRAM(mad, F2(fadd, F2(fmul, v[X], v[Y]), v[Z]), F(x * y) + z)
PROGRAM(min, F2(fmin, v[X], v[Y]), nan_min(x, y))
PROGRAM(max_mul, F2(fmul, F2(fmax, v[X], v[Y]), v[Z]), F(nan_max(x, y)) * z)
PROGRAM(clamp_mul, F2(fmul, F1(fsat, v[X]), v[Y]), F(clamp01(x)) * y)
PROGRAM(floor, F1(ffloor, v[X]), floorf(x))
PROGRAM(ceil, F1(fceil, v[X]), ceilf(x))
PROGRAM(trunc_mul, F1(ftrunc, F2(fmul, v[X], v[Y])), truncf(F(x * y)))
RAW_PROGRAM(positive, ir_op3(fn, IR_select, IR_F32, C2(flt, K(0), v[X]), v[Y], K(0x40000000)), 0 < x ? in[Y] : 2)
PROGRAM(less, ir_op3(fn, IR_select, IR_F32, C2(flt, v[X], v[Y]), K(0x3f800000), K(0)), x < y ? 1 : 0)
PROGRAM(less_one, ir_op3(fn, IR_select, IR_F32, C2(flt, v[X], K(0x3f800000)), K(0x3f800000), K(0)), x < 1 ? 1 : 0)
PROGRAM(ldexp, op(fn, IR_fldexp, IR_F32, 2, v[X], ir_const(fn, IR_I32, 30), 0), ldexpf(x, 30))
/* Exponents of which it is known that no steps, one step, and no more than two are needed. */
PROGRAM(ldexp_near, op(fn, IR_fldexp, IR_F32, 2, v[X], ir_op1(fn, IR_ineg, IR_I32, bits_of(fn, v[Y], 24, 63)), 0),
	ldexpf(x, -(int)least_of(in[Y], 24, 63)))
PROGRAM(ldexp_far, op(fn, IR_fldexp, IR_F32, 2, v[X], ir_op2(fn, IR_isub, IR_I32, bits_of(fn, v[Y], 22, 482), I(228)), 0),
	ldexpf(x, (int)least_of(in[Y], 22, 482) - 228))
PROGRAM(ldexp_further, op(fn, IR_fldexp, IR_F32, 2, v[X], ir_op2(fn, IR_isub, IR_I32, bits_of(fn, v[Y], 22, 483), I(228)), 0),
	ldexpf(x, (int)least_of(in[Y], 22, 483) - 228))
PROGRAM(chosen, F2(fadd, ir_op3(fn, IR_select, IR_F32, C2(flt, v[X], v[Y]), F2(fmul, v[X], v[Z]), v[Y]), v[Z]),
	F(x < y ? F(x * z) : y) + z)
PROGRAM(negated, F2(fmul, ir_op1(fn, IR_fneg, IR_F32, v[X]), v[Y]), -x * y)
RAW_PROGRAM(moved, ir_op1(fn, IR_fneg, IR_F32, v[X]), -in[X])
PROGRAM(mantissa, F1(ffrexpm, v[X]), isnan(x) || isinf(x) ? x : frexpf(x, &(int){0}))

static const struct program programs[] = {
#define P(n) {#n, build_##n, want_##n}
	P(add), P(sub), P(mul), P(square), P(half), P(eight), P(plus_one), P(plus_tiny), P(fma), P(mad), P(min), P(max_mul), P(clamp_mul),
	P(floor), P(ceil), P(trunc_mul), P(positive), P(less), P(less_one), P(ldexp),
	P(ldexp_near), P(ldexp_far), P(ldexp_further), P(chosen), P(negated), P(moved), P(mantissa),
#undef P
};

/* Zeros of either sign are equal to a minimum, and lavapipe takes x + 0 for x. */
static bool any_zero(const char *name)
{
	return !strcmp(name, "min") || !strcmp(name, "max_mul") || !strcmp(name, "clamp_mul") || !strcmp(name, "plus_tiny");
}

/* ---- one program */
static struct ir_fn *function(struct arena *a, const struct program *p, bool ftz)
{
	struct ir_fn *fn = ir_fn_new(a, p->name);
	ir_id i, local, off, h[2], arg[5], v[VALUES];

	i = gpu_program(fn, &local);
	for (unsigned k = 0; k < 2; k++)
		h[k] = gpu_buffer(fn, k);
	off = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, 12));
	for (unsigned k = 0; k < VALUES; k++) {
		memcpy(arg, (ir_id[5]){ir_const(fn, IR_B1, 1), h[0], off}, sizeof arg);
		v[k] = ir_new(fn, IR_ldbuf, IR_I32, 4, arg);
		fn->inst[v[k]].imm = k * 4;
		v[k] = ir_op1(fn, IR_bitcast, IR_F32, v[k]);
	}
	memcpy(arg, (ir_id[5]){ir_const(fn, IR_B1, 1), h[1], ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 2)), 0, 0}, sizeof arg);
	arg[4] = ir_op1(fn, IR_bitcast, IR_I32, p->build(fn, v));
	ir_new(fn, IR_stbuf, IR_VOID, 5, arg);
	ir_ret(fn);
	for (ir_id k = 1; k < fn->ninst && !ftz; k++)
		fn->inst[k].flags &= (uint16_t)~IR_F_FTZ;
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

static uint32_t fill(float *in)
{
	static const uint32_t bits[] = {0, 0x80000000, 1, 0x80000001, 0x00400000, 0x807fffff, 0x007fffff, 0x00800000, 0x80800000, 0x00800001,
		0x01000000, 0x0d000000, 0x8c800001, 0x20000000, 0x3effffff, 0x3f000000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fc00000, 0x40490fdb, 0x4b800001,
		0x60000000, 0xf0000000, 0x7e800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000};
	enum { N = sizeof bits / sizeof *bits };
	uint32_t n = 0;

	for (unsigned a = 0; a < N; a++)
		for (unsigned b = 0; b < N; b++)
			for (unsigned c = 0; c < N; c++, n++) {
				memcpy(&in[n * 3 + X], &bits[a], 4);
				memcpy(&in[n * 3 + Y], &bits[b], 4);
				memcpy(&in[n * 3 + Z], &bits[c], 4);
			}
	return n;
}

static bool compare(struct test *t, const struct program *p, uint32_t cases, bool ftz)
{
	const float *in = (const float *)t->gpu->in, *out = (const float *)t->gpu->out;
	unsigned wrong = 0;

	for (uint32_t k = 0; k < cases; k++) {
		float want = p->want(in + k * 3, ftz), got = out[k];
		if (!memcmp(&want, &got, 4) || (isnan(want) && isnan(got)) || (any_zero(p->name) && want == 0 && got == 0))
			continue;
		if (wrong++ < 4)
			fprintf(stderr, "%s%s: (%a, %a, %a) gives %a instead of %a\n", p->name, ftz ? " ftz" : "", in[k * 3], in[k * 3 + 1],
			        in[k * 3 + 2], got, want);
	}
	if (wrong)
		fprintf(stderr, "%s: %u of %u cases wrong\n", p->name, wrong, cases);
	return !wrong;
}

static void run(struct test *t, const struct program *p, bool ftz, bool by_bits, uint32_t cases)
{
	struct arena a, scratch;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.stage = STAGE_COMPUTE, .wave = 32, .target = &target, .floats = FLOAT_STRICT};
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_module m;

	if (by_bits)
		target.nan_mode[2] = false;
	arena_init(&a, 64u << 20);
	arena_init(&scratch, 64u << 20);
	struct spirv_input in = {.fn = function(&a, p, ftz), .facts = &facts, .arena = &a};
	struct pass_ctx ctx = {.fn = in.fn, .facts = &facts, .scratch = &scratch, .diag = &sink};
	t->shapes++;
	t->cases += cases;
	memset(t->gpu->out, 0xcd, (size_t)cases * 4);
	if (pass_find("floatmode")->run(&ctx) == PASS_REFUSED || !gpu_module(&in, &m) || !dispatch(t->gpu, &m, cases) || !compare(t, p, cases, ftz))
		t->bad++;
	else if (t->verbose)
		printf("%s%s%s: %zu words\n", p->name, ftz ? " ftz" : "", by_bits ? " bits" : "", m.nwords);
	arena_free(&a);
	arena_free(&scratch);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};

	gpu_main(&t, &gpu, argc, argv);
	uint32_t cases = fill((float *)gpu.in);
	for (unsigned k = 0; k < sizeof programs / sizeof *programs; k++) {
		run(&t, &programs[k], true, false, cases);
		run(&t, &programs[k], true, true, cases);
		run(&t, &programs[k], false, false, cases);
	}
	return gpu_end(&t, "float_exec");
}
