/* structurize_test [SEED [COUNT]] - random graphs, executed before and after structurization: the same trace.
 *
 * A program gets `fuel` and a stream of pseudo-random decisions per lane. Every block stores its number, values that were computed
 * in other blocks (through SSA, wherever they reach) and takes its branch on a decision. The evaluator records each lane's stores.
 * SPIRV-Tools judges the module that is emitted of it. Graphs: any (reducible or not), reducible by construction (nested if, loop,
 * break, continue, return, goto forward), deep.
 */
#include "../ir/eval.h"
#include "../libxlate/spirv/spirv.h"
#include "../libxlate/target/target.h"
#include "../passes/pass.h"

#include <stdlib.h>
#include <string.h>

static unsigned passed, failed, skipped;
static uint64_t seed;
static struct facts facts;
static struct spirv_tools *tools;

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

/* ---- programs: a graph whose blocks are numbered; edges to block numbers, 0-2 (or more: sw) each */
enum { MAX = 400 };
struct graph {
	unsigned n;
	unsigned nsucc[MAX], succ[MAX][5];
};

enum { LANES = 4, FUEL = 120 };

static ir_id imm(struct ir_fn *fn, uint32_t v)
{
	return ir_const(fn, IR_I32, v);
}

/* State in markers: 0 fuel, 1 decisions, 2.. values. ssa makes phis of them. */
enum { FUEL_MARK, DECIDE, FIRST, NVALUE = 5 };

static ir_id mix(struct ir_fn *fn, ir_id a, uint32_t k)
{
	ir_id m = ir_op2(fn, IR_imul, IR_I32, a, imm(fn, 1664525u));

	return ir_op2(fn, IR_iadd, IR_I32, m, imm(fn, k * 2654435761u + 1013904223u));
}

static void fill(struct ir_fn *fn, const struct graph *g, uint32_t quit, uint32_t b)
{
	ir_id handle;

	fn->at = b;
	handle = ir_op1(fn, IR_bind, IR_RES, 0);
	ir_id fuel = ir_mget(fn, FUEL_MARK);
	ir_mset(fn, FUEL_MARK, ir_op2(fn, IR_isub, IR_I32, fuel, imm(fn, 1)));
	ir_id decide = mix(fn, ir_mget(fn, DECIDE), b);
	ir_mset(fn, DECIDE, decide);
	/* use one value, change another */
	uint32_t u = FIRST + rnd(NVALUE), d = FIRST + rnd(NVALUE);
	ir_id v = ir_mget(fn, u);
	ir_id store[5] = { ir_const(fn, IR_B1, 1), handle, imm(fn, 4 * b), 0, v };
	bool silent = !rnd(3); /* a block that only decides */
	if (!silent)
		ir_new(fn, IR_stbuf, IR_VOID, 5, store);
	if (!silent && rnd(3))
		ir_mset(fn, d, mix(fn, ir_op2(fn, IR_ixor, IR_I32, v, decide), b + 7));
	ir_id bits = ir_op2(fn, IR_lshr, IR_I32, decide, imm(fn, 13));
	if (g->nsucc[b] == 0) {
		ir_ret(fn);
		return;
	}
	uint32_t go = b;
	if (quit != IR_NO_BLOCK) { /* out of fuel: stop, so that every run ends */
		ir_id out = ir_op2(fn, IR_sle, IR_B1, fuel, imm(fn, 0));
		go = ir_block_new(fn);
		ir_brc(fn, out, quit, go);
		fn->at = go;
	}
	if (g->nsucc[b] == 1) {
		ir_br(fn, g->succ[b][0]);
	} else if (g->nsucc[b] == 2) {
		ir_id c = ir_op2(fn, IR_iand, IR_I32, bits, imm(fn, 1));
		ir_brc(fn, ir_op2(fn, IR_ine, IR_B1, c, imm(fn, 0)), g->succ[b][0], g->succ[b][1]);
	} else {
		uint64_t cases[4] = { 0, 1, 2, 3 };
		uint32_t to[4];
		unsigned n = g->nsucc[b] - 1;
		for (unsigned i = 0; i < n; i++)
			to[i] = g->succ[b][i];
		ir_sw(fn, ir_op2(fn, IR_iand, IR_I32, bits, imm(fn, 3)), n, cases, to, g->succ[b][n]);
	}
}

static bool cyclic(const struct graph *g)
{
	for (unsigned b = 0; b < g->n; b++)
		for (unsigned k = 0; k < g->nsucc[b]; k++)
			if (g->succ[b][k] <= b)
				return true;
	return false;
}

/* quits: 0 no fuel test (acyclic graphs), 1 one shared return, 2 a return per block */
static struct ir_fn *make(struct arena *a, const struct graph *g, unsigned quits)
{
	struct ir_fn *fn = ir_fn_new(a, "random");
	struct ir_resource r = { .kind = RES_STORAGE_BUFFER, .count = 1 };

	fn->stage = STAGE_COMPUTE;
	fn->wave = 32;
	fn->workgroup[0] = LANES;
	fn->workgroup[1] = fn->workgroup[2] = 1;
	ir_resource_new(fn, &r);
	for (unsigned i = 0; i < FIRST + NVALUE; i++)
		ir_marker_new(fn, IR_I32, 0, i);
	for (unsigned b = 0; b < g->n; b++)
		ir_block_new(fn);
	uint32_t quit = IR_NO_BLOCK, start = ir_block_new(fn);
	if (quits == 1) {
		quit = ir_block_new(fn);
		fn->at = quit;
		ir_ret(fn);
	}
	fn->entry = fn->at = start;
	ir_id lane = ir_op0(fn, IR_sysval, IR_I32);
	fn->inst[lane].sub = SYSVAL_local_index;
	ir_mset(fn, FUEL_MARK, imm(fn, FUEL));
	ir_mset(fn, DECIDE, mix(fn, lane, (uint32_t)seed));
	for (unsigned i = 0; i < NVALUE; i++)
		ir_mset(fn, FIRST + i, mix(fn, lane, i + 100));
	ir_br(fn, 0);
	for (unsigned b = 0; b < g->n; b++) {
		if (quits == 2) {
			quit = ir_block_new(fn);
			fn->at = quit;
			ir_ret(fn);
		}
		fill(fn, g, quit, b);
	}
	return fn;
}

/* ---- traces */
struct trace { uint64_t hash[LANES]; unsigned count[LANES]; };

static bool on_store(void *user, const struct eval_access *x, const uint64_t *value)
{
	struct trace *t = user;
	uint64_t h = t->hash[x->invocation];

	h = (h ^ x->offset) * 0x100000001b3ull;
	h = (h ^ *value) * 0x100000001b3ull;
	t->hash[x->invocation] = h ^ h >> 29;
	t->count[x->invocation]++;
	return true;
}

static bool run(struct ir_fn *fn, struct trace *t, const char **why)
{
	struct arena a;

	memset(t, 0, sizeof *t);
	arena_init(&a, (size_t)1 << 30);
	struct eval_options o = { .io = { .user = t, .store = on_store }, .arena = &a, .max_steps = 20000000 };
	bool fine = eval_run(fn, &o, why) == EVAL_OK;
	arena_free(&a);
	return fine;
}

static void emit(void *user, const struct diag *d)
{
	(void)user;
	printf("  diagnostic %s: %s\n", diag_name(d->code), d->text);
}

static void report(const char *kind, uint64_t s, const char *what)
{
	failed++;
	printf("FAIL %s seed %llu: %s\n", kind, (unsigned long long)s, what ? what : "?");
}

/* As a package gets it. */
static bool emits(struct ir_fn *fn, struct arena *a, struct diag_sink *diag)
{
	struct spirv_input in = { .fn = fn, .facts = &facts, .arena = a };
	struct spirv_module m;

	return !spirv_emit(&in, &m, diag) && !spirv_validate(tools, m.words, m.nwords, diag);
}

static void check(const char *kind, uint64_t s, const struct graph *g, unsigned quits)
{
	struct arena a, scratch;
	struct diag_sink diag = { .emit = emit };
	struct trace before, after;
	const char *why = NULL;

	arena_init(&a, (size_t)1 << 30);
	arena_init(&scratch, (size_t)1 << 30);
	struct ir_fn *fn = make(&a, g, quits);
	struct pass_ctx ctx = { .fn = fn, .scratch = &scratch, .diag = &diag };
	enum pass_result r = ssa_run(&ctx);
	cfg_order(fn);
	cfg_dominators(fn);
	why = ir_verify(fn, &scratch);
	arena_reset(&scratch);
	char *text = ir_print_string(fn, &a);
	if (r == PASS_REFUSED || why)
		report(kind, s, why);
	else if (!run(fn, &before, &why))
		report(kind, s, why);
	else if (structurize_run(&ctx) == PASS_REFUSED)
		report(kind, s, "refused");
	else if (arena_reset(&scratch), (why = ir_verify(fn, &scratch)) != NULL)
		report(kind, s, why);
	else if (!run(fn, &after, &why))
		report(kind, s, why);
	else if (memcmp(&before, &after, sizeof before))
		report(kind, s, "another trace");
	else if (!emits(fn, &a, &diag))
		report(kind, s, "not a module");
	else {
		passed++;
		text = NULL;
	}
	if (text && getenv("SHOW"))
		printf("%s---\n%s", text, ir_print_string(fn, &a));
	arena_free(&a);
	arena_free(&scratch);
}

/* ---- kinds of graphs */
static void any_graph(struct graph *g)
{
	g->n = 2 + rnd(rnd(4) ? 12 : 40);
	for (unsigned b = 0; b < g->n; b++) {
		static const unsigned ways[] = { 0, 1, 1, 2, 2, 2, 2, 2, 3, 5 };
		unsigned k = ways[rnd(10)];
		g->nsucc[b] = k;
		for (unsigned i = 0; i < k; i++)
			g->succ[b][i] = rnd(3) ? rnd(g->n) : (b + 1 + rnd(3)) % g->n;
	}
}

static void acyclic(struct graph *g)
{
	g->n = 2 + rnd(rnd(4) ? 10 : 30);
	for (unsigned b = 0; b < g->n; b++) {
		unsigned left = g->n - 1 - b, k = left ? 1 + rnd(rnd(5) ? 2 : 4) : 0;
		if (!rnd(12))
			k = 0;
		g->nsucc[b] = k;
		for (unsigned i = 0; i < k; i++)
			g->succ[b][i] = b + 1 + rnd(left < 6 ? left : 6);
	}
}

/* Structured source with jumps: the shapes that compilers emit, blocks not merged. */
struct source { struct graph *g; unsigned brk[20], cont[20], depth, fwd[20], nfwd; };

static unsigned block(struct source *p)
{
	unsigned b = p->g->n < MAX - 1 ? p->g->n++ : p->g->n - 1;

	p->g->nsucc[b] = 0;
	return b;
}

static void go(struct source *p, unsigned from, unsigned to)
{
	if (p->g->nsucc[from] < 5)
		p->g->succ[from][p->g->nsucc[from]++] = to;
}

static unsigned statements(struct source *p, unsigned at, unsigned level);

static unsigned if_statement(struct source *p, unsigned at, unsigned level)
{
	unsigned a = block(p), b = rnd(2) ? block(p) : MAX, join = block(p);

	go(p, at, a);
	go(p, at, b == MAX ? join : b);
	p->fwd[p->nfwd++] = join;
	a = statements(p, a, level - 1);
	if (a != MAX)
		go(p, a, join);
	if (b != MAX && (b = statements(p, b, level - 1)) != MAX)
		go(p, b, join);
	p->nfwd--;
	return join;
}

/* The test is at the top, at the end or nowhere. */
static unsigned loop_statement(struct source *p, unsigned at, unsigned level)
{
	unsigned top = block(p), join = block(p), latch = block(p);

	go(p, at, top);
	p->brk[p->depth] = join;
	p->cont[p->depth++] = latch;
	at = top;
	if (rnd(2)) {
		unsigned body = block(p);
		go(p, top, body);
		go(p, top, join);
		at = body;
	}
	at = statements(p, at, level - 1);
	if (at != MAX)
		go(p, at, latch);
	go(p, latch, top);
	if (rnd(3))
		go(p, latch, join);
	p->depth--;
	return join;
}

/* break, continue, return or goto forward, under a condition or not */
static unsigned jump(struct source *p, unsigned at)
{
	unsigned to, rest;

	if (p->depth && rnd(3))
		to = (rnd(2) ? p->brk : p->cont)[rnd(4) ? p->depth - 1 : rnd(p->depth)];
	else
		to = p->nfwd && rnd(2) ? p->fwd[rnd(p->nfwd)] : block(p);
	rest = rnd(5) ? block(p) : MAX;
	go(p, at, to);
	if (rest != MAX)
		go(p, at, rest);
	return rest;
}

/* if (x && y) or if (x || y) */
static unsigned short_circuit(struct source *p, unsigned at, unsigned level)
{
	unsigned second = block(p), body = block(p), join = block(p);

	go(p, at, second);
	go(p, at, rnd(2) ? join : body);
	go(p, second, body);
	go(p, second, join);
	body = statements(p, body, level - 1);
	if (body != MAX)
		go(p, body, join);
	return join;
}

static unsigned switch_statement(struct source *p, unsigned at, unsigned level)
{
	unsigned cases[3], join = block(p);

	for (unsigned i = 0; i < 3; i++) {
		cases[i] = block(p);
		go(p, at, cases[i]);
	}
	go(p, at, join);
	for (unsigned i = 0; i < 3; i++) {
		unsigned end = statements(p, cases[i], level - 1);
		if (end != MAX)
			go(p, end, i < 2 && !rnd(4) ? cases[i + 1] : join); /* some fall through */
	}
	return join;
}

/* Statements from block `at`; returns the block where control goes on, or MAX when it does not. */
static unsigned statements(struct source *p, unsigned at, unsigned level)
{
	for (unsigned n = 1 + rnd(3); n-- && at != MAX && p->g->n <= MAX - 40;) {
		unsigned kind = level ? rnd(9) : 0, next;
		if (kind == 1 || kind == 2) {
			at = if_statement(p, at, level);
		} else if (kind == 3 || kind == 4) {
			at = loop_statement(p, at, level);
		} else if (kind == 5) {
			at = jump(p, at);
		} else if (kind == 6) {
			at = short_circuit(p, at, level);
		} else if (kind == 7) {
			at = switch_statement(p, at, level);
		} else {
			next = block(p);
			go(p, at, next);
			at = next;
		}
	}
	return at;
}

static void source(struct graph *g)
{
	struct source p = { .g = g };

	g->n = 0;
	statements(&p, block(&p), 2 + rnd(4));
}

/* ---- deep nests: time and stack */
static void deep(const char *kind, unsigned n, unsigned shape)
{
	struct arena a, scratch;
	struct diag_sink diag = { .emit = emit };

	arena_init(&a, (size_t)2 << 30);
	arena_init(&scratch, (size_t)4 << 30);
	struct ir_fn *fn = ir_fn_new(&a, kind);
	struct ir_resource res = { .kind = RES_STORAGE_BUFFER, .count = 1 };
	fn->wave = 32;
	fn->ssa = true;
	ir_resource_new(fn, &res);
	uint32_t start = ir_block_new(fn), end = ir_block_new(fn);
	fn->at = start;
	ir_id lane = ir_op0(fn, IR_sysval, IR_I32), handle = ir_op1(fn, IR_bind, IR_RES, 0);
	fn->inst[lane].sub = SYSVAL_local_index;
	ir_id args[5] = { ir_const(fn, IR_B1, 1), handle, imm(fn, 0), 0, lane };
	uint32_t prev = start, *blocks = arena_array(&a, uint32_t, n);
	for (unsigned i = 0; i < n; i++) {
		uint32_t b = blocks[i] = ir_block_new(fn);
		fn->at = prev;
		ir_id c = ir_op2(fn, IR_ult, IR_B1, imm(fn, i), lane);
		if (shape == 1 && i)
			ir_br(fn, b);           /* loop headers one inside the other */
		else
			ir_brc(fn, c, b, end);  /* nested ifs that join at the end; or a chain of breaks */
		prev = b;
		fn->at = b;
		ir_new(fn, IR_stbuf, IR_VOID, 5, args);
	}
	if (shape == 1) /* latches on the way out */
		for (unsigned i = n; i-- > 0;) {
			uint32_t next = ir_block_new(fn);
			fn->at = prev;
			ir_id c = ir_op2(fn, IR_ult, IR_B1, imm(fn, i), lane);
			ir_brc(fn, c, blocks[i], next);
			prev = next;
		}
	fn->at = prev;
	ir_br(fn, end);
	fn->at = end;
	ir_new(fn, IR_stbuf, IR_VOID, 5, args);
	ir_ret(fn);
	struct pass_ctx ctx = { .fn = fn, .scratch = &scratch, .diag = &diag };
	const char *why = NULL;
	cfg_order(fn);
	cfg_dominators(fn);
	if (structurize_run(&ctx) == PASS_REFUSED)
		why = "refused";
	else if (arena_reset(&scratch), n <= 20000)
		why = ir_verify(fn, &scratch);
	if (why)
		report(kind, n, why);
	else
		passed++;
	arena_free(&a);
	arena_free(&scratch);
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 400;
	static struct graph g;

	facts.target = target_find("lavapipe");
	tools = spirv_tools_new(facts.target);
	for (uint64_t s = first; s < first + count; s++) {
		seed = s * 0x9e3779b97f4a7c15ull | 1;
		any_graph(&g);
		check("any", s, &g, 1 + (s & 1));
		seed = s * 0xd1342543de82ef95ull | 1;
		acyclic(&g);
		check("acyclic", s, &g, cyclic(&g) ? 1 : 0);
		seed = s * 0xaf251af3b0f025b5ull | 1;
		source(&g);
		check("source", s, &g, 1 + (s & 1));
	}
	if (count > 1)
		deep("nested ifs", 10000, 0);
	if (count > 1)
		deep("nested loops", 10000, 1);
	spirv_tools_free(tools);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
