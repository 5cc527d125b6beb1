/* deep_test - what a pass walks through is as deep as a program makes it: it must not do so on the C stack.
 *
 *     %1:f32 = fadd %0, 1.0   %2 = fadd %1, 1.0   ...   %s = select %mask, %p1, %n   %p2 = interp_p2 %j, %s
 *
 * A sum of 400,000 terms is what the first half of an interpolation replaces under a mask; it goes with the pair.
 *
 * And as long: 2,000 atomic operations that a first lane does for its wave, and 8,000 discards behind them, each of which might
 * have been before. Lanes are answered for in seconds, not in minutes.
 */
#include "../passes/pass.h"

#include <stdio.h>
#include <time.h>

enum { TERMS = 400000, ATOMICS = 2000, DISCARDS = 8000, SECONDS = 60, MEMORY = 1 << 29 };

static ir_id sysval(struct ir_fn *fn, ir_type t, unsigned which, unsigned comp)
{
	ir_id v = ir_op0(fn, IR_sysval, t);

	fn->inst[v].sub = (uint16_t)which;
	fn->inst[v].imm = comp;
	return v;
}

static struct ir_fn *masked_pair(struct arena *a)
{
	struct ir_fn *fn = ir_fn_new(a, "deep");

	fn->stage = STAGE_FRAGMENT;
	fn->wave = 64;
	fn->at = fn->entry = ir_block_new(fn);
	ir_id mask = sysval(fn, IR_B1, SYSVAL_front_face, 0), sum = sysval(fn, IR_F32, SYSVAL_frag_coord, 0);
	ir_id one = ir_const(fn, IR_F32, 0x3f800000);
	for (unsigned i = 0; i < TERMS; i++)
		sum = ir_op2(fn, IR_fadd, IR_F32, sum, one);
	ir_id i = sysval(fn, IR_F32, SYSVAL_bary_persp_center, 0), j = sysval(fn, IR_F32, SYSVAL_bary_persp_center, 1);
	ir_id first = ir_op1(fn, IR_interp_p1, IR_F32, i), either = ir_op3(fn, IR_select, IR_F32, mask, first, sum);
	ir_id second = ir_op2(fn, IR_interp_p2, IR_F32, j, either);
	ir_id used = ir_op3(fn, IR_select, IR_F32, mask, second, one);
	ir_op2(fn, IR_stout, 0, ir_const(fn, IR_B1, 1), used);
	ir_op0(fn, IR_ret, 0);
	return fn;
}

static void elect(struct ir_fn *fn, ir_id mask, ir_id buffer)
{
	ir_id set = ir_op1(fn, IR_ballot, IR_I64, mask), count = ir_op1(fn, IR_popc, IR_I32, set);
	ir_id lane = ir_op1(fn, IR_ctz, IR_I32, set), wide = ir_op1(fn, IR_zext, IR_I64, lane);
	ir_id bit = ir_op2(fn, IR_shl, IR_I64, ir_const(fn, IR_I64, 1), wide), first = ir_op1(fn, IR_lanebit, IR_B1, bit);
	ir_id args[6] = { ir_op2(fn, IR_iand, IR_B1, mask, first), buffer, ir_const(fn, IR_I32, 0), 0, count, 0 };
	ir_id id = ir_new(fn, IR_atbuf, IR_I32, 6, args);

	fn->inst[id].sub = ATOMIC_add;
}

static struct ir_fn *elections(struct arena *a)
{
	struct ir_fn *fn = ir_fn_new(a, "long");

	fn->stage = STAGE_FRAGMENT;
	fn->wave = 64;
	fn->at = fn->entry = ir_block_new(fn);
	ir_id live = ir_op1(fn, IR_inot, IR_B1, sysval(fn, IR_B1, SYSVAL_helper, 0)), x = sysval(fn, IR_I32, SYSVAL_frag_coord, 0);
	ir_id buffer = ir_op1(fn, IR_bind, IR_RES, 0);
	for (unsigned i = 0; i < ATOMICS; i++)
		elect(fn, live, buffer);
	for (unsigned i = 0; i < DISCARDS; i++) {
		ir_id off = ir_op2(fn, IR_ult, IR_B1, x, ir_const(fn, IR_I32, i));
		ir_op1(fn, IR_demote, 0, off);
	}
	ir_op0(fn, IR_ret, 0);
	return fn;
}

static bool soon(struct arena *a, struct arena *scratch)
{
	struct diag_sink diag = { 0 };
	struct ir_fn *fn = elections(a);
	struct pass_ctx ctx = { .fn = fn, .scratch = scratch, .diag = &diag };
	clock_t start = clock();

	cfg_order(fn);
	cfg_dominators(fn);
	bool fine = pass_find("divergence")->run(&ctx) != PASS_REFUSED && pass_find("lanes")->run(&ctx) != PASS_REFUSED;
	double took = (double)(clock() - start) / CLOCKS_PER_SEC;
	if (!fine || took > SECONDS)
		printf("%u operations of first lanes and %u discards: %s, %.0f s\n", ATOMICS, DISCARDS, fine ? "answered" : "refused", took);
	return fine && took <= SECONDS;
}

int main(void)
{
	struct arena a, scratch;
	struct diag_sink diag = { 0 };
	struct fact_input input = { .location = 2, .smooth = 1 };
	struct facts facts = { .wave = 64, .input = &input, .ninput = 1 };
	unsigned left = 0;

	arena_init(&a, MEMORY);
	arena_init(&scratch, MEMORY);
	struct ir_fn *fn = masked_pair(&a);
	struct pass_ctx ctx = { .fn = fn, .facts = &facts, .scratch = &scratch, .diag = &diag };
	cfg_order(fn);
	bool fine = pass_find("hostinterp")->run(&ctx) == PASS_TIDY;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			left += fn->inst[id].op == IR_fadd;
	fine &= !left;
	if (!fine)
		printf("%u terms are left of a sum that nothing reads\n", left);
	arena_reset(&a);
	arena_reset(&scratch);
	bool quick = soon(&a, &scratch);
	printf("%u passed, %u failed, 0 skipped\n", fine + quick, !fine + !quick);
	arena_free(&a);
	arena_free(&scratch);
	return !fine || !quick;
}
