/* bounds_exec_test.c - out-of-range accesses under --bounds exact, run on lavapipe: reads give 0, writes vanish. Every program runs
 * with checks left to the host where it has robust access, and with checks by code alone.
 *
 *	bounds_exec_test
 *
 * Case k reads offset in[k] of: the input buffer, workgroup memory, constant data; and writes there. Expected values come from the
 * rule itself.
 */
#include "gpu.h"

#include "../passes/pass.h"

enum space { BUFFER, PAIR, SHARED, DATA, STORE, SHARED_STORE, ATOMIC, SPACES };
enum { CASES = 4 * GROUP, SHARED_BYTES = GROUP * 4 };
static const char *const names[SPACES] = {"buffer", "pair", "shared", "data", "store", "shared store", "atomic"};
static const uint8_t data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static ir_id buffer_op(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id h, ir_id off, ir_id value, bool checked)
{
	ir_id arg[6] = {ir_const(fn, IR_B1, 1), h, off, 0, value, 0};
	ir_id v = ir_new(fn, op, t, op == IR_ldbuf ? 4 : op == IR_stbuf ? 5 : 6, arg);

	fn->inst[v].flags = (uint16_t)(2 << IR_F_ALIGN_SHIFT | (checked ? IR_F_BOUNDS : 0));
	return v;
}

static void barrier(struct ir_fn *fn)
{
	ir_id b = ir_op0(fn, IR_barrier, IR_VOID);

	fn->inst[b].sub = SCOPE_GROUP | SCOPE_GROUP << 4 | 1 << 8;
}

static ir_id table(struct ir_fn *fn)
{
	struct ir_resource q = {.kind = RES_CONST_DATA, .count = 1, .binding = 7, .read = true, .data = data, .size = sizeof data};
	ir_id h = ir_op1(fn, IR_bind, IR_RES, 0);

	fn->inst[h].imm = ir_resource_new(fn, &q);
	return h;
}

static ir_id shared_op(struct ir_fn *fn, enum ir_op op, ir_id off, ir_id value)
{
	ir_id yes = ir_const(fn, IR_B1, 1);
	ir_id v = op == IR_ldshared ? ir_op2(fn, op, IR_I32, yes, off) : ir_op3(fn, op, IR_VOID, yes, off, value);

	fn->inst[v].flags = IR_F_BOUNDS;
	return v;
}

/* The value that case `i` stores, for the offset `off`. */
static ir_id body(struct ir_fn *fn, enum space s, ir_id hi, ir_id ho, ir_id i, ir_id local, ir_id off)
{
	ir_id mine = ir_op2(fn, IR_shl, IR_I32, local, ir_const(fn, IR_I32, 2)), one = ir_const(fn, IR_I32, 1), v;

	switch (s) {
	case BUFFER: return buffer_op(fn, IR_ldbuf, IR_I32, hi, off, 0, true);
	case PAIR:
		v = buffer_op(fn, IR_ldbuf, IR_VEC(IR_I32, 2), hi, off, 0, true);
		one = ir_op1(fn, IR_elem, IR_I32, v);
		v = ir_op1(fn, IR_elem, IR_I32, v);
		fn->inst[v].imm = 1;
		return ir_op2(fn, IR_ixor, IR_I32, one, v);
	case DATA: return buffer_op(fn, IR_ldbuf, IR_I32, table(fn), off, 0, true);
	case STORE: /* only offsets that are out of range, else another case's place would change */
		v = ir_op3(fn, IR_select, IR_I32, ir_op2(fn, IR_ult, IR_B1, off, ir_const(fn, IR_I32, IN_BYTES)), ir_const(fn, IR_I32, IN_BYTES), off);
		buffer_op(fn, IR_stbuf, IR_VOID, ho, v, i, true);
		return one;
	case ATOMIC:
		v = ir_op3(fn, IR_select, IR_I32, ir_op2(fn, IR_ult, IR_B1, off, ir_const(fn, IR_I32, IN_BYTES)), ir_const(fn, IR_I32, IN_BYTES), off);
		return buffer_op(fn, IR_atbuf, IR_I32, ho, v, i, true); /* sub 0: add */
	case SHARED: case SHARED_STORE: default:
		shared_op(fn, IR_stshared, mine, ir_op2(fn, IR_iadd, IR_I32, local, one));
		barrier(fn);
		if (s == SHARED)
			return shared_op(fn, IR_ldshared, off, 0);
		v = ir_op3(fn, IR_select, IR_I32, ir_op2(fn, IR_ult, IR_B1, off, ir_const(fn, IR_I32, SHARED_BYTES)),
		           ir_const(fn, IR_I32, SHARED_BYTES), off);
		shared_op(fn, IR_stshared, v, i);
		barrier(fn);
		return shared_op(fn, IR_ldshared, mine, 0);
	}
}

static struct ir_fn *program(struct arena *a, enum space s)
{
	struct ir_fn *fn = ir_fn_new(a, names[s]);
	ir_id local, i, at, hi, ho, off;

	fn->shared_bytes = SHARED_BYTES;
	i = gpu_program(fn, &local);
	hi = gpu_buffer(fn, 0);
	ho = gpu_buffer(fn, 1);
	at = ir_op2(fn, IR_shl, IR_I32, i, ir_const(fn, IR_I32, 2));
	off = buffer_op(fn, IR_ldbuf, IR_I32, hi, at, 0, false);
	i = body(fn, s, hi, ho, i, local, off);
	buffer_op(fn, IR_stbuf, IR_VOID, ho, at, i, false);
	ir_ret(fn);
	fn->ssa = true;
	cfg_order(fn);
	return fn;
}

static uint32_t word_at(const void *base, uint32_t size, uint32_t off)
{
	uint32_t v = 0;

	if (off < size && size - off >= 4)
		memcpy(&v, (const uint8_t *)base + off, 4);
	return v;
}

static uint32_t want(enum space s, const uint32_t *in, uint32_t k)
{
	uint32_t off = in[k];

	switch (s) {
	case BUFFER: return word_at(in, IN_BYTES, off);
	case PAIR: return word_at(in, IN_BYTES, off) ^ word_at(in, IN_BYTES, off + 4);
	case DATA: return word_at(data, sizeof data, off);
	case SHARED: return off < SHARED_BYTES ? off / 4 + 1 : 0;
	case SHARED_STORE: return k % GROUP + 1;
	case STORE: return 1;
	default: return 0;
	}
}

static void run(struct test *t, enum space s, bool host)
{
	static const char *const passes_run[] = {"bounds", "guard", "structurize"};
	struct arena a, scratch;
	struct fact_target target = *target_find("lavapipe");
	struct facts facts = {.stage = STAGE_COMPUTE, .wave = 32, .target = &target, .bounds = BOUNDS_EXACT, .shared_bytes = SHARED_BYTES};
	struct diag_sink sink = {.emit = on_diag};
	struct spirv_module m;
	const uint32_t *in = (const uint32_t *)t->gpu->in, *out = (const uint32_t *)t->gpu->out;
	unsigned wrong = 0;
	bool fine = true;

	target.robust2 = host;
	arena_init(&a, 64u << 20);
	arena_init(&scratch, 64u << 20);
	struct spirv_input si = {.fn = program(&a, s), .facts = &facts, .arena = &a};
	struct pass_ctx ctx = {.fn = si.fn, .facts = &facts, .scratch = &scratch, .diag = &sink};
	t->shapes++;
	t->cases += CASES;
	memset(t->gpu->out, 0xcd, OUT_BYTES);
	for (unsigned k = 0; k < 3 && fine; k++) {
		cfg_order(si.fn);
		cfg_dominators(si.fn);
		fine = pass_find(passes_run[k])->run(&ctx) != PASS_REFUSED && !ir_verify(si.fn, &scratch);
	}
	fine = fine && gpu_module(&si, &m) && dispatch(t->gpu, &m, CASES);
	for (uint32_t k = 0; k < OUT_BYTES / 4 && fine; k++) {
		uint32_t w = k < CASES ? want(s, in, k) : 0xcdcdcdcd;
		if (out[k] != w && wrong++ < 4)
			fprintf(stderr, "%s: word %u (offset %08x) is %08x instead of %08x\n", names[s], k, k < CASES ? in[k] : 0, out[k], w);
	}
	if (!fine || wrong)
		fprintf(stderr, "%s, %s: %u words wrong\n", names[s], host ? "by the host" : "by code", wrong);
	t->bad += !fine || wrong;
	arena_free(&a);
	arena_free(&scratch);
}

int main(int argc, char **argv)
{
	static const uint32_t odd[] = {0, 4, 8, 12, 16, 20, 252, 256, 260, 1024, IN_BYTES - 8, IN_BYTES - 4, IN_BYTES, IN_BYTES + 4,
		2 * IN_BYTES, 0x10000000, 0x7ffffffc, 0x80000000, 0xfffffff0, 0xfffffff8, 0xfffffffc};
	struct gpu gpu = {0};
	struct test t = {0};

	gpu_main(&t, &gpu, argc, argv);
	uint32_t *in = (uint32_t *)gpu.in;
	for (uint32_t k = 0, x = 7; k < IN_BYTES / 4; k++)
		in[k] = k < CASES ? odd[k % (sizeof odd / sizeof *odd)] : (x = x * 1664525 + 1013904223) | 1;
	for (unsigned s = 0; s < SPACES; s++)
		for (unsigned host = 0; host < 2; host++)
			run(&t, (enum space)s, host);
	return gpu_end(&t, "bounds_exec");
}
