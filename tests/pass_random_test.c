/* pass_random_test [-n N] [-s SEED] - generic passes against the evaluator, on random functions.
 *
 * Two parts. Every rule of fold_rules.def is instantiated with random operands and constants, and must compute what it
 * computed before. And random functions over markers, with branches, loops and every op that has an evaluation, are run before
 * and after each pass of the pipeline that is about values and branches; one of 66,000 conditions is folded. Equal means: the
 * same final words of memory, any NaN being any other. A failure prints its seed and the function.
 */
#include "../ir/eval.h"
#include "../passes/pass.h"
#include "rule_random.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 8, OUTS = 64, MAX_BLOCKS = 10, MARKERS_PER_TYPE = 3 };

/* ---- running */
struct memory {
	uint64_t seed, word[OUTS][LANES];
	ir_type type[OUTS];
};

static bool on_load(void *user, const struct eval_access *a, uint64_t *out)
{
	struct memory *m = user;
	struct rnd r = { m->seed ^ a->offset << 8 ^ a->invocation };

	next(&r);
	*out = interesting(&r, a->fn->inst[a->inst].type);
	return true;
}

static bool on_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	struct memory *m = user;
	unsigned at = (unsigned)(a->offset / 8 % OUTS);

	m->word[at][a->invocation] = value[0];
	m->type[at] = a->fn->inst[ir_args((struct ir_fn *)(uintptr_t)a->fn, a->inst)[2]].type;
	return true;
}

static bool run(const struct ir_fn *fn, uint64_t seed, struct memory *m, const char **why)
{
	struct arena a;

	arena_init(&a, (size_t)64 << 20);
	memset(m, 0, sizeof(*m));
	m->seed = seed;
	struct eval_options opt = { .io = { .user = m, .load = on_load, .store = on_store }, .invocations = LANES,
		.max_steps = 1 << 20, .arena = &a, .group = { 1, 2, 3 }, .groups = { 4, 5, 6 } };
	enum eval_result r = eval_run(fn, &opt, why);
	arena_free(&a);
	return r == EVAL_OK;
}

static bool is_nan(ir_type t, uint64_t v)
{
	unsigned w = ir_bits(t), man = w == 16 ? 10 : w == 32 ? 23 : 52;
	uint64_t abs = v & (type_mask(t) >> 1), inf = (type_mask(t) >> 1) & ~((1ull << man) - 1);

	return ir_is_float(t) && abs > inf;
}

static bool equal(const struct memory *a, const struct memory *b)
{
	for (unsigned i = 0; i < OUTS; i++)
		for (unsigned l = 0; l < LANES; l++)
			if (a->word[i][l] != b->word[i][l] && !(is_nan(a->type[i], a->word[i][l]) && is_nan(b->type[i], b->word[i][l])))
				return false;
	return true;
}

/* ---- part one: the rules */
static void output(struct ir_fn *fn, ir_id v, unsigned at)
{
	ir_id mask = ir_const(fn, IR_B1, 1), addr = ir_const(fn, IR_I64, at * 8);

	if (fn->inst[v].type == IR_B1) {
		mask = v;
		v = ir_const(fn, IR_I32, 1);
	}
	ir_id args[3] = { mask, addr, v };
	ir_new(fn, IR_stptr, IR_VOID, 3, args);
}

struct bench {
	struct arena a, scratch;
	struct diag_sink diag;
	struct facts facts;
	struct pass_ctx ctx;
};

static struct ir_fn *start(struct bench *b)
{
	arena_reset(&b->a);
	struct ir_fn *fn = ir_fn_new(&b->a, "random");
	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = LANES;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	fn->scratch_bytes = 256;
	fn->entry = fn->at = ir_block_new(fn);
	memset(&b->ctx, 0, sizeof(b->ctx));
	memset(&b->facts, 0, sizeof(b->facts));
	b->facts.wave = 32;
	b->ctx = (struct pass_ctx){ .fn = fn, .facts = &b->facts, .scratch = &b->scratch, .diag = &b->diag };
	return fn;
}

static bool apply(struct bench *b, const char *name, const char **broken)
{
	const struct pass *p = pass_find(name);
	bool changed = false;

	if (p->requires & (HAS_ORDER | HAS_DOM)) {
		cfg_order(b->ctx.fn);
		cfg_dominators(b->ctx.fn);
	}
	changed = p->run(&b->ctx) != PASS_SAME;
	arena_reset(&b->scratch);
	*broken = ir_verify(b->ctx.fn, &b->scratch);
	if (*broken)
		*broken = arena_strdup(&b->a, *broken);
	arena_reset(&b->scratch);
	return changed;
}

static bool fail(struct bench *b, uint64_t seed, const char *what, const char *before, const char *why)
{
	printf("FAIL seed %llu: %s%s%s\n--- before\n%s--- after\n%s", (unsigned long long)seed, what, why ? ": " : "", why ? why : "",
		before, ir_print_string(b->ctx.fn, &b->a));
	return false;
}

/* Runs before and after the passes; `runs` different memories. */
static bool check(struct bench *b, const char *const *names, uint64_t seed, const char *title, bool *changed, unsigned runs)
{
	struct memory before[4], after;
	const char *why = NULL, *broken;
	char *text = ir_print_string(b->ctx.fn, &b->a);

	for (unsigned i = 0; i < runs; i++)
		if (!run(b->ctx.fn, seed + i * 77, &before[i], &why))
			return fail(b, seed, title, text, why);
	for (; *names; names++) {
		*changed |= apply(b, *names, &broken);
		if (broken)
			return fail(b, seed, *names, text, broken);
		for (unsigned i = 0; i < runs; i++)
			if (!run(b->ctx.fn, seed + i * 77, &after, &why) || !equal(&before[i], &after))
				return fail(b, seed, *names, text, why ? why : title);
	}
	return true;
}

static bool test_rule(struct bench *b, unsigned rule, uint64_t seed, bool *fired)
{
	static const char *const passes_of[] = { "fold", "dce", NULL };
	struct rnd r = { seed };
	struct ir_fn *fn = start(b);
	struct instance n = { .fn = fn, .r = &r, .at = rules[rule].from };
	ir_id v = instantiate(&n, types[below(&r, NTYPES)]);

	if (!v)
		return true;
	output(fn, v, 0);
	ir_ret(fn);
	fn->ssa = true;
	if (ir_verify(fn, &b->scratch))
		return true;
	arena_reset(&b->scratch);
	return check(b, passes_of, seed, rules[rule].name, fired, 2);
}

/* ---- part two: functions */
struct gen {
	struct ir_fn *fn;
	struct rnd r;
	uint32_t marker[NTYPES][MARKERS_PER_TYPE];
	ir_id pool[NTYPES][32];
	unsigned npool[NTYPES], outs;
};

static unsigned type_index(ir_type t)
{
	unsigned i = 0;

	while (types[i] != t)
		i++;
	return i;
}

static ir_id pick(struct gen *g, ir_type t)
{
	unsigned i = type_index(t), n = g->npool[i];

	if (n && below(&g->r, 4))
		return g->pool[i][below(&g->r, n < 6 ? n : 6) + (n < 6 ? 0 : n - 6)];
	if (below(&g->r, 3))
		return ir_mget(g->fn, g->marker[i][below(&g->r, MARKERS_PER_TYPE)]);
	return ir_const(g->fn, t, interesting(&g->r, t));
}

static void keep(struct gen *g, ir_id v)
{
	unsigned i = type_index(g->fn->inst[v].type);

	if (g->npool[i] < 32)
		g->pool[i][g->npool[i]++] = v;
}

static void random_op(struct gen *g)
{
	enum ir_op op;
	struct shape s;
	ir_id arg[3];

	do
		op = (enum ir_op)(IR_iadd + below(&g->r, IR_fclass - IR_iadd + 1));
	while (!shape_of(&g->r, op, below(&g->r, 3) ? IR_VOID : IR_B1, &s));
	for (unsigned i = 0; i < s.nargs; i++)
		arg[i] = pick(g, s.arg[i]);
	ir_id v = ir_new(g->fn, op, s.result, s.nargs, arg);
	if (op == IR_fclass) /* not which NaN */
		g->fn->inst[v].imm = (next(&g->r) & 0x3fc) | (below(&g->r, 2) ? 3 : 0);
	keep(g, v);
	if (!below(&g->r, 4)) { /* a masked write */
		ir_type t = g->fn->inst[v].type;
		uint32_t m = g->marker[type_index(t)][below(&g->r, MARKERS_PER_TYPE)];
		ir_id old = ir_mget(g->fn, m), mask = pick(g, IR_B1);
		ir_mset(g->fn, m, ir_op3(g->fn, IR_select, t, mask, v, old));
	}
}

static void random_body(struct gen *g, bool entry)
{
	struct ir_fn *fn = g->fn;

	memset(g->npool, 0, sizeof(g->npool));
	for (unsigned n = 2 + below(&g->r, 14); n; n--)
		random_op(g);
	if (entry) {
		ir_id c = pick(g, IR_B1), x = pick(g, IR_I32), args[2] = { c, x };
		ir_id b = ir_op1(fn, IR_ballot, IR_I32, c);
		keep(g, b);
		keep(g, ir_op1(fn, IR_lanebit, IR_B1, b));
		keep(g, ir_op1(fn, IR_any, IR_B1, c));
		keep(g, ir_new(fn, IR_readfirst, IR_I32, 2, args));
		for (unsigned n = 4; n; n--)
			random_op(g);
	}
	for (unsigned n = below(&g->r, 4); n; n--) {
		ir_type t = types[below(&g->r, NTYPES)];
		ir_mset(fn, g->marker[type_index(t)][below(&g->r, MARKERS_PER_TYPE)], pick(g, t));
	}
	ir_type t = types[1 + below(&g->r, NTYPES - 1)];
	ir_id args[3] = { pick(g, IR_B1), ir_const(fn, IR_I64, g->outs++ % OUTS * 8), pick(g, t) };
	ir_new(fn, IR_stptr, IR_VOID, 3, args);
}

/* A condition that is true three times at most: the lane counts in its scratch. */
static ir_id bounded(struct gen *g, ir_id cond, unsigned slot)
{
	struct ir_fn *fn = g->fn;
	ir_id yes = ir_const(fn, IR_B1, 1), at = ir_const(fn, IR_I32, slot * 4);
	ir_id load[2] = { yes, at }, n = ir_new(fn, IR_ldscr, IR_I32, 2, load);
	ir_id store[3] = { yes, at, ir_op2(fn, IR_iadd, IR_I32, n, ir_const(fn, IR_I32, 1)) };

	ir_new(fn, IR_stscr, IR_VOID, 3, store);
	return ir_op2(fn, IR_iand, IR_B1, cond, ir_op2(fn, IR_ult, IR_B1, n, ir_const(fn, IR_I32, 3)));
}

static void random_function(struct gen *g)
{
	struct ir_fn *fn = g->fn;
	unsigned nb = 1 + below(&g->r, MAX_BLOCKS), number = 0;

	for (unsigned i = 0; i < NTYPES; i++)
		for (unsigned k = 0; k < MARKERS_PER_TYPE; k++) {
			g->marker[i][k] = ir_marker_new(fn, types[i], i, k);
			ir_mset(fn, g->marker[i][k], input(fn, types[i], number++));
		}
	for (unsigned i = 1; i < nb; i++)
		ir_block_new(fn);
	for (unsigned i = 0; i < nb; i++) {
		fn->at = i;
		random_body(g, i == 0);
		if (i + 1 == nb) {
			for (unsigned t = 0; t < NTYPES; t++)
				output(fn, ir_mget(fn, g->marker[t][0]), OUTS - 1 - t);
			ir_ret(fn);
			continue;
		}
		ir_id c = pick(g, IR_B1);
		unsigned to = i + 1 + below(&g->r, nb - i - 1), other = i + 1 + below(&g->r, nb - i - 1);
		if (i && below(&g->r, 3) == 0)
			ir_brc(fn, bounded(g, c, i), 1 + below(&g->r, i), to);
		else if (below(&g->r, 3))
			ir_brc(fn, c, to, other);
		else
			ir_br(fn, to);
	}
}

static bool test_function(struct bench *b, uint64_t seed)
{
	static const char *const passes_of[] = { "ssa", "fold", "condfold", "demand", "recondfold",
		"refold", "redemand", "dce", NULL };
	struct gen g = { .r = { seed } };
	bool changed = false;

	g.fn = start(b);
	random_function(&g);
	cfg_order(g.fn);
	return check(b, passes_of, seed, "function", &changed, 2);
}

/* More conditions than have numbers in fold.c: a value of the last one is wanted where that and the first hold, and where the first
 * does. */
static bool test_many(struct bench *b)
{
	enum { MANY = 66000 };
	static const char *const passes_of[] = { "fold", NULL };
	struct ir_fn *fn = start(b);
	ir_id id[3], sum = ir_const(fn, IR_I32, 0);
	bool changed = false;

	for (unsigned i = 0; i < 3; i++) {
		id[i] = ir_op0(fn, IR_sysval, IR_I32);
		fn->inst[id[i]].sub = (uint16_t[]){ SYSVAL_local_index, SYSVAL_lane_id, SYSVAL_workgroup_id }[i];
	}
	ir_id first = ir_op2(fn, IR_ult, IR_B1, id[0], ir_const(fn, IR_I32, 6)), last = 0;
	for (unsigned i = 0; i < MANY; i++) {
		last = ir_op2(fn, i < MANY - 1 ? IR_ieq : IR_ult, IR_B1, id[i < MANY - 1 ? 2 : 1], ir_const(fn, IR_I32, i < MANY - 1 ? i + 9 : 3));
		if (i < 64 || i == MANY - 1)
			sum = ir_op2(fn, IR_iadd, IR_I32, sum, ir_op1(fn, IR_zext, IR_I32, last));
	}
	for (unsigned i = 0; i < 2; i++)
		ir_new(fn, IR_stptr, IR_VOID, 3, (ir_id[]){ i ? first : ir_op2(fn, IR_iand, IR_B1, first, last), ir_const(fn, IR_I64, 8 * i), sum });
	ir_ret(fn);
	fn->ssa = true;
	return check(b, passes_of, 1, "many conditions", &changed, 1) && changed;
}

int main(int argc, char **argv)
{
	unsigned n = getenv("FAST") ? 300 : 1500, passed = 0, failed = 0, silent = 0;
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
	for (unsigned rule = 0; rule < NRULES; rule++) {
		bool fired = false, fine = true;
		for (unsigned i = 0; fine && i < n / 5; i++)
			fine = test_rule(&b, rule, seed * 1000003 + rule * 4099 + i, &fired);
		passed += fine;
		failed += !fine;
		if (!fired && fine) {
			printf("rule %s was never instantiated\n", rules[rule].name);
			silent++;
		}
	}
	for (unsigned i = 0; i < n; i++) {
		if (test_function(&b, seed + i))
			passed++;
		else if (++failed > 20)
			break;
	}
	bool many = test_many(&b);
	passed += many;
	failed += !many;
	arena_free(&b.a);
	arena_free(&b.scratch);
	printf("%u of %u rules fired\n%u passed, %u failed, 0 skipped\n", NRULES - silent, NRULES, passed, failed);
	return failed != 0;
}
