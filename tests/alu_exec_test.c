/* alu_exec_test.c - every arithmetic row of ops.def, emitted, run on a Vulkan device and compared with the row's evaluation
 * on the CPU, over a grid of edge cases. Loads libvulkan at run time; skips with the reason when no device is there.
 *
 *	alu_exec_test [-v] [-o DIR] [OP ...]
 *
 * Input: one record of three 8-byte slots per case; output: one 8-byte slot. Exact rows must have equal bits (any NaN for a
 * NaN, either zero where the row leaves the sign open); rows of host precision are compared as the float contract says.
 */
#include "gpu.h"

/* ---- one row at one pair of types */
struct shape { enum ir_op op; ir_type type, arg[3]; unsigned n; uint64_t imm; };

static ir_id load(struct ir_fn *fn, ir_id h, ir_id off, unsigned slot, ir_type t)
{
	ir_type wide = ir_bits(t) == 64 ? IR_I64 : IR_I32;
	ir_id arg[5] = {ir_const(fn, IR_B1, 1), h, off, 0}, v;

	v = ir_new(fn, IR_ldbuf, wide, 4, arg);
	fn->inst[v].imm = slot * 8;
	fn->inst[v].flags = 3 << IR_F_ALIGN_SHIFT;
	if (ir_base(t) == IR_B1)
		return ir_op2(fn, IR_ine, IR_B1, v, ir_const(fn, IR_I32, 0));
	if (ir_bits(t) < 32)
		v = ir_op1(fn, IR_trunc, ir_int_of_bits(ir_bits(t)), v);
	return ir_is_float(t) ? ir_op1(fn, IR_bitcast, t, v) : v;
}

static void store(struct ir_fn *fn, ir_id h, ir_id off, ir_type t, ir_id v)
{
	ir_id arg[5] = {ir_const(fn, IR_B1, 1), h, off, 0};

	if (ir_is_float(t))
		v = ir_op1(fn, IR_bitcast, ir_int_of_bits(ir_bits(t)), v);
	if (ir_base(t) == IR_B1 || ir_bits(t) < 32)
		v = ir_op1(fn, IR_zext, IR_I32, v);
	arg[4] = v;
	v = ir_new(fn, IR_stbuf, IR_VOID, 5, arg);
	fn->inst[v].flags = 3 << IR_F_ALIGN_SHIFT;
}

static struct ir_fn *program(struct arena *a, const struct shape *s)
{
	struct ir_fn *fn = ir_fn_new(a, ir_ops[s->op].name);
	struct ir_resource in = {.kind = RES_STORAGE_BUFFER, .count = 1, .read = true}, out = in;
	ir_id g, i, off, hi, ho, arg[3], v;

	out.binding = 1;
	out.written = true;
	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = GROUP;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	fn->entry = fn->at = ir_block_new(fn);
	g = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[g].sub = SYSVAL_workgroup_id;
	i = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[i].sub = SYSVAL_local_index;
	i = ir_op2(fn, IR_iadd, IR_I32, ir_op2(fn, IR_imul, IR_I32, g, ir_const(fn, IR_I32, GROUP)), i);
	hi = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[hi].imm = ir_resource_new(fn, &in);
	ho = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[ho].imm = ir_resource_new(fn, &out);
	off = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, 24));
	for (unsigned k = 0; k < s->n; k++)
		arg[k] = load(fn, hi, off, k, s->arg[k]);
	v = ir_new(fn, s->op, s->type, s->n, arg);
	fn->inst[v].imm = s->imm;
	store(fn, ho, ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 3)), s->type, v);
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

/* ---- values */
static const double reals[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 0.75, 2.0, 7.0, 1e-3, -1e-3, 100.25, 1.0 / 3,
	127.5, 255.0, 256.0, 32767.0, 32768.0, -32768.0, 65504.0, 65519.0, 65520.0, 65536.0, 2049.0, 2051.0, 4.0e-8, 5.9604645e-8,
	8.9e-8, 6.0e-5, 6.1e-5, 2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967296.0,
	9223371487098961920.0, 9223372036854775808.0, -9223372036854775808.0, 18446744073709551616.0, 1.0e30, -1.0e30};
static const uint64_t ints[] = {0, 1, 2, 3, 5, 7, 15, 16, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef0, 0x7fffffffffffffff,
	0x8000000000000000, 0xffffffffffffff80, 0xffffffffffff8000, 0xffffffff80000000, 0xfffffffffffffffe, 0xffffffffffffffff};
static const uint64_t counts[] = {0, 1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 0xffffffff};
static const int32_t scales[] = {0, 1, -1, 5, -10, 24, -24, 60, 100, 126, 127, 128, -126, -127, -130, -149, -150, 150, 254, 277, -277, 300,
	-300, 1023, -1022, -1074, 2098, -2098, 5000, -5000, INT32_MAX, INT32_MIN};

static uint64_t half_bits(double v)
{
	uint64_t out;
	ir_type from = IR_F64;
	uint64_t in;

	memcpy(&in, &v, 8);
	ir_eval_op(IR_f2f, IR_F16, 0, 0, &from, &in, &out);
	return out;
}

static unsigned float_values(ir_type t, uint64_t v[96])
{
	static const uint64_t odd[3][8] = { /* denormals, infinities, NaNs, largest, smallest normal */
		{0x0001, 0x03ff, 0x8001, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0400},
		{0x00000001, 0x007fffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000},
		{1, 0xfffffffffffff, 0x8000000000000001, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff,
			0x0010000000000000}};
	unsigned n = 0, w = ir_base(t) == IR_F16 ? 0 : ir_base(t) == IR_F32 ? 1 : 2;

	for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++) {
		float f = (float)reals[k];
		uint32_t b;
		memcpy(&b, &f, 4);
		if (w == 2)
			memcpy(&v[n], &reals[k], 8);
		else
			v[n] = w ? b : half_bits(reals[k]);
		n++;
	}
	memcpy(v + n, odd[w], sizeof odd[w]);
	return n + 8;
}

static unsigned values(const struct shape *s, unsigned k, uint64_t v[96])
{
	ir_type t = s->arg[k];
	unsigned n = 0;

	if (ir_base(t) == IR_B1) {
		v[0] = 0;
		v[1] = 1;
		return 2;
	}
	if (s->op == IR_fldexp && k == 1) {
		for (; n < sizeof scales / sizeof *scales; n++)
			v[n] = (uint32_t)scales[n];
		return n;
	}
	if ((s->op == IR_ubfe || s->op == IR_sbfe) && k) {
		memcpy(v, counts, sizeof counts);
		return sizeof counts / sizeof *counts;
	}
	if (ir_is_float(t)) {
		n = float_values(t, v);
		if (s->n == 3) { /* a third of them */
			for (unsigned j = 0; j < n / 2; j++)
				v[j] = v[j * 2 + (k & 1)];
			n /= 2;
		}
		return n;
	}
	for (; n < sizeof ints / sizeof *ints; n++)
		v[n] = ir_bits(t) == 64 ? ints[n] : ints[n] & ((1ull << ir_bits(t)) - 1);
	return n;
}

static uint32_t fill(const struct shape *s, uint64_t *in)
{
	uint64_t v[3][96];
	unsigned n[3] = {1, 1, 1};
	uint32_t cases = 0;

	memset(v, 0, sizeof v);
	for (unsigned k = 0; k < s->n; k++)
		n[k] = values(s, k, v[k]);
	for (unsigned a = 0; a < n[0]; a++)
		for (unsigned b = 0; b < n[1]; b++)
			for (unsigned c = 0; c < n[2] && cases < MAX_CASES; c++, cases++) {
				in[cases * 3] = v[0][a];
				in[cases * 3 + 1] = v[1][b];
				in[cases * 3 + 2] = v[2][c];
			}
	return cases;
}

/* ---- comparison */
static double as_double(ir_type t, uint64_t bits)
{
	double d;
	float f;
	uint32_t u = (uint32_t)bits;
	uint64_t out;

	if (ir_base(t) == IR_F16) {
		ir_type from = IR_F16;
		ir_eval_op(IR_f2f, IR_F64, 0, 0, &from, &bits, &out);
		bits = out;
	}
	if (ir_base(t) == IR_F32) {
		memcpy(&f, &u, 4);
		return f;
	}
	memcpy(&d, &bits, 8);
	return d;
}

enum { EXACT, ANY_ZERO, HOST };

static int precision(const struct shape *s)
{
	switch (s->op) {
	case IR_ffma: return ir_bits(s->type) == 64 ? HOST : EXACT;
	case IR_frcp: case IR_frsq: case IR_fsqrt: case IR_fexp2: case IR_flog2: case IR_fsin: case IR_fcos: case IR_ffract:
		return HOST;
	case IR_fmin: case IR_fmax: case IR_fsat: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne: return ANY_ZERO;
	default: return EXACT;
	}
}

static bool tiny(ir_type t, double v)
{
	return fabs(v) < (ir_base(t) == IR_F16 ? 6.2e-5 : ir_base(t) == IR_F32 ? 1.2e-38 : 2.3e-308);
}

static bool same(const struct shape *s, const uint64_t *in, uint64_t got, uint64_t want)
{
	int p = precision(s);
	double a, b, eps = ir_base(s->type) == IR_F16 ? 2e-3 : 1e-4;

	if (got == want)
		return true;
	if (!ir_is_float(s->type))
		return false;
	a = as_double(s->type, got);
	b = as_double(s->type, want);
	if (isnan(a) && isnan(b))
		return true;
	if (p >= ANY_ZERO && a == 0 && b == 0)
		return true;
	if (p < HOST)
		return false;
	if ((s->op == IR_fsin || s->op == IR_fcos) && fabs(as_double(s->arg[0], in[0])) > 100)
		return true; /* the host's range */
	for (unsigned k = 0; k < s->n; k++) /* denormals may be flushed where precision is the host's */
		if (ir_is_float(s->arg[k]) && tiny(s->arg[k], as_double(s->arg[k], in[k])))
			return true;
	if (s->op == IR_ffma && (isinf(a) || isnan(a)))
		return true; /* two roundings overflow where one does not */
	return fabs(a - b) <= eps * fmax(1, fmax(fabs(a), fabs(b))) || (tiny(s->type, a) && tiny(s->type, b));
}

static const char *shape_name(const struct shape *s, char buf[96])
{
	char t[3][8];

	snprintf(buf, 96, "%s.%s.%s.%s#%llx", ir_ops[s->op].name, ir_type_name(s->type, t[0]), ir_type_name(s->arg[0], t[1]),
	         s->n > 1 ? ir_type_name(s->arg[1], t[2]) : "", (unsigned long long)s->imm);
	return buf;
}

static void write_words(const char *dir, const char *name, const struct spirv_module *m)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s.spv", dir, name);
	f = fopen(path, "wb");
	if (f) {
		fwrite(m->words, 4, m->nwords, f);
		fclose(f);
	}
}

static bool compare(struct test *t, const struct shape *s, uint32_t cases, const char *name)
{
	uint64_t mask = ir_base(s->type) == IR_B1 ? 1 : ir_bits(s->type) == 64 ? UINT64_MAX : (1ull << ir_bits(s->type)) - 1;
	unsigned wrong = 0;

	for (uint32_t k = 0; k < cases; k++) {
		const uint64_t *in = t->gpu->in + k * 3;
		uint64_t want = 0, got = t->gpu->out[k] & mask;
		if (!ir_eval_op(s->op, s->type, 0, s->imm, s->arg, in, &want))
			return false;
		if (same(s, in, got, want & mask))
			continue;
		if (wrong++ < 4)
			fprintf(stderr, "%s: (%llx, %llx, %llx) gives %llx instead of %llx\n", name, (unsigned long long)in[0],
			        (unsigned long long)in[1], (unsigned long long)in[2], (unsigned long long)got, (unsigned long long)want);
	}
	if (wrong)
		fprintf(stderr, "%s: %u of %u cases wrong\n", name, wrong, cases);
	return !wrong;
}

static void run_shape(struct test *t, const struct shape *s)
{
	struct arena a;
	struct facts facts = {.target = target_find("lavapipe")};
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_module m;
	struct spirv_tools *tools = spirv_tools_new(facts.target);
	char name[96];
	uint32_t cases;

	arena_init(&a, 64u << 20);
	struct spirv_input in = {.fn = program(&a, s), .facts = &facts, .arena = &a};
	if (s->op == IR_ffma && ir_bits(s->type) < 64)
		facts.floats = FLOAT_STRICT; /* the emulation is exact */
	shape_name(s, name);
	t->shapes++;
	cases = fill(s, t->gpu->in);
	memset(t->gpu->out, 0xcd, (size_t)cases * 8);
	if (spirv_emit(&in, &m, &sink) || spirv_validate(tools, m.words, m.nwords, &sink)) {
		fprintf(stderr, "%s: not emitted\n", name);
		t->bad++;
	} else {
		if (t->dir)
			write_words(t->dir, name, &m);
		if (!dispatch(t->gpu, &m, cases) || !compare(t, s, cases, name))
			t->bad++;
		else if (t->verbose)
			printf("%s: %u cases, %zu words\n", name, cases, m.nwords);
		t->cases += cases;
	}
	spirv_tools_free(tools);
	arena_free(&a);
}

/* ---- which types a row takes */
static bool fits(unsigned cls, ir_type t)
{
	switch (cls) {
	case C_INT: return ir_is_int(t);
	case C_INTB: return ir_is_int(t) || ir_base(t) == IR_B1;
	case C_FLT: return ir_is_float(t);
	case C_ANY: return true;
	default: return t == IR_VOID;
	}
}

static bool conversion_fits(enum ir_op op, ir_type t, ir_type u)
{
	unsigned a = ir_bits(t), b = ir_bits(u);

	switch (op) {
	case IR_zext: case IR_sext: return ir_is_int(t) && !ir_is_float(u) && a > b;
	case IR_trunc: return ir_is_int(t) && ir_is_int(u) && a < b;
	case IR_bitcast: return a == b && ir_base(t) != IR_B1 && ir_is_float(t) != ir_is_float(u);
	case IR_s2f: case IR_u2f: return ir_is_float(t) && ir_is_int(u);
	case IR_f2s: case IR_f2u: return ir_is_int(t) && ir_is_float(u);
	case IR_f2f: return ir_is_float(t) && ir_is_float(u) && a != b && !(a == 16 && b == 64);
	case IR_f2f_rtz: return ir_is_float(t) && ir_is_float(u) && a < b && a == 16 && b == 32;
	default: return true;
	}
}

static ir_type letter(char c, ir_type t, ir_type u)
{
	static const struct { char c; ir_type t; } fixed[] = {{'b', IR_B1}, {'y', IR_I8}, {'h', IR_I16}, {'i', IR_I32}, {'l', IR_I64},
		{'f', IR_F32}, {'d', IR_F64}};

	if (c == 'T')
		return t;
	if (c == 'U')
		return u;
	for (unsigned k = 0; k < sizeof fixed / sizeof *fixed; k++)
		if (fixed[k].c == c)
			return fixed[k].t;
	return IR_VOID;
}

static bool wanted(enum ir_op op)
{
	const char *arg = strchr(ir_ops[op].sig, ':') + 1;

	return ir_ops[op].fx == (ir_ops[op].fx & (FX_COMM | FX_CONV)) && *arg && !strpbrk(arg, "R?*X") && op != IR_lanebit;
}

static void run_row(struct test *t, enum ir_op op)
{
	static const ir_type all[] = {IR_B1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64};
	static const uint64_t classes[] = {0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x204, 0x90, 0x108, 0x60, 0x3fc, 0x3ff};
	const char *sig = ir_ops[op].sig, *arg = strchr(sig, ':') + 1;
	bool has_t = strchr(sig, 'T'), has_u = strchr(sig, 'U');

	for (unsigned i = 0; i < (has_t ? 8u : 1u); i++)
		for (unsigned j = 0; j < (has_u ? 8u : 1u); j++) {
			struct shape s = {.op = op, .type = letter(sig[0], all[i], all[j]), .n = (unsigned)strlen(arg)};
			ir_type first = has_t && !has_u ? all[i] : all[j];
			uint64_t out, zero[3] = {0};
			if ((has_t && has_u) ? !conversion_fits(op, all[i], all[j]) : ((has_t || has_u) && !fits(ir_ops[op].cls, first)))
				continue;
			if (ir_base(first) == IR_F64 && (op == IR_fexp2 || op == IR_flog2 || op == IR_fsin || op == IR_fcos))
				continue; /* refused */
			for (unsigned k = 0; k < s.n && k < 3; k++)
				s.arg[k] = letter(arg[k], all[i], all[j]);
			for (unsigned c = 0; c < (op == IR_fclass ? sizeof classes / sizeof *classes : 1); c++) {
				s.imm = op == IR_fclass ? classes[c] : 0;
				if (ir_eval_op(op, s.type, 0, s.imm, s.arg, zero, &out))
					run_shape(t, &s);
			}
		}
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};
	int i = gpu_main(&t, &gpu, argc, argv);

	if (i == argc)
		for (unsigned op = 0; op < IR_OP_COUNT; op++)
			if (wanted((enum ir_op)op))
				run_row(&t, (enum ir_op)op);
	for (; i < argc; i++)
		if (ir_op_find(argv[i]) != IR_OP_COUNT)
			run_row(&t, ir_op_find(argv[i]));
	return gpu_end(&t, "alu_exec");
}
