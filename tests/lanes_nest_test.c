/* lanes_nest_test [-n N] [-s SEED] - per-lane branches against wave-wide ones, on random graphs of nested masks.
 *
 * Blocks stand in a row. Each has a mask that is on there, narrows it, and asks whether any lane is left. Ways that skip
 * may lead into the middle of what another one skips, so that they meet in front of where all do. Most of what is done
 * is masked, so that much is nearly proven: masks, and values that are one of a few constants, live over all of it, and
 * the end stores them. The rest is not masked, or by another mask, hears from other lanes, or discards. Loops turn a few
 * times. Fragment programs have lanes that only help. lanes_random_test.c has programs as compilers write them.
 *
 * The evaluator runs the program as a wave does, then after each pass that changed it; every store of every lane must be
 * the same, in the lane's own order. A refusal is fine. A failure prints its seed and the function.
 */
#include "../passes/pass.h"
#include "lanes_run.h"

#include <stdlib.h>

enum { MASKS = 16, VALUES = 3, BLOCKS = 9, LOOPS = 2, MEMORIES = 3 };

/* ---- programs */
struct gen {
	struct ir_fn *fn;
	struct rnd r;
	uint32_t mask[MASKS], value[VALUES];         /* markers; mask[0]: lanes that do not just help */
	unsigned nmask, n, nloop, sites, wild;       /* wild: what is done goes without its mask once in so many times */
	unsigned asked;                              /* the mask of the last question */
	unsigned guard[BLOCKS + 1];                  /* per block: the mask that is on there, or MASKS: not yet known */
	struct { unsigned head, tail, mask; uint32_t turns; } loop[LOOPS];
	uint32_t block[BLOCKS + 1];
	bool apart, asks, early;                     /* lanes may part; they ask others; blocks in the middle may end it */
	ir_id number[2], scalar;                     /* what conditions are about */
};

static ir_id k32(struct gen *g, uint32_t v)
{
	return ir_const(g->fn, IR_I32, v);
}

static ir_id yes(struct gen *g)
{
	return ir_const(g->fn, IR_B1, 1);
}

static ir_id bit(struct gen *g, enum ir_op op, ir_id a, ir_id b)
{
	return b ? ir_op2(g->fn, op, IR_B1, a, b) : ir_op1(g->fn, op, IR_B1, a);
}

static ir_id mask(struct gen *g, unsigned k)
{
	return ir_mget(g->fn, g->mask[k]);
}

/* True in more lanes than not. */
static ir_id cond(struct gen *g)
{
	ir_id a = ir_op2(g->fn, IR_iand, IR_I32, below(&g->r, 6) ? g->number[below(&g->r, 2)] : g->scalar, k32(g, 7));
	bool less = below(&g->r, 2);
	ir_id b = k32(g, less ? 4 + below(&g->r, 4) : 1 + below(&g->r, 4));

	if (!below(&g->r, 4))
		b = ir_mget(g->fn, g->value[below(&g->r, VALUES)]);

	return less ? bit(g, IR_ult, a, b) : bit(g, IR_ule, b, a);
}

static unsigned any_mask(struct gen *g)
{
	return below(&g->r, g->nmask);
}

/* A mask that is on where block i is: its own, or now and then another. */
static unsigned on(struct gen *g, unsigned i)
{
	return g->wild && !below(&g->r, g->wild) ? any_mask(g) : g->guard[i];
}

/* One more mask, off outside of where it is set. */
static unsigned narrow(struct gen *g, unsigned i)
{
	unsigned k = g->nmask < MASKS && below(&g->r, 6) ? g->nmask++ : 1 + below(&g->r, g->nmask - 1);
	ir_id c = below(&g->r, 3) ? cond(g) : mask(g, any_mask(g));

	if (!below(&g->r, 6))
		c = bit(g, IR_inot, c, 0);
	ir_mset(g->fn, g->mask[k], bit(g, IR_iand, mask(g, on(g, i)), c));
	return k;
}

static void store(struct gen *g, ir_id m, ir_id v)
{
	ir_id args[3] = { m, ir_const(g->fn, IR_I64, ++g->sites * 8), v };

	ir_new(g->fn, IR_stptr, IR_VOID, 3, args);
}

static ir_id some_value(struct gen *g)
{
	return below(&g->r, 3) ? k32(g, 1 + below(&g->r, 2)) : ir_mget(g->fn, g->value[below(&g->r, VALUES)]);
}

static ir_id number(struct gen *g, ir_id m)
{
	return ir_op3(g->fn, IR_select, IR_I32, m, k32(g, 1), k32(g, 2));
}

/* The marker becomes v in lanes of m. */
static void set_value(struct gen *g, ir_id m, ir_id v)
{
	uint32_t to = g->value[below(&g->r, VALUES)];

	ir_mset(g->fn, to, ir_op3(g->fn, IR_select, IR_I32, m, v, ir_mget(g->fn, to)));
}

static void set_mask(struct gen *g, ir_id m)
{
	uint32_t to = g->mask[any_mask(g)];
	ir_id was = ir_mget(g->fn, to), not = bit(g, IR_inot, m, 0);

	if (to == g->mask[0])
		return;
	was = bit(g, IR_iand, was, not);
	ir_mset(g->fn, to, below(&g->r, 3) ? was : bit(g, IR_ior, was, bit(g, IR_iand, m, cond(g))));
}

/* What lanes are asked about, where those of m are on: mostly something that is false in these. */
static ir_id others(struct gen *g, ir_id m)
{
	if (below(&g->r, 3))
		return bit(g, IR_iand, bit(g, IR_inot, m, 0), cond(g));
	return below(&g->r, 2) ? mask(g, any_mask(g)) : cond(g);
}

/* Something that is made of what other lanes have. */
static ir_id heard(struct gen *g, ir_id m)
{
	ir_id args[2] = { yes(g), ir_mget(g->fn, g->value[below(&g->r, VALUES)]) }, v;

	if (g->fn->stage == STAGE_FRAGMENT && !g->apart && below(&g->r, 2)) { /* (of lanes that are there) */
		v = ir_new(g->fn, IR_quad, IR_I32, 2, args);
		g->fn->inst[v].imm = below(&g->r, 256);
		return v;
	}
	if (below(&g->r, 5))
		return number(g, bit(g, IR_any, others(g, m), 0));
	return ir_op2(g->fn, IR_iand, IR_I32, ir_op1(g->fn, IR_ballot, IR_I32, others(g, m)), k32(g, 3));
}

static void discard(struct gen *g, ir_id m)
{
	ir_id off = below(&g->r, 2) ? yes(g) : bit(g, IR_inot, m, 0);

	ir_op1(g->fn, IR_demote, IR_VOID, below(&g->r, 2) ? off : bit(g, IR_iand, m, cond(g)));
}

static void statement(struct gen *g, unsigned i)
{
	ir_id m = mask(g, below(&g->r, 4) ? on(g, i) : g->asked);
	unsigned what = below(&g->r, g->asks ? 30 : 24), k;

	if (what < 4) {
		set_value(g, m, some_value(g));
	} else if (what < 8) {
		ir_mset(g->fn, g->value[below(&g->r, VALUES)], some_value(g));
	} else if (what < 12) {
		store(g, m, some_value(g));
	} else if (what < 16) {
		k = narrow(g, i);
		if (g->asks && g->fn->stage == STAGE_FRAGMENT && !below(&g->r, 3))
			ir_mset(g->fn, g->mask[k], bit(g, IR_quadany, mask(g, k), 0));
	} else if (what < 19) {
		set_mask(g, m);
	} else if (what == 19 && g->wild) {
		store(g, mask(g, 0), below(&g->r, 2) ? some_value(g) : number(g, mask(g, any_mask(g))));
	} else if (what == 20 && (k = on(g, i)) != 0) {
		ir_mset(g->fn, g->mask[k], bit(g, IR_iand, mask(g, k), cond(g)));
	} else if (what < 24 && g->fn->stage == STAGE_FRAGMENT) {
		discard(g, m);
	} else if (what > 23) {
		set_value(g, m, heard(g, m));
	}
}

/* ---- graphs */

/* A block behind block i, of which a loop is entered by its head alone. */
static unsigned further(struct gen *g, unsigned i)
{
	unsigned to = i + 2 + below(&g->r, 2) + below(&g->r, 2);

	for (unsigned k = 0; k < g->nloop; k++) {
		unsigned head = g->loop[k].head, tail = g->loop[k].tail;
		if (i >= head && i <= tail && to > tail + 1)
			to = tail + 1;
		else if (i < head && to > head && to <= tail)
			to = head;
	}
	return to < g->n ? to : g->n;
}

static void guarded(struct gen *g, unsigned i, unsigned m)
{
	if (g->guard[i] == MASKS)
		g->guard[i] = m;
}

/* How a loop's last block ends. */
static void turn(struct gen *g, unsigned i, unsigned k)
{
	uint32_t turns = g->loop[k].turns;
	ir_id t = ir_op2(g->fn, IR_iadd, IR_I32, ir_mget(g->fn, turns), k32(g, 1)), m = mask(g, g->loop[k].mask);

	ir_mset(g->fn, turns, t);
	m = bit(g, IR_iand, m, ir_op2(g->fn, IR_ult, IR_B1, t, k32(g, 2 + below(&g->r, 3))));
	if (below(&g->r, 3))
		m = bit(g, IR_iand, m, cond(g));
	ir_mset(g->fn, g->mask[g->loop[k].mask], m);
	ir_brc(g->fn, bit(g, IR_any, m, 0), g->block[g->loop[k].head], g->block[i + 1]);
}

static void end(struct gen *g, unsigned i)
{
	unsigned kind = below(&g->r, 16), far = further(g, i), m = below(&g->r, 6) ? narrow(g, i) : on(g, i);
	uint32_t next = g->block[i + 1], away = g->block[far];

	for (unsigned k = 0; k < g->nloop; k++) {
		if (g->loop[k].tail == i) {
			guarded(g, i + 1, g->guard[g->loop[k].head - 1]);
			turn(g, i, k);
			return;
		}
		if (g->loop[k].head == i + 1) {
			g->loop[k].mask = g->guard[i + 1] = narrow(g, i);
			ir_br(g->fn, next);
			return;
		}
		if (i >= g->loop[k].head && i < g->loop[k].tail && !below(&g->r, 3)) { /* lanes leave */
			m = g->loop[k].mask;
			ir_mset(g->fn, g->mask[m], bit(g, IR_iand, mask(g, m), cond(g)));
			kind = 0;
			far = g->loop[k].tail + 1;
			away = g->block[far];
		}
	}
	if (kind < 12) {
		ir_id c = mask(g, g->asked = m);
		if (!g->apart || below(&g->r, 3))
			c = bit(g, IR_any, c, 0);
		ir_brc(g->fn, c, next, away);
		guarded(g, far, g->guard[i]);
		guarded(g, i + 1, m);
		return;
	}
	guarded(g, i + 1, g->guard[i]);
	if (kind < 15 && g->early)
		ir_ret(g->fn);
	else if (kind < 14)
		ir_brc(g->fn, ir_op2(g->fn, IR_ult, IR_B1, g->scalar, k32(g, 1 + below(&g->r, 3))), next, away);
	else
		ir_br(g->fn, kind < 15 ? away : next);
}

/* Up to two loops, behind each other or one in the other. */
static void loops(struct gen *g)
{
	unsigned from = 1, to = g->n - 1;

	for (unsigned want = (below(&g->r, 8) + 1) / 4; g->nloop < want && from < to; g->nloop++) {
		unsigned head = from + below(&g->r, to - from), tail = head + below(&g->r, to - head);
		g->loop[g->nloop].head = head;
		g->loop[g->nloop].tail = tail;
		g->loop[g->nloop].turns = ir_marker_new(g->fn, IR_I32, 0, 100 + g->nloop);
		ir_mset(g->fn, g->loop[g->nloop].turns, k32(g, 0));
		if (below(&g->r, 2)) {
			from = head + 1;
			to = tail ? tail - 1 : 0;
		} else {
			from = tail + 2;
		}
	}
}

static ir_id load(struct gen *g, unsigned k)
{
	ir_id lane = ir_op0(g->fn, IR_sysval, IR_I32), args[2] = { yes(g), 0 };

	g->fn->inst[lane].sub = SYSVAL_lane_id; /* an address of its own */
	args[1] = ir_op2(g->fn, IR_pack64, IR_I64, lane, k32(g, k));
	return ir_new(g->fn, IR_ldptr, IR_I32, 2, args);
}

static void start(struct gen *g)
{
	struct ir_fn *fn = g->fn;
	ir_id live = yes(g);

	for (unsigned k = 0; k < 2; k++)
		g->number[k] = load(g, k);
	g->scalar = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[g->scalar].sub = SYSVAL_workgroup_id;
	if (fn->stage == STAGE_FRAGMENT) {
		fn->inst[g->scalar].op = IR_root;
		fn->inst[g->scalar].sub = 0;
		ir_id helper = ir_op0(fn, IR_sysval, IR_B1);
		fn->inst[helper].sub = SYSVAL_helper;
		live = bit(g, IR_inot, helper, 0);
	} else if (!below(&g->r, 3)) {
		live = bit(g, IR_ult, g->number[0], k32(g, 12));
	}
	for (unsigned k = 0; k < VALUES; k++) {
		g->value[k] = ir_marker_new(fn, IR_I32, 1, k);
		ir_mset(fn, g->value[k], below(&g->r, 8) ? k32(g, 1 + below(&g->r, 2)) : load(g, 2 + k));
	}
	for (unsigned k = 0; k < MASKS; k++) {
		g->mask[k] = ir_marker_new(fn, IR_B1, 2, k);
		ir_id c = !k ? live : below(&g->r, 3) ? ir_const(fn, IR_B1, 0) : cond(g);
		ir_mset(fn, g->mask[k], k && below(&g->r, 6) ? bit(g, IR_iand, live, c) : c);
	}
	g->nmask = 2 + below(&g->r, 3);
}

static void program(struct gen *g)
{
	struct ir_fn *fn = g->fn;

	fn->entry = fn->at = ir_block_new(fn);
	start(g);
	g->n = 4 + below(&g->r, BLOCKS - 3);
	loops(g);
	for (unsigned i = 0; i <= g->n; i++) {
		g->block[i] = ir_block_new(fn);
		g->guard[i] = i ? MASKS : 0;
	}
	ir_br(fn, g->block[0]);
	for (unsigned i = 0; i < g->n; i++) {
		fn->at = g->block[i];
		for (unsigned k = below(&g->r, 3); k; k--)
			statement(g, i);
		end(g, i);
	}
	fn->at = g->block[g->n];
	ir_id m = below(&g->r, 4) ? mask(g, 0) : yes(g);
	for (unsigned k = 0; k < VALUES; k++)
		if (below(&g->r, 4))
			store(g, m, ir_mget(fn, g->value[k]));
	for (unsigned k = below(&g->r, 3); k; k--)
		store(g, m, number(g, mask(g, any_mask(g))));
	ir_ret(fn);
}

/* ---- the test */
struct bench {
	struct arena a, scratch;
	struct diag_sink diag;
	unsigned passed, failed, refused, proven;
};

static bool fail(struct bench *b, const struct ir_fn *fn, uint64_t seed, const char *what, const char *before,
                 const char *why)
{
	printf("FAIL seed %llu: %s: %s\n--- before\n%s--- after\n%s", (unsigned long long)seed, what, why, before,
		ir_print_string(fn, &b->a));
	b->failed++;
	return false;
}

static unsigned questions(const struct ir_fn *fn)
{
	unsigned n = 0;

	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			n += fn->inst[id].op == IR_any;
	return n;
}

static bool run(const struct ir_fn *fn, uint64_t seed, struct lanes_run *l)
{
	struct lanes_how how = { .undef = 0xa5a5a5a5a5a5a5a5u, .helpers = lanes_helpers(fn, seed) };

	return lanes_run_as(fn, seed, how, l, NULL) == EVAL_OK;
}

static bool test(struct bench *b, uint64_t seed)
{
	static const char *const names[] = { "ssa", "fold", "condfold", "demand", "divergence", "lanes", "recondfold", "refold",
		"redemand", "guard" };
	struct gen g = { .r = { seed } };
	struct lanes_run before[MEMORIES], after;

	arena_reset(&b->a);
	g.fn = ir_fn_new(&b->a, "random");
	g.fn->stage = below(&g.r, 2) ? STAGE_COMPUTE : STAGE_FRAGMENT;
	g.fn->wave = 32;
	g.fn->workgroup[0] = LANES_RUN;
	g.fn->workgroup[1] = g.fn->workgroup[2] = 1;
	g.wild = below(&g.r, 3) ? 0 : 10;
	g.apart = !below(&g.r, 10);
	g.asks = below(&g.r, 2);
	g.early = !below(&g.r, 3);
	struct fact_target target = { .name = "random", .subgroup_size = g.asks ? 8 : 32, .subgroup_vote = true };
	struct facts facts = { .stage = g.fn->stage, .wave = 32, .code_table = UINT32_MAX, .target = &target };
	struct pass_ctx ctx = { .fn = g.fn, .facts = &facts, .scratch = &b->scratch, .diag = &b->diag };
	if (g.fn->stage == STAGE_FRAGMENT) /* of which is refused what cannot be proven, where the host's subgroup is no wave */
		target.subgroup_size = below(&g.r, 4) ? 32 : 8;
	else if (!below(&g.r, 3))
		target.subgroup_size ^= 8 ^ 32;
	bool straight = below(&g.r, 3); /* to lanes, before anything is simpler */
	program(&g);
	cfg_order(g.fn);
	for (unsigned i = 0; i < MEMORIES; i++)
		if (!run(g.fn, seed + i * 77, &before[i]))
			return fail(b, g.fn, seed, "evaluation", "", "it does not end");
	for (unsigned p = 0; p < sizeof(names) / sizeof(*names); p++) {
		const struct pass *pass = pass_find(names[p]);
		if (straight && ((p > 0 && p < 4) || p > 5))
			continue;
		if (pass->requires & (HAS_ORDER | HAS_DOM)) {
			cfg_order(g.fn);
			cfg_dominators(g.fn);
		}
		char *text = ir_print_string(g.fn, &b->a);
		unsigned asked = questions(g.fn);
		enum pass_result r = pass->run(&ctx);
		arena_reset(&b->scratch);
		if (r == PASS_REFUSED) {
			b->refused++;
			return true;
		}
		cfg_order(g.fn); /* lanes meet again by it */
		const char *broken = ir_verify(g.fn, &b->scratch);
		if (broken)
			return fail(b, g.fn, seed, names[p], text, broken);
		if (pass->run == lanes_run)
			b->proven += asked - questions(g.fn);
		for (unsigned i = 0; i < MEMORIES && r == PASS_CHANGED; i++)
			if (!run(g.fn, seed + i * 77, &after) || memcmp(&before[i], &after, sizeof(after)))
				return fail(b, g.fn, seed, names[p], text, "a lane stores something else");
	}
	b->passed++;
	return true;
}

int main(int argc, char **argv)
{
	unsigned n = getenv("FAST") ? 8000 : 20000;
	uint64_t seed = 1;
	struct bench b = { .diag = { 0 } };

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-n"))
			n = (unsigned)strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "-s"))
			seed = strtoull(argv[i + 1], NULL, 0);
	}
	arena_init(&b.a, (size_t)256 << 20);
	arena_init(&b.scratch, (size_t)256 << 20);
	for (unsigned i = 0; i < n && b.failed < 5; i++)
		test(&b, seed + i);
	arena_free(&b.a);
	arena_free(&b.scratch);
	printf("%u refused, %u questions proven\n", b.refused, b.proven);
	printf("%u passed, %u failed, 0 skipped\n", b.passed, b.failed);
	return b.failed != 0;
}
