/* mem_exec_test.c - memory accesses, emitted and run on lavapipe: what goes in must come out, byte for byte, and nothing around
 * it may change. Skips with the reason when no device is there.
 *
 *	mem_exec_test
 */
#include "gpu.h"

/* ---- memory: elements of every width copied from binding 0 to binding 1, straight, through shared memory, through scratch */
enum route { STRAIGHT, SHARED, SCRATCH, ROUTES };
enum { MEM_CASES = 4 * GROUP, MEM_IN = 32, MEM_OUT = 16 };

static void copy_via(struct ir_fn *fn, enum route r, ir_id local, ir_type t, ir_id *v)
{
	ir_id yes = ir_const(fn, IR_B1, 1), at, st, barrier;

	if (r == STRAIGHT)
		return;
	at = r == SHARED ? ir_op2(fn, IR_imul, IR_I32, local, ir_const(fn, IR_I32, ir_bits(t) / 8 * ir_elems(t))) : ir_const(fn, IR_I32, 16);
	st = ir_op3(fn, r == SHARED ? IR_stshared : IR_stscr, IR_VOID, yes, at, *v);
	fn->inst[st].imm = r == SHARED ? 0 : 16;
	if (r == SHARED) {
		barrier = ir_op0(fn, IR_barrier, IR_VOID);
		fn->inst[barrier].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 1 << 8;
	}
	*v = ir_op2(fn, r == SHARED ? IR_ldshared : IR_ldscr, t, yes, at);
	fn->inst[*v].imm = r == SHARED ? 0 : 16;
}

static struct ir_fn *copy_program(struct arena *a, enum route r, ir_type t, unsigned align)
{
	struct ir_fn *fn = ir_fn_new(a, "copy");
	ir_id i, local, arg[5], v;

	fn->shared_bytes = GROUP * 16;
	fn->scratch_bytes = 64;
	i = gpu_program(fn, &local);
	arg[0] = ir_const(fn, IR_B1, 1);
	arg[1] = gpu_buffer(fn, 0);
	arg[2] = ir_op2(fn, IR_imul, IR_I32, i, ir_const(fn, IR_I32, MEM_IN));
	arg[3] = 0;
	v = ir_new(fn, IR_ldbuf, t, 4, arg);
	fn->inst[v].flags = (uint16_t)(align << IR_F_ALIGN_SHIFT);
	copy_via(fn, r, local, t, &v);
	arg[1] = gpu_buffer(fn, 1);
	arg[2] = ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 4));
	arg[4] = v;
	v = ir_new(fn, IR_stbuf, IR_VOID, 5, arg);
	fn->inst[v].flags = (uint16_t)(align << IR_F_ALIGN_SHIFT);
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

static void run_copy(struct test *t, enum route r, ir_type type, unsigned align, bool narrow)
{
	struct arena a;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.target = &target};
	struct spirv_module m;
	unsigned size = ir_bits(type) / 8 * ir_elems(type), bad = 0;
	uint8_t *in = (uint8_t *)t->gpu->in, *out = (uint8_t *)t->gpu->out;
	char name[8];

	target.storage8 = target.storage16 = narrow;
	arena_init(&a, 64u << 20);
	struct spirv_input si = {.fn = copy_program(&a, r, type, align), .facts = &facts, .arena = &a};
	for (uint32_t k = 0, x = 12345; k < MEM_CASES * MEM_IN; k++)
		in[k] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
	memset(out, 0xcd, MEM_CASES * MEM_OUT);
	t->shapes++;
	bad = !gpu_module(&si, &m) || !dispatch(t->gpu, &m, MEM_CASES);
	for (uint32_t k = 0; k < MEM_CASES && !bad; k++)
		for (unsigned b = 0; b < MEM_OUT; b++)
			bad += out[k * MEM_OUT + b] != (b < size ? in[k * MEM_IN + b] : 0xcd);
	if (bad)
		fprintf(stderr, "copy of %s, route %u, alignment %u, %s views: %u bytes wrong\n", ir_type_name(type, name), r, 1u << align,
		        narrow ? "narrow" : "word", bad);
	t->bad += bad != 0;
	t->cases += MEM_CASES;
	arena_free(&a);
}

static void run_copies(struct test *t)
{
	static const ir_type types[] = {IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_VEC(IR_I8, 4), IR_VEC(IR_I8, 3),
		IR_VEC(IR_I16, 2), IR_VEC(IR_F16, 4), IR_VEC(IR_I16, 3), IR_VEC(IR_I32, 2), IR_VEC(IR_I32, 3), IR_VEC(IR_I32, 4),
		IR_VEC(IR_F32, 4), IR_VEC(IR_I64, 2), IR_VEC(IR_F64, 2)};

	for (unsigned r = 0; r < ROUTES; r++)
		for (unsigned k = 0; k < sizeof types / sizeof *types; k++)
			for (unsigned align = 0; align <= 4; align++)
				for (unsigned narrow = 0; narrow < 2; narrow++)
					run_copy(t, (enum route)r, types[k], align, narrow);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};

	gpu_main(&t, &gpu, argc, argv);
	run_copies(&t);
	return gpu_end(&t, "mem_exec");
}
