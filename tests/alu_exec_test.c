/* alu_exec_test.c - every arithmetic row of ops.def, emitted, run on a Vulkan device and compared with a reference of the row on
 * the CPU (alu_ref.h), over a grid of edge cases. Loads libvulkan at run time; skips with the reason when no device is there.
 *
 *	alu_exec_test [-v] [-o DIR] [OP ...]
 *
 * Input: one record of three 8-byte slots per case; output: one 8-byte slot. Exact rows must have equal bits (any NaN for a
 * NaN, either zero where the row leaves the sign open); rows of host precision are compared as the float contract says.
 * Where there is code that keeps denormals on hosts that do not (passes/floatkeep.h), a row runs once more with that
 * code.
 */
#include "gpu.h"
#include "alu_grid.h"

#include "../passes/floatkeep.h"
#include "../passes/pass.h"

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
	ir_id i, local, off, hi, ho, arg[3], v;

	i = gpu_program(fn, &local);
	hi = gpu_buffer(fn, 0);
	ho = gpu_buffer(fn, 1);
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
static enum ref_match precision(const struct shape *s)
{
	return s->op == IR_ffma && ir_bits(s->type) == 64 ? REF_NEAR : alu_ref_match(s->op);
}

static bool tiny(ir_type t, double v)
{
	return fabs(v) < (ir_base(t) == IR_F16 ? 6.2e-5 : ir_base(t) == IR_F32 ? 1.2e-38 : 2.3e-308);
}

static bool same(const struct shape *s, const uint64_t *in, uint64_t got, uint64_t want)
{
	enum ref_match p = precision(s);
	double a, b, eps = ir_base(s->type) == IR_F16 ? 2e-3 : 1e-4;

	if (got == want)
		return true;
	if (!ir_is_float(s->type))
		return false;
	a = ref_double(ir_bits(s->type), got);
	b = ref_double(ir_bits(s->type), want);
	if (isnan(a) && isnan(b))
		return true;
	if (p >= REF_ANY_ZERO && a == 0 && b == 0)
		return true;
	if (p < REF_NEAR)
		return false;
	if ((s->op == IR_fsin || s->op == IR_fcos) && fabs(ref_double(ir_bits(s->arg[0]), in[0])) > 100)
		return true; /* the host's range */
	for (unsigned k = 0; k < s->n; k++) /* denormals may be flushed where precision is the host's */
		if (ir_is_float(s->arg[k]) && tiny(s->arg[k], ref_double(ir_bits(s->arg[k]), in[k])))
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
		if (!alu_ref(s->op, s->type, s->imm, s->arg, in, &want))
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

/* The code that keeps denormals in place of the operation. False: there is none. */
static bool keep(struct ir_fn *fn, const struct facts *facts)
{
	struct arena scratch;
	struct diag_sink sink = {.emit = on_diag};
	struct pass_ctx ctx = {.fn = fn, .facts = facts, .scratch = &scratch, .diag = &sink};
	bool has = false;

	for (ir_id id = 1; id < fn->ninst; id++)
		has |= floatkeep_by_bits(fn, id) || floatkeep_by_width(fn, id);
	arena_init(&scratch, 64u << 20);
	has = has && pass_find("floatmode")->run(&ctx) == PASS_CHANGED;
	arena_free(&scratch);
	return has;
}

static void run_as(struct test *t, const struct shape *s, bool kept)
{
	struct arena a;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.stage = STAGE_COMPUTE, .target = &target};
	struct spirv_module m;
	char name[96];
	uint32_t cases;

	arena_init(&a, 64u << 20);
	struct spirv_input in = {.fn = program(&a, s), .facts = &facts, .arena = &a};
	if (kept || (s->op == IR_ffma && ir_bits(s->type) < 64))
		facts.floats = FLOAT_STRICT; /* the emulation is exact */
	if (kept)
		target.denorm_keep = 0;
	if (kept && !keep(in.fn, &facts)) {
		arena_free(&a);
		return;
	}
	shape_name(s, name);
	t->shapes++;
	cases = fill(s, t->gpu->in);
	memset(t->gpu->out, 0xcd, (size_t)cases * 8);
	if (!gpu_module(&in, &m)) {
		fprintf(stderr, "%s: not emitted\n", name);
		t->bad++;
	} else {
		if (t->dir)
			write_words(t->dir, name, &m);
		if (!dispatch(t->gpu, &m, cases) || !compare(t, s, cases, name))
			t->bad++;
		else if (t->verbose)
			printf("%s: %u cases, %zu words%s\n", name, cases, m.nwords, kept ? ", denormals kept by code" : "");
		t->cases += cases;
	}
	arena_free(&a);
}

static void run_shape(void *user, const struct shape *s)
{
	run_as(user, s, false);
	run_as(user, s, true);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};
	int i = gpu_main(&t, &gpu, argc, argv);

	if (i == argc)
		for (unsigned op = 0; op < IR_OP_COUNT; op++)
			grid_row((enum ir_op)op, run_shape, &t);
	for (; i < argc; i++)
		if (ir_op_find(argv[i]) != IR_OP_COUNT)
			grid_row(ir_op_find(argv[i]), run_shape, &t);
	return gpu_end(&t, "alu_exec");
}
