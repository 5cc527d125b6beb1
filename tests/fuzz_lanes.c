/* fuzz_lanes.c - fixtures about lanes, mutated: what every lane stores is the same before and after each pass.
 *
 * An input is the number of a fixture, and bytes that say how it is changed (lanes_mutate.h), as often as TRIES: at first not at
 * all, then each time a bit differently. What the verifier lets pass, and the evaluator can run as a wave, goes through the passes;
 * the evaluator runs it after each. A difference prints the function before and after the pass, and aborts. */
#include "../passes/pass.h"
#include "fixture_facts.h"
#include "fuzz.h"
#include "lanes_mutate.h"
#include "lanes_run.h"

enum { TRIES = 24, WAVES = 4, TEXT = MUT_LINES * 64 };
static struct fuzz_bytes *cases;
static size_t ncases;
static unsigned long nran, nanswered, nundefined;

static const char *const passes_run[] = { "fold", "condfold", "dce", "demand", "divergence", "lanes", "lockstep", "emulate", "recondfold",
	"refold", "redemand", "guard", "dce", "structurize" };

/* The function of a text, or NULL. */
static struct ir_fn *parsed(struct arena *a, const char *text)
{
	const char *error;
	struct ir_fn *fn = ir_parse(a, text, &error);
	if (!fn || !fn->ssa || fn->stage == STAGE_VERTEX)
		return NULL;
	if (fn->stage == STAGE_COMPUTE && !fn->workgroup[0]) { /* a fixture that does not say */
		fn->workgroup[0] = LANES_RUN;
		fn->workgroup[1] = fn->workgroup[2] = 1;
	}
	cfg_order(fn);
	return fn;
}

/* Before a wave's difference counts: undefined values that the first look did not try. */
static bool undefined(const char *input, uint64_t seed, const struct lanes_run *before)
{
	struct arena a;
	arena_init(&a, (size_t)64 << 20);
	bool depends = lanes_run_undefined(parsed(&a, input), seed, before);
	arena_free(&a);
	return depends;
}

/* Do lanes ask each other in a function with a loop of two ways in? Where they meet there is open (lanes_run.h), and the dispatcher
 * that such a loop becomes has one answer of its own. */
static bool meetings_open(struct ir_fn *fn)
{
	bool asks = false;
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		asks |= fn->has[op] && ir_ops[op].fx & FX_CROSS;
	return asks && !cfg_loops(fn);
}

static void run_passes(struct pass_ctx *ctx, uint64_t seed, const char *input)
{
	struct lanes_run before[WAVES];
	struct ir_fn *fn = ctx->fn;
	bool ran[WAVES], some = false;
	cfg_order(fn);
	for (unsigned k = 0; k < WAVES; k++)
		some |= ran[k] = lanes_run_defined(fn, seed + k * 77, &before[k]);
	if (!some)
		return;
	nran++;
	for (size_t k = seed & 1; k < sizeof(passes_run) / sizeof(*passes_run); k++) {
		const struct pass *p = pass_find(passes_run[k]);
		char *text = ir_print_string(fn, fn->arena);
		cfg_order(fn);
		cfg_dominators(fn);
		if (p->gives & HAS_STRUCT && meetings_open(fn))
			return;
		enum pass_result r = p->run(ctx);
		arena_reset(ctx->scratch);
		nanswered += p->run == lanes_run && r == PASS_CHANGED;
		if (r == PASS_REFUSED)
			return;
		if (!(p->gives & HAS_ORDER))
			cfg_order(fn); /* lanes meet again by it */
		const char *broken = ir_verify(fn, ctx->scratch);
		for (unsigned w = 0; w < WAVES && !broken; w++) {
			if (!ran[w] || lanes_run_same(fn, seed + w * 77, &before[w]))
				continue;
			ran[w] = false;
			if (undefined(input, seed + w * 77, &before[w]))
				nundefined++;
			else
				broken = "a lane does something else";
		}
		if (broken) {
			printf("MISCOMPILE -s %lu -i %lu: %s: %s\n--- input\n%s--- before\n%s--- after\n%s", fuzz_run_seed, FUZZ_INDEX, p->name,
				broken, input, text, ir_print_string(fn, fn->arena));
			fflush(stdout);
#ifdef GO_ON
			return;
#endif
			abort();
		}
	}
}

/* Which lanes share a fragment program's wave is the machine's choice, so that what is undefined in a wave of one lane is so wherever
 * `lanes` likes: there the change gives such values. */
static void define(struct mut *m)
{
	for (unsigned i = m->body; i < m->n && strstr(m->line[0], " fragment "); i++)
		for (char *s; (s = strstr(m->line[i], "undef:"));) {
			size_t n = strcspn(s, ",");
			char zero[40];
			snprintf(zero, sizeof(zero), "%.*s:0", (int)n - 6, s + 6);
			mut_splice(m, i, (size_t)(s - m->line[i]), n, zero);
		}
}

static void one(struct mut *m, const char *facts_text, struct arena *a, struct arena *scratch)
{
	char text[TEXT];
	struct diag_sink diag = { 0 };
	define(m);
	mut_write(m, text, sizeof(text));
	struct ir_fn *fn = parsed(a, text);
	if (!fn || ir_verify(fn, scratch))
		return;
	struct fixture_facts *f = arena_new(a, struct fixture_facts);
	struct pass_ctx ctx = { .fn = fn, .facts = &f->facts, .scratch = scratch, .diag = &diag };
	if (fixture_facts(f, facts_text, fn->stage, fn->wave))
		return;
	memcpy(f->facts.workgroup, fn->workgroup, sizeof(f->facts.workgroup));
	run_passes(&ctx, next(&m->r), text);
}

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	static struct mut m, changed;
	struct arena a, scratch;
	if (n < 3 || !ncases)
		return 0;
	const struct fuzz_bytes *c = &cases[(v[0] | v[1] << 8) % ncases];
	if (!mut_read(&m, strstr((const char *)c->v, "\nfn ") ? strstr((const char *)c->v, "\nfn ") + 1 : (const char *)c->v))
		return 0;
	m.made = 0;
	m.r.s = 0;
	for (size_t k = 2; k < n; k++)
		m.r.s = lanes_mix(m.r.s + k, v[k]);
	arena_init(&a, (size_t)64 << 20);
	arena_init(&scratch, (size_t)64 << 20);
	for (unsigned t = 0; t < TRIES; t++) {
		changed = m;
		m.r.s++;
		for (unsigned k = t ? 1 + below(&changed.r, 6) : 0; k; k--) /* at first as it is */
			mut_once(&changed);
		one(&changed, (const char *)c->v, &a, &scratch);
		arena_reset(&a);
		arena_reset(&scratch);
	}
	arena_free(&a);
	arena_free(&scratch);
	return 0;
}

/* Every case of the file whose function the evaluator runs as a wave. */
static void add(const char *path)
{
	struct fuzz_bytes b = fuzz_read(path);
	for (char *s = (char *)b.v; s && *s;) {
		char *end = strstr(s, "\n===");
		uint8_t seed[10] = { (uint8_t)ncases, (uint8_t)(ncases >> 8) };
		cases = realloc(cases, (ncases + 1) * sizeof(*cases));
		cases[ncases].n = end ? (size_t)(end + 1 - s) : strlen(s);
		cases[ncases].v = calloc(1, cases[ncases].n + 1);
		memcpy(cases[ncases].v, s, cases[ncases].n);
		ncases++;
		fuzz_add_seed(seed, sizeof(seed));
		s = end ? end + 4 + (end[4] == '\n') : NULL;
	}
	free(b.v);
}

static void say_how_many(void)
{
	printf("%lu functions ran as waves, %lu with questions that lanes answered, %lu waves set aside for an undefined value\n", nran,
		nanswered, nundefined);
}

static void fuzz_seeds(void)
{
	static const char *const dirs[] = { "fixtures/ir/lanes", "fixtures/ir/divergence", "fixtures/ir/demand", "fixtures/ir/condfold",
		"fixtures/ir/fold", "fixtures/ir/guard", "fixtures/ir/helpers", "fixtures/ir/lockstep" };
	for (unsigned k = 0; k < sizeof(dirs) / sizeof(*dirs); k++)
		fuzz_walk(dirs[k], ".xir", add);
	atexit(say_how_many);
}

/* The generic mutation says little: all bytes but the fixture's number are drawn. */
static void fuzz_repair(uint8_t *v, size_t n)
{
#ifndef FUZZ_LIB
	size_t k = fuzz_below(fuzz_nseed);
	if (n >= 2)
		memcpy(v, fuzz_seed[k].v, 2);
	for (k = 2; k < n; k++)
		v[k] = (uint8_t)fuzz_random();
#else
	(void)v, (void)n;
#endif
}

static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	(void)v, (void)n, (void)r, (void)from, (void)len;
}
