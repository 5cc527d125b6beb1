/* lanes_random_test [-n N] [-s SEED] - per-lane branches against wave-wide ones, on random programs made of lane masks.
 *
 * Programs look as compilers write them: conditions narrow the mask, saved masks bring it back, writes keep the old register
 * where the mask is off, branches ask whether any lane is left; ifs, elses, loops with several exits, early ends, scalar code
 * between, turns that the wave counts. Half of them are spoiled: a write or store without its mask, a wrong mask restored, a
 * question about another mask.
 * Others are small graphs without structure, over a few masks, where branches lead anywhere; ways back count their turns, lanes may
 * part where a branch is on a mask itself, and some stores are done by all lanes.
 * The evaluator runs the program as a wave does, then after each pass; every store of every lane must be the same, in the
 * lane's own order. A refusal is fine; how many were not refused is printed. A failure prints its seed and the function.
 */
#include "../passes/pass.h"
#include "lanes_run.h"

#include <stdlib.h>

enum { LANES = LANES_RUN, VECTORS = 4, SCALARS = 3, MAX_MASKS = 32 };

/* ---- programs */
struct gen {
	struct ir_fn *fn;
	struct rnd r;
	uint32_t on, vector[VECTORS], scalar[SCALARS]; /* markers: the mask, registers */
	uint32_t mask[MAX_MASKS], nmask;               /* markers of saved masks */
	uint32_t end, sites;
	unsigned budget, wild, apart;                  /* wild: one in so many is spoiled; 0 none. apart: lanes may part */
};
struct loop { uint32_t gone, exit; };                  /* marker of lanes that left; block behind the loop */

static void statements(struct gen *g, unsigned depth, const struct loop *loop);

static bool spoil(struct gen *g)
{
	return g->wild && !below(&g->r, g->wild);
}

static ir_id k32(struct gen *g, uint32_t v)
{
	return ir_const(g->fn, IR_I32, v);
}

static ir_id on(struct gen *g)
{
	return ir_mget(g->fn, g->on);
}

static ir_id not(struct gen *g, ir_id v)
{
	return ir_op1(g->fn, IR_inot, IR_B1, v);
}

static ir_id and(struct gen *g, ir_id a, ir_id b)
{
	return ir_op2(g->fn, IR_iand, IR_B1, a, b);
}

static uint32_t new_mask(struct gen *g, ir_id value)
{
	uint32_t m = g->mask[g->nmask++ % MAX_MASKS];

	ir_mset(g->fn, m, value);
	return m;
}

static ir_id any_mask(struct gen *g)
{
	return ir_mget(g->fn, g->mask[below(&g->r, g->nmask && g->nmask < MAX_MASKS ? g->nmask : MAX_MASKS)]);
}

/* The mask, or another one where the program is spoiled. */
static ir_id right_mask(struct gen *g, ir_id m)
{
	return !spoil(g) ? m : below(&g->r, 3) ? any_mask(g) : ir_const(g->fn, IR_B1, 1);
}

static ir_id operand(struct gen *g)
{
	switch (below(&g->r, 5)) {
	case 0: return k32(g, below(&g->r, 12));
	case 1: return ir_mget(g->fn, g->scalar[below(&g->r, SCALARS)]);
	default: return ir_mget(g->fn, g->vector[below(&g->r, VECTORS)]);
	}
}

static ir_id scalar_operand(struct gen *g)
{
	return below(&g->r, 3) ? ir_mget(g->fn, g->scalar[below(&g->r, SCALARS)]) : k32(g, below(&g->r, 4));
}

static ir_id cond(struct gen *g)
{
	static const enum ir_op ops[] = { IR_ult, IR_ule, IR_ieq, IR_ine, IR_slt };
	ir_id a = ir_op2(g->fn, IR_iand, IR_I32, ir_mget(g->fn, g->vector[below(&g->r, VECTORS)]), k32(g, 7));

	return ir_op2(g->fn, ops[below(&g->r, 5)], IR_B1, a, below(&g->r, 3) ? k32(g, 1 + below(&g->r, 6)) : operand(g));
}

static void write_vector(struct gen *g, uint32_t marker, ir_id value)
{
	ir_id old = ir_mget(g->fn, marker);

	if (!spoil(g))
		value = ir_op3(g->fn, IR_select, IR_I32, on(g), value, old);
	ir_mset(g->fn, marker, value);
}

static void arithmetic(struct gen *g)
{
	static const enum ir_op ops[] = { IR_iadd, IR_ixor, IR_isub, IR_imul, IR_umin };

	write_vector(g, g->vector[below(&g->r, VECTORS)], ir_op2(g->fn, ops[below(&g->r, 5)], IR_I32, operand(g), operand(g)));
}

static void store(struct gen *g)
{
	ir_id args[3] = { right_mask(g, on(g)), ir_const(g->fn, IR_I64, ++g->sites * 8), operand(g) };

	ir_new(g->fn, IR_stptr, IR_VOID, 3, args);
}

static ir_id load(struct gen *g, ir_id mask)
{
	ir_id lane = ir_op0(g->fn, IR_sysval, IR_I32), args[2] = { mask, 0 };

	g->fn->inst[lane].sub = SYSVAL_lane_id; /* an address of its own: a load from one address gives all lanes the same */
	args[1] = ir_op2(g->fn, IR_pack64, IR_I64, lane, k32(g, ++g->sites));
	return ir_new(g->fn, IR_ldptr, IR_I32, 2, args);
}

/* A branch on "is any lane of m left", to yes or no. */
static void ask(struct gen *g, ir_id m, uint32_t yes, uint32_t no)
{
	ir_id a = ir_op1(g->fn, IR_any, IR_B1, right_mask(g, m));

	if (below(&g->r, 4))
		ir_brc(g->fn, a, yes, no);
	else
		ir_brc(g->fn, not(g, a), no, yes);
}

static void restore(struct gen *g, uint32_t saved, const struct loop *loop)
{
	ir_id m = right_mask(g, ir_mget(g->fn, saved));

	if (loop && !spoil(g))
		m = and(g, m, not(g, ir_mget(g->fn, loop->gone)));
	ir_mset(g->fn, g->on, m);
}

static void part(struct gen *g, unsigned depth, const struct loop *loop)
{
	uint32_t body = ir_block_new(g->fn), after = ir_block_new(g->fn);

	if (below(&g->r, 5))
		ask(g, on(g), body, after);
	else
		ir_br(g->fn, body);
	g->fn->at = body;
	statements(g, depth + 1, loop);
	ir_br(g->fn, after);
	g->fn->at = after;
}

static void if_statement(struct gen *g, unsigned depth, const struct loop *loop)
{
	ir_id c = cond(g), was = on(g);
	uint32_t saved = new_mask(g, was), taken = new_mask(g, and(g, was, c));

	ir_mset(g->fn, g->on, ir_mget(g->fn, taken));
	part(g, depth, loop);
	if (below(&g->r, 2)) {
		ir_id first = below(&g->r, 2) || loop ? ir_mget(g->fn, taken) : on(g), m = ir_mget(g->fn, saved);
		m = below(&g->r, 2) ? and(g, m, not(g, first)) : ir_op2(g->fn, IR_ixor, IR_B1, m, first);
		if (loop)
			m = and(g, m, not(g, ir_mget(g->fn, loop->gone)));
		ir_mset(g->fn, g->on, m);
		part(g, depth, loop);
	}
	restore(g, saved, loop);
}

/* Lanes where c is true leave the loop. */
static void leave(struct gen *g, const struct loop *loop, ir_id c)
{
	ir_id now = on(g), go = and(g, now, c);

	ir_mset(g->fn, loop->gone, ir_op2(g->fn, IR_ior, IR_B1, ir_mget(g->fn, loop->gone), go));
	ir_mset(g->fn, g->on, and(g, now, not(g, c)));
}

static void maybe_exit(struct gen *g, const struct loop *loop)
{
	uint32_t more = ir_block_new(g->fn);

	ask(g, on(g), more, loop->exit);
	g->fn->at = more;
}

/* A turn that the wave counts, of lanes where a condition holds: the others, and those that counted enough, leave at its end. */
static void count_turn(struct gen *g, const struct loop *loop, uint32_t counter)
{
	uint32_t body = ir_block_new(g->fn), after = ir_block_new(g->fn);
	ir_id c = cond(g), was = on(g), take = and(g, was, c);
	uint32_t taken = new_mask(g, take), more = new_mask(g, ir_const(g->fn, IR_B1, 0));

	ask(g, ir_mget(g->fn, taken), body, after);
	g->fn->at = body;
	ir_id n = ir_op2(g->fn, IR_iadd, IR_I32, ir_mget(g->fn, counter), k32(g, 1)), limit = k32(g, 1 + below(&g->r, 4));
	ir_id args[3] = { ir_mget(g->fn, taken), ir_const(g->fn, IR_I64, ++g->sites * 8), n };
	ir_new(g->fn, IR_stptr, IR_VOID, 3, args);
	ir_mset(g->fn, counter, n);
	ir_mset(g->fn, more, ir_op2(g->fn, IR_ult, IR_B1, n, limit));
	ir_br(g->fn, after);
	g->fn->at = after;
	ir_id go_on = ir_mget(g->fn, more);
	if (!spoil(g))
		go_on = and(g, go_on, ir_mget(g->fn, taken));
	leave(g, loop, not(g, go_on));
}

static void loop_statement(struct gen *g, unsigned depth)
{
	uint32_t head = ir_block_new(g->fn), back = ir_block_new(g->fn), saved = new_mask(g, on(g));
	uint32_t turns = ir_marker_new(g->fn, IR_I32, 1, 100), most = ir_marker_new(g->fn, IR_I32, 1, 101);
	struct loop l = { new_mask(g, ir_const(g->fn, IR_B1, 0)), ir_block_new(g->fn) };
	bool inner_restores = below(&g->r, 2);

	uint32_t counter = ir_marker_new(g->fn, IR_I32, 0, 102);
	bool counts = !below(&g->r, 4);

	ir_mset(g->fn, counter, k32(g, 0));
	ir_mset(g->fn, turns, k32(g, 0));
	ir_mset(g->fn, most, ir_op2(g->fn, IR_iand, IR_I32, operand(g), k32(g, 3)));
	ir_br(g->fn, head);
	g->fn->at = head;
	if (!below(&g->r, 4)) {
		leave(g, &l, cond(g));
		maybe_exit(g, &l);
	}
	statements(g, depth + 1, &l);
	if (!below(&g->r, 3)) {
		leave(g, &l, cond(g));
		if (below(&g->r, 2))
			maybe_exit(g, &l);
		statements(g, depth + 1, &l);
	}
	if (counts)
		count_turn(g, &l, counter);
	if (!below(&g->r, 5)) { /* a scalar way out */
		uint32_t more = ir_block_new(g->fn);
		ir_brc(g->fn, ir_op2(g->fn, IR_ult, IR_B1, scalar_operand(g), k32(g, 2)), more, l.exit);
		g->fn->at = more;
	}
	write_vector(g, turns, ir_op2(g->fn, IR_iadd, IR_I32, ir_mget(g->fn, turns), k32(g, 1)));
	if (inner_restores) /* as the end of a continue */
		ir_mset(g->fn, g->on, and(g, ir_mget(g->fn, saved), not(g, ir_mget(g->fn, l.gone))));
	leave(g, &l, ir_op2(g->fn, IR_ult, IR_B1, ir_mget(g->fn, most), ir_mget(g->fn, turns)));
	ask(g, on(g), below(&g->r, 2) ? back : head, l.exit);
	g->fn->at = back;
	if (g->fn->block[back].npred)
		ir_br(g->fn, head);
	else
		ir_ret(g->fn); /* nothing leads here */
	g->fn->at = l.exit;
	ir_mset(g->fn, g->on, right_mask(g, ir_mget(g->fn, saved)));
}

/* A branch, or two turns of a loop, on a scalar: the wave goes one way. */
static void scalar_control(struct gen *g, unsigned depth, const struct loop *loop)
{
	uint32_t a = ir_block_new(g->fn), b = ir_block_new(g->fn), after = ir_block_new(g->fn);

	if (below(&g->r, 2)) {
		ir_brc(g->fn, ir_op2(g->fn, IR_ult, IR_B1, scalar_operand(g), k32(g, 1 + below(&g->r, 3))), a, b);
		g->fn->at = a;
		statements(g, depth + 1, loop);
		ir_br(g->fn, after);
		g->fn->at = b;
		if (below(&g->r, 2))
			statements(g, depth + 1, loop);
		ir_br(g->fn, after);
	} else {
		uint32_t n = ir_marker_new(g->fn, IR_I32, 0, 100);
		ir_mset(g->fn, n, k32(g, 0));
		ir_br(g->fn, a);
		g->fn->at = a;
		statements(g, depth + 1, loop);
		ir_mset(g->fn, n, ir_op2(g->fn, IR_iadd, IR_I32, ir_mget(g->fn, n), k32(g, 1)));
		ir_brc(g->fn, ir_op2(g->fn, IR_ult, IR_B1, ir_mget(g->fn, n), k32(g, 2)), b, after);
		g->fn->at = b;
		ir_br(g->fn, a);
	}
	g->fn->at = after;
}

static void scalar_write(struct gen *g)
{
	ir_mset(g->fn, g->scalar[below(&g->r, SCALARS)], ir_op2(g->fn, IR_iadd, IR_I32, scalar_operand(g), scalar_operand(g)));
}

static void statement(struct gen *g, unsigned depth, const struct loop *loop)
{
	uint32_t more;
	ir_id m;

	switch (below(&g->r, depth < 4 && g->budget ? 20 : 10)) {
	case 0: case 1: case 2: case 3: case 4:
		arithmetic(g);
		break;
	case 5: case 6: case 7:
		store(g);
		break;
	case 8:
		write_vector(g, g->vector[below(&g->r, VECTORS)], load(g, on(g)));
		break;
	case 9:
		if (!below(&g->r, 4))
			scalar_write(g);
		if (loop && below(&g->r, 2)) {
			leave(g, loop, cond(g));
		} else if (g->fn->stage == STAGE_FRAGMENT) {
			m = right_mask(g, and(g, on(g), cond(g)));
			ir_op1(g->fn, IR_demote, IR_VOID, m);
		}
		break;
	case 10: case 11: case 12: case 13: case 14: case 15:
		if_statement(g, depth, loop);
		break;
	case 16: case 17:
		loop_statement(g, depth);
		break;
	case 18:
		scalar_control(g, depth, loop);
		break;
	default:
		more = ir_block_new(g->fn);
		if (loop && below(&g->r, 4))
			ask(g, on(g), more, loop->exit);
		else
			ask(g, on(g), more, g->end);
		g->fn->at = more;
	}
}

static void statements(struct gen *g, unsigned depth, const struct loop *loop)
{
	for (unsigned n = 1 + below(&g->r, 3); n; n--) {
		if (g->budget)
			g->budget--;
		statement(g, depth, loop);
	}
}

/* ---- graphs */
enum { GRAPH_MASKS = 4 };

static ir_id graph_mask(struct gen *g)
{
	return ir_mget(g->fn, g->mask[below(&g->r, GRAPH_MASKS)]);
}

static void graph_op(struct gen *g)
{
	uint32_t to = g->mask[below(&g->r, GRAPH_MASKS)], v = g->vector[below(&g->r, VECTORS)];
	ir_id m = graph_mask(g), value = operand(g), args[3] = { m, ir_const(g->fn, IR_I64, ++g->sites * 8), value };

	if (!below(&g->r, 4)) /* all lanes say what they have, perhaps what the wave counts */
		args[0] = ir_const(g->fn, IR_B1, 1);

	switch (below(&g->r, 12)) {
	case 0: case 1:
		ir_mset(g->fn, to, and(g, m, graph_mask(g)));
		break;
	case 2: case 3:
		ir_mset(g->fn, to, and(g, m, cond(g)));
		break;
	case 4:
		ir_mset(g->fn, to, and(g, m, not(g, graph_mask(g))));
		break;
	case 5:
		ir_mset(g->fn, to, ir_op2(g->fn, IR_ior, IR_B1, m, graph_mask(g)));
		break;
	case 6:
		scalar_write(g);
		break;
	case 7: case 8:
		value = ir_op2(g->fn, IR_iadd, IR_I32, value, operand(g));
		ir_mset(g->fn, v, below(&g->r, 6) ? ir_op3(g->fn, IR_select, IR_I32, m, value, ir_mget(g->fn, v)) : value);
		break;
	default:
		ir_new(g->fn, IR_stptr, IR_VOID, 3, args);
	}
}

/* How block i of a graph ends: with a way to a, and perhaps one to b. A way back is taken a few times, mostly. */
static void graph_end(struct gen *g, uint32_t a, uint32_t b, uint32_t turns)
{
	unsigned kind = below(&g->r, 8);
	ir_id m = graph_mask(g), some = 0, s = ir_mget(g->fn, g->scalar[below(&g->r, SCALARS)]);
	ir_id few = ir_op2(g->fn, IR_ult, IR_B1, s, k32(g, 1 + below(&g->r, 6)));

	if (turns != UINT32_MAX && below(&g->r, 4)) {
		ir_id n = ir_op2(g->fn, IR_iadd, IR_I32, ir_mget(g->fn, turns), k32(g, 1));
		ir_mset(g->fn, turns, n);
		few = ir_op2(g->fn, IR_ult, IR_B1, n, k32(g, 2 + below(&g->r, 4)));
		m = and(g, m, few);
	}
	if (kind < 5)
		some = ir_op1(g->fn, IR_any, IR_B1, below(&g->r, 6) ? m : few);
	if (kind < 5 && (turns != UINT32_MAX || below(&g->r, 2)))
		ir_brc(g->fn, some, b, a);
	else if (kind < 5)
		ir_brc(g->fn, some, a, b);
	else if (kind == 5 && g->apart) /* lanes go their own ways */
		ir_brc(g->fn, m, b, a);
	else if (kind < 7)
		ir_brc(g->fn, few, b, a);
	else
		ir_br(g->fn, a);
}

static void graph(struct gen *g)
{
	uint32_t turns[16];
	g->apart = !below(&g->r, 3);
	unsigned n = 3 + below(&g->r, 6), first = g->fn->nblock;

	for (unsigned i = 0; i < n; i++) {
		ir_block_new(g->fn);
		turns[i] = ir_marker_new(g->fn, IR_I32, 0, 100 + i);
		ir_mset(g->fn, turns[i], k32(g, 0));
	}
	for (unsigned i = 0; i < GRAPH_MASKS; i++)
		ir_mset(g->fn, g->mask[i], and(g, on(g), cond(g)));
	ir_br(g->fn, first);
	for (unsigned i = 0; i < n; i++) {
		g->fn->at = first + i;
		for (unsigned k = below(&g->r, 4); k; k--)
			graph_op(g);
		uint32_t a = i + 1 + below(&g->r, 2), b = below(&g->r, 2) ? i + 1 + below(&g->r, n - i) : below(&g->r, i + 1);
		graph_end(g, a < n ? first + a : g->end, b < n ? first + b : g->end, b <= i ? turns[i] : UINT32_MAX);
	}
	g->fn->at = g->end;
	for (unsigned i = 0; i < VECTORS; i++)
		if (!below(&g->r, 3)) {
			ir_id args[3] = { ir_const(g->fn, IR_B1, 1), ir_const(g->fn, IR_I64, ++g->sites * 8), ir_mget(g->fn, g->vector[i]) };
			ir_new(g->fn, IR_stptr, IR_VOID, 3, args);
		}
	ir_ret(g->fn);
}

static void program(struct gen *g)
{
	struct ir_fn *fn = g->fn;
	ir_id yes = ir_const(fn, IR_B1, 1);

	fn->entry = fn->at = ir_block_new(fn);
	g->end = ir_block_new(fn);
	g->on = ir_marker_new(fn, IR_B1, 2, 200);
	ir_mset(fn, g->on, below(&g->r, 3) ? yes : ir_op2(fn, IR_ult, IR_B1, load(g, yes), k32(g, 12)));
	for (unsigned i = 0; i < MAX_MASKS; i++) {
		g->mask[i] = ir_marker_new(fn, IR_B1, 2, i);
		ir_mset(fn, g->mask[i], ir_const(fn, IR_B1, 0));
	}
	for (unsigned i = 0; i < VECTORS; i++) {
		g->vector[i] = ir_marker_new(fn, IR_I32, 1, i);
		ir_mset(fn, g->vector[i], load(g, yes));
	}
	for (unsigned i = 0; i < SCALARS; i++) {
		g->scalar[i] = ir_marker_new(fn, IR_I32, 0, i);
		ir_id s = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[s].sub = SYSVAL_workgroup_id;
		fn->inst[s].imm = i;
		ir_mset(fn, g->scalar[i], s);
	}
	if (below(&g->r, 2)) {
		graph(g);
		return;
	}
	g->budget = 4 + below(&g->r, 16);
	while (g->budget)
		statements(g, 0, NULL);
	store(g);
	ir_br(fn, g->end);
	fn->at = g->end;
	ir_ret(fn);
}

/* ---- the test */
struct bench {
	struct arena a, scratch;
	struct diag_sink diag;
	unsigned passed, failed, refused, endless, open, proven;
};

static bool fail(struct bench *b, const struct ir_fn *fn, uint64_t seed, const char *what, const char *before, const char *why)
{
	printf("FAIL seed %llu: %s%s%s\n--- before\n%s--- after\n%s", (unsigned long long)seed, what, why ? ": " : "", why ? why : "",
		before, ir_print_string(fn, &b->a));
	b->failed++;
	return false;
}

static unsigned questions(struct ir_fn *fn)
{
	unsigned n = 0;

	ir_for_order(fn, b) {
		ir_id c = fn->inst[fn->block[b].last].op == IR_brc ? fn->inst[fn->block[b].last].a[0] : 0;
		while (fn->inst[c].op == IR_inot)
			c = fn->inst[c].a[0];
		n += fn->inst[c].op == IR_any;
	}
	return n;
}

static bool test(struct bench *b, uint64_t seed)
{
	static const char *const names[] = { "ssa", "fold", "condfold", "demand", "divergence", "lanes", "recondfold",
		"refold", "redemand", "dce", "guard" };
	enum { MEMORIES = 4 };
	struct gen g = { .r = { seed } };
	struct lanes_run before[MEMORIES];
	const char *why = NULL;
	char *text = NULL;
	unsigned asked = 0;

	arena_reset(&b->a);
	g.fn = ir_fn_new(&b->a, "random");
	g.fn->stage = below(&g.r, 3) ? STAGE_COMPUTE : STAGE_FRAGMENT;
	g.fn->wave = 32;
	g.fn->workgroup[0] = LANES;
	g.fn->workgroup[1] = g.fn->workgroup[2] = 1;
	g.wild = below(&g.r, 2) ? 12 : 0;
	struct fact_target target = { .name = "random", .subgroup_size = below(&g.r, 3) ? 8 : 32, .subgroup_vote = true };
	struct facts facts = { .stage = g.fn->stage, .wave = 32, .code_table = UINT32_MAX, .target = &target };
	struct pass_ctx ctx = { .fn = g.fn, .facts = &facts, .scratch = &b->scratch, .diag = &b->diag };
	program(&g);
	cfg_order(g.fn);
	for (unsigned i = 0; i < MEMORIES; i++) {
		enum eval_result r = lanes_run_fn(g.fn, seed + i * 77, &before[i], &why);
		if (r == EVAL_STEPS || (r == EVAL_OK && g.apart && lanes_meet_matters(g.fn, seed + i * 77, &before[i]))) {
			r == EVAL_STEPS ? b->endless++ : b->open++;
			return true;
		}
		if (r != EVAL_OK)
			return fail(b, g.fn, seed, "evaluation", "", why);
	}
	for (unsigned p = 0; p < sizeof(names) / sizeof(*names); p++) {
		const struct pass *pass = pass_find(names[p]);
		bool lanes = !strcmp(names[p], "lanes");
		if (pass->requires & (HAS_ORDER | HAS_DOM)) {
			cfg_order(g.fn);
			cfg_dominators(g.fn);
		}
		text = ir_print_string(g.fn, &b->a);
		asked = lanes ? questions(g.fn) : asked;
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
		for (unsigned i = 0; i < MEMORIES; i++)
			if (!lanes_same_as(g.fn, seed + i * 77, (struct lanes_how){ 0 }, &before[i]))
				return fail(b, g.fn, seed, names[p], text, "a lane stores something else");
		if (lanes)
			b->proven += asked - questions(g.fn);
	}
	b->passed++;
	return true;
}

int main(int argc, char **argv)
{
	unsigned n = getenv("FAST") ? 3000 : 20000;
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
	printf("%u refused, %u endless, %u depend on where lanes meet, %u questions proven\n", b.refused, b.endless, b.open, b.proven);
	printf("%u passed, %u failed, 0 skipped\n", b.passed, b.failed);
	return b.failed != 0;
}
