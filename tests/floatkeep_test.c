/* floatkeep_test [-n N] [-s SEED] - the code that keeps denormals under --float strict (passes/floatkeep.c) against the
 * reference in alu_ref.h: every operation that there is such code for, over the edge cases of alu_grid.h, all halves,
 * the numbers around each half and half way to the next, and random operands.
 *
 * Conversions to halves run once more with the way back behind them, which has code of its own.
 * Each function is evaluated as a host does that keeps denormals, and as one that makes zeros of all that a float
 * operation reads or computes: the results must be the same bits. No operation of the guest flushes. FAST=1: a seventh of them.
 */
#include "alu_grid.h"
#include "ir_random.h"

#include "../passes/floatkeep.h"
#include "../passes/pass.h"

#include <stdlib.h>

struct count {
	unsigned passed, failed, random, step;
	uint64_t seed, cases;
	struct rnd r;
	uint64_t *half; /* operands of 32 bits: HALVES * NEAR */
};

enum {
	HALVES = 1 << 16, NEAR = 6,
	WITH_CODE = 55 /* 13 choices in three widths, 10 operations of halves, 4 conversions, 2 and back */
};

/* ---- the function: loads, the operation, a store; floatmode's code in its place */
static struct ir_fn *function(struct arena *a, const struct shape *s, bool back)
{
	struct ir_fn *fn = ir_fn_new(a, ir_ops[s->op].name);
	ir_id yes = ir_const(fn, IR_B1, 1), at = ir_const(fn, IR_I32, 0), arg[3], v;

	fn->stage = STAGE_COMPUTE;
	fn->at = ir_block_new(fn);
	for (unsigned k = 0; k < s->n; k++) {
		arg[k] = ir_op2(fn, IR_ldshared, s->arg[k], yes, at);
		fn->inst[arg[k]].imm = k;
	}
	v = ir_new(fn, s->op, s->type, s->n, arg);
	if (back)
		v = ir_op1(fn, IR_f2f, IR_F32, v);
	ir_new(fn, IR_stshared, IR_VOID, 3, (ir_id[]){ yes, at, v });
	ir_ret(fn);
	fn->ssa = true;
	cfg_order(fn);
	return fn;
}

static bool pass(struct ir_fn *fn, struct arena *scratch)
{
	struct fact_target target = { .name = "keeps nothing" };
	struct facts facts = { .stage = STAGE_COMPUTE, .target = &target, .floats = FLOAT_STRICT };
	struct diag_sink sink = { 0 };
	struct pass_ctx ctx = { .fn = fn, .facts = &facts, .scratch = scratch, .diag = &sink };

	return pass_find("floatmode")->run(&ctx) != PASS_REFUSED && !ir_verify(fn, scratch);
}

/* ---- a host */
static uint64_t zero_of(ir_type t, uint64_t bits)
{
	unsigned w = ir_bits(t);

	if (!ir_is_float(t) || (ref_class(w, bits) != 4 && ref_class(w, bits) != 7))
		return bits;
	return bits & 1ull << (w - 1);
}

static bool moves(unsigned op)
{
	return op == IR_bitcast || op == IR_select;
}

static bool evaluate(const struct ir_fn *fn, const uint64_t *in, bool flushes, uint64_t *value, uint64_t *out)
{
	ir_for_insts(fn, fn->order[0], id) {
		const struct ir_inst *i = &fn->inst[id];
		ir_type types[3];
		uint64_t args[3];
		if (i->op == IR_ret)
			return true;
		if (i->op == IR_ldshared) {
			value[id] = in[i->imm];
			continue;
		}
		for (unsigned k = 0; k < ir_nargs(fn, id) && k < 3; k++) {
			if (!ir_is_const(fn, i->a[k], &args[k]))
				args[k] = value[i->a[k]];
			types[k] = fn->inst[i->a[k]].type;
			if (flushes && !moves(i->op))
				args[k] = zero_of(types[k], args[k]);
		}
		if (i->op == IR_stshared)
			*out = value[i->a[2]];
		else if (!ir_eval_op(i->op, i->type, i->sub, i->imm, types, args, &value[id]))
			return false;
		else if (flushes && !moves(i->op))
			value[id] = zero_of(i->type, value[id]);
	}
	return false;
}

/* ---- cases */
struct under_test { struct count *c; const struct shape *s; const struct ir_fn *fn; uint64_t *value; bool back; };

static bool equal(const struct shape *s, bool back, uint64_t got, uint64_t want)
{
	unsigned w = back ? 32 : ir_bits(s->type);

	if (got == want || !ir_is_float(s->type))
		return got == want;
	struct ref_float g = ref_open(w, got), x = ref_open(w, want);
	if (g.nan || x.nan)
		return g.nan && x.nan;
	return alu_ref_match(s->op) == REF_ANY_ZERO && !g.m && !x.m && !g.inf && !x.inf;
}

static bool one(struct under_test *u, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t in[3] = { a, b, c }, want = 0, got = 0;

	if (!alu_ref(u->s->op, u->s->type, u->s->imm, u->s->arg, in, &want))
		return false;
	want = u->back ? ref_convert(32, 16, want, false) : want;
	for (unsigned flushes = 0; flushes < 2; flushes++) {
		u->c->cases++;
		if (evaluate(u->fn, in, flushes, u->value, &got) && equal(u->s, u->back, got, want))
			continue;
		printf("FAIL %s (%llx, %llx, %llx) where denormals are %s: %llx instead of %llx\n", ir_ops[u->s->op].name,
		       (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, flushes ? "flushed" : "kept",
		       (unsigned long long)got, (unsigned long long)want);
		return false;
	}
	return true;
}

static bool edges(struct under_test *u)
{
	uint64_t v[3][96] = { { 0 } };
	unsigned n[3] = { 1, 1, 1 };

	for (unsigned k = 0; k < u->s->n; k++)
		n[k] = values(u->s, k, v[k]);
	for (unsigned i = 0; i < n[0]; i++)
		for (unsigned j = 0; j < n[1]; j++)
			for (unsigned k = 0; k < n[2]; k++)
				if (!one(u, v[0][i], v[1][j], v[2][k]))
					return false;
	return true;
}

/* Each half, with each of a few others. */
static bool halves(struct under_test *u)
{
	static const uint16_t other[] = { 1, 0x83ff, 0x0401, 0x3801, 0xfbff };
	unsigned most = u->s->n == 1 ? 1 : sizeof other / sizeof *other;

	for (unsigned k = 0; k < most; k++)
		for (unsigned h = 0; h < HALVES; h += u->c->step)
			if (!one(u, h, other[k], u->s->n < 3 ? 0 : other[(k + h) % most]) ||
			    (u->s->n > 1 && !one(u, other[k], h, other[h % most])))
				return false;
	return true;
}

static bool around_halves(struct under_test *u)
{
	for (unsigned k = 0; k < HALVES * NEAR; k += u->c->step)
		if (!one(u, u->c->half[k], 0, 0))
			return false;
	return true;
}

/* Each half and half way to the next, of either sign, with their neighbours of 32 bits. */
static void fill_around(uint64_t *out)
{
	for (unsigned h = 0; h < HALVES; h++) {
		bool neg = h >> 15;
		struct ref_float x = ref_open(16, h & 0x7fff);
		uint64_t low = ref_convert(32, 16, h & 0x7fff, false), mid = low;
		if (!x.inf && !x.nan)
			mid = ref_round(32, false, (ref_u128)x.m * 2 + 1, x.e - 1, false);
		for (unsigned k = 0; k < NEAR; k++) {
			uint64_t bits = (k < 3 ? low : mid) + k % 3 - 1;
			out[h * NEAR + k] = (low || k % 3 ? bits & 0x7fffffff : 0) | (uint64_t)neg << 31;
		}
	}
}

static bool random_values(struct under_test *u)
{
	uint64_t in[3] = { 0 };

	for (unsigned i = 0; i < u->c->random; i++) {
		for (unsigned k = 0; k < u->s->n; k++)
			in[k] = interesting(&u->c->r, u->s->arg[k]);
		if (!one(u, in[0], in[1], in[2]))
			return false;
	}
	return true;
}

static void shape_as(struct count *c, const struct shape *s, bool back)
{
	struct under_test u = { .c = c, .s = s, .back = back };
	struct arena a, scratch;

	arena_init(&a, 1u << 20);
	arena_init(&scratch, 1u << 20);
	struct ir_fn *fn = function(&a, s, back);
	ir_id id = fn->ninst - 1;
	while (fn->inst[id].op != s->op)
		id--;
	if (floatkeep_by_bits(fn, id) || floatkeep_by_width(fn, id)) {
		bool ok = pass(fn, &scratch);
		u.fn = fn;
		u.value = arena_array(&a, uint64_t, fn->ninst);
		ok = ok && edges(&u) && random_values(&u);
		if (ok && s->arg[0] == IR_F16 && s->op != IR_fldexp)
			ok = halves(&u);
		if (ok && s->type == IR_F16 && s->arg[0] == IR_F32)
			ok = around_halves(&u);
		u.c->passed += ok;
		u.c->failed += !ok;
	}
	arena_free(&a);
	arena_free(&scratch);
}

static void shape(void *user, const struct shape *s)
{
	shape_as(user, s, false);
	if (s->type == IR_F16 && s->arg[0] == IR_F32)
		shape_as(user, s, true);
}

int main(int argc, char **argv)
{
	struct count c = { .random = 5000, .seed = 1, .step = getenv("FAST") && *getenv("FAST") ? 7 : 1 };

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-n"))
			c.random = (unsigned)strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "-s"))
			c.seed = strtoull(argv[i + 1], NULL, 0);
	}
	c.r = (struct rnd){ c.seed };
	c.half = malloc(sizeof *c.half * HALVES * NEAR);
	if (!c.half)
		return 2;
	fill_around(c.half);
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		grid_row((enum ir_op)op, shape, &c);
	free(c.half);
	if (c.passed + c.failed != WITH_CODE) {
		printf("FAIL %u operations have code, not %u\n", c.passed + c.failed, WITH_CODE);
		c.failed++;
	}
	printf("%llu cases\n%u passed, %u failed, 0 skipped\n", (unsigned long long)c.cases, c.passed, c.failed);
	return c.failed != 0;
}
