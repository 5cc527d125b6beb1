/* addr_exec_test.c - accesses through addresses that a program gets as data, run on lavapipe: each case reads a buffer's device
 * address out of binding 0, and loads, stores and adds through it.
 *
 *	addr_exec_test
 */
#include "gpu.h"

enum { CASES = 2 * GROUP, TARGET = 4096 /* byte of the output buffer that addresses start at */ };

static ir_id access(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id mask, ir_id address, ir_id value, uint64_t imm)
{
	ir_id arg[5] = {mask, address, value, 0}, v = ir_new(fn, op, t, op == IR_ldptr ? 2 : op == IR_stptr ? 3 : 5, arg);

	fn->inst[v].imm = imm; /* sub of an atomic is 0: add */
	return v;
}

/* Case i: its address holds { a, b, c, d }; out[i] = a + b; c becomes i, d grows by i, in cases whose i is odd only. */
static struct ir_fn *program(struct arena *a)
{
	struct ir_fn *fn = ir_fn_new(a, "address");
	ir_id i, local, arg[5], p, yes = ir_const(fn, IR_B1, 1), odd, pair, sum;

	i = gpu_program(fn, &local);
	memcpy(arg, (ir_id[5]){yes, gpu_buffer(fn, 0), ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 3)), 0, 0}, sizeof arg);
	p = ir_new(fn, IR_ldbuf, IR_I64, 4, arg);
	fn->inst[p].flags = 3 << IR_F_ALIGN_SHIFT;
	odd = ir_op2(fn, IR_ine, IR_B1, ir_op2(fn, IR_iand, IR_I32, i, ir_const(fn, IR_I32, 1)), ir_const(fn, IR_I32, 0));
	pair = access(fn, IR_ldptr, IR_VEC(IR_I32, 2), yes, p, 0, 0);
	sum = ir_op1(fn, IR_elem, IR_I32, pair);
	fn->inst[sum].imm = 1;
	sum = ir_op2(fn, IR_iadd, IR_I32, ir_op1(fn, IR_elem, IR_I32, pair), sum);
	access(fn, IR_stptr, IR_VOID, odd, p, i, 8);
	access(fn, IR_atptr, IR_I32, odd, p, i, 12);
	memcpy(arg, (ir_id[5]){yes, gpu_buffer(fn, 1), ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 2)), 0, sum}, sizeof arg);
	fn->inst[ir_new(fn, IR_stbuf, IR_VOID, 5, arg)].flags = 2 << IR_F_ALIGN_SHIFT;
	ir_ret(fn);
	fn->ssa = fn->structured = true;
	cfg_order(fn);
	return fn;
}

static void run(struct test *t, bool model)
{
	struct arena a;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.target = &target};
	struct spirv_module m;
	uint32_t *out = (uint32_t *)t->gpu->out, wrong = 0;

	target.memory_model = model;
	arena_init(&a, 16u << 20);
	struct spirv_input in = {.fn = program(&a), .facts = &facts, .arena = &a};
	t->shapes++;
	t->cases += CASES;
	for (uint32_t k = 0; k < CASES; k++) {
		t->gpu->in[k] = t->gpu->out_address + TARGET + 16 * (CASES - 1 - k);
		for (uint32_t j = 0; j < 4; j++)
			out[TARGET / 4 + 4 * k + j] = 1000 * j + k;
	}
	bool fine = gpu_module(&in, &m) && dispatch(t->gpu, &m, CASES);
	for (uint32_t k = 0; k < CASES && fine; k++) {
		const uint32_t *w = out + TARGET / 4 + 4 * (CASES - 1 - k);
		uint32_t was = CASES - 1 - k, odd = k & 1;
		wrong += out[k] != 2 * was + 1000 || w[2] != (odd ? k : 2000 + was) || w[3] != 3000 + was + (odd ? k : 0);
	}
	if (!fine || wrong)
		fprintf(stderr, "addresses%s: %u cases wrong\n", model ? "" : " without the Vulkan memory model", wrong);
	t->bad += !fine || wrong;
	arena_free(&a);
}

int main(int argc, char **argv)
{
	struct gpu gpu = {0};
	struct test t = {0};

	gpu_main(&t, &gpu, argc, argv);
	run(&t, true);
	run(&t, false);
	return gpu_end(&t, "addr_exec");
}
