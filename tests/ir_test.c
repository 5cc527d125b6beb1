/* ir_test [fixtures/ir] - the IR by itself: text round trips, parser errors, dominators and loops, verifier rules.
 *
 * The .txt files under parse and verify hold cases separated by `===`: input, `---`, expected text. parse: the error, or
 * the printed function. verify: "ok", or "[rule]" and a part of the message, which may leave out "block N, op ID:".
 */
#include "../ir/ir.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed, failed, skipped;

static void check(bool fine, const char *name, const char *detail)
{
	if (fine) {
		passed++;
		return;
	}
	failed++;
	printf("FAIL %s%s%s\n", name, detail ? ": " : "", detail ? detail : "");
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t cap = 1 << 20;
	char *s = calloc(1, cap);

	if (!f || !s) {
		free(s);
		return NULL;
	}
	size_t n = fread(s, 1, cap - 1, f);
	fclose(f);
	s[n] = 0;
	return s;
}

/* ---- fixtures */
static char *cut(char *s, const char *line, char **rest)
{
	size_t n = strlen(line);

	for (char *at = s; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (!strncmp(at, line, n) && (at[n] == '\n' || !at[n])) {
			*rest = at + n + (at[n] == '\n');
			*at = 0;
			return s;
		}
	*rest = NULL;
	return s;
}

static void parse_case(const char *name, const char *input, const char *want)
{
	struct arena a;
	const char *error;
	char got[4096];

	arena_init(&a, 64 << 20);
	struct ir_fn *fn = ir_parse(&a, input, &error);
	snprintf(got, sizeof got, "%s%s", fn ? ir_print_string(fn, &a) : error, fn ? "" : "\n");
	if (strcmp(got, want))
		printf("  want %s  got  %s", want, got);
	check(!strcmp(got, want), name, NULL);
	arena_free(&a);
}

static void verify_case(const char *name, const char *input, char *want)
{
	struct arena a;
	const char *error;

	arena_init(&a, 64 << 20);
	want[strcspn(want, "\n")] = 0;
	struct ir_fn *fn = ir_parse(&a, input, &error);
	const char *got = fn ? ir_verify(fn, &a) : error;
	bool fine = !got && !strcmp(want, "ok");
	if (got && want[0] == '[') {
		/* "[rule] op: text" or "[rule] text": each part must occur */
		size_t rule = strcspn(want, "]") + 1;
		const char *text = want + rule + (want[rule] == ' ');
		const char *colon = strstr(text, ": ");
		char op[16] = "";
		if (colon && colon - text < 15 && !memchr(text, ' ', (size_t)(colon - text))) {
			memcpy(op, text, (size_t)(colon - text));
			text = colon + 2;
		}
		fine = !strncmp(got, want, rule) && strstr(got, op) && strstr(got, text);
	}
	if (!fine)
		printf("  want %s\n  got  %s\n", want, got ? got : "ok");
	check(fine, name, NULL);
	arena_free(&a);
}

static void fixture_file(const char *dir, const char *sub, const char *file)
{
	char path[600], name[700];
	unsigned number = 0;

	snprintf(path, sizeof path, "%s/%s/%s", dir, sub, file);
	char *text = read_text(path);
	if (!text) {
		check(false, path, "cannot be read");
		return;
	}
	for (char *at = text, *next; at; at = next) {
		char *want;
		at = cut(at, "===", &next);
		char *input = cut(at, "---", &want);
		snprintf(name, sizeof name, "%s case %u", path, ++number);
		if (!want)
			check(false, name, "no expected text");
		else if (!strcmp(sub, "parse"))
			parse_case(name, input, want);
		else
			verify_case(name, input, want);
	}
	free(text);
}

static void fixture_dir(const char *dir, const char *sub)
{
	char path[600];
	struct dirent **list;

	snprintf(path, sizeof path, "%s/%s", dir, sub);
	int n = scandir(path, &list, NULL, alphasort);
	check(n > 0, path, n > 0 ? NULL : "no fixtures");
	for (int i = 0; i < n; i++) {
		size_t len = strlen(list[i]->d_name);
		if (len > 4 && !strcmp(list[i]->d_name + len - 4, ".txt"))
			fixture_file(dir, sub, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* ---- text round trips */
static const char *const texts[] = {
	/* markers (one register twice), files, resources, interface, addresses, every kind of operand */
	"fn \"a \\x22b\\x5c\" fragment wave 64 workgroup 8 4 1 shared 256 scratch 16 high 9\n"
	"files sgpr - vgpr\n"
	"marker $sgpr.5:i32\nmarker $1.7:b1\nmarker $vgpr.255:f32\nmarker $3:i64 sgpr.5\n"
	"res storage_buffer set 0 binding 1 read\n"
	"res sampled_image set 1 binding 2 count 0 dim cube arrayed 1 ms 1 depth 2 numeric sint format 7 size 64 written nonuniform"
	" coherent path \"root+8\"\n"
	"res const_data set 0 binding 0 size 3 data \"00ff10\"\n"
	"in f32 comps 7 location 3 index 1 interp flat at centroid\n"
	"out f32 builtin position comps 15 elems 2 sign 1\n"
	"b0: @0x0\n"
	"\t%0:i32 = mget $sgpr.5 @0x4\n"
	"\t%1:b1 = mget $1.7 @0x4\n"
	"\tmset $3, i64:-7 @0x4\n"
	"\tmset $vgpr.255, f32:0x3f800000 @0x8\n"
	"\tbrc %1, b2, b1 @0xc\n"
	"b1: preds(b2, b0) @0x10\n"
	"\t%2:i32 = phi b2 i32:0x80000000, b0 %0\n"
	"\tbarrier.group.device.shared.device @0x14\n"
	"\tsw %2, 0: b2, 18446744073709551615: b3, else: b2\n"
	"b2: preds(b1, b0, b1)\n"
	"\t%3:i32 = phi b1 %0, b0 i32:65535, b1 %0\n"
	"\tbr b1\n"
	"b3:\n"
	"\tret\n",
	/* SSA and structure; flags, subs, immediates, vectors, absent operands, more than four operands */
	"fn \"s\" compute wave 32 ssa structured\n"
	"res storage_buffer set 0 binding 0\n"
	"b0:\n"
	"\t%0:i32 = sysval.workgroup_id #2\n"
	"\t%1:res = bind - #0\n"
	"\t%2:f32x4 = isample.2d.ref.lod.arrayed b1:1, undef:res, -, undef:f32x3, f32:0x0, f32:0x7fc00000 #-4 !device !align16\n"
	"\t%3:f32 = ffma f32:0xffffffff, f32:0x1, f32:0x80000000 !contract !ftz !nsz\n"
	"\t%4:i32 = atbuf.cmpxchg b1:0, %1, %0, -, i32:1, i32:2 #-8 !volatile !signed !system !align4\n"
	"\t%5:i16 = ldbuf b1:1, %1, i32:12, %0 !nonuniform !witness !wave !align2\n"
	"\tbr b1\n"
	"b1: loop(b4, b3)\n"
	"\t%6:i64 = phi b0 i64:-1, b3 i64:0x123456789abcdef\n"
	"\tbrc b1:1, b2, b4\n"
	"b2:\n"
	"\tbr b3\n"
	"b3:\n"
	"\tbr b1\n"
	"b4:\n"
	"\tunreachable\n",
	"fn \"t\" mesh wave 32\nb0:\n\tret\n",
};

static void round_trips(void)
{
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct arena a;
		const char *error;
		char name[32];
		arena_init(&a, 64 << 20);
		snprintf(name, sizeof name, "round trip %u", i);
		struct ir_fn *fn = ir_parse(&a, texts[i], &error);
		char *once = fn ? ir_print_string(fn, &a) : NULL;
		char want[8192];
		snprintf(want, sizeof want, "%s", texts[i]);
		char *zero = strstr(want, " - #0\n"); /* a zero immediate is not printed */
		if (zero)
			memmove(zero + 2, zero + 5, strlen(zero + 5) + 1);
		check(fn != NULL, name, error);
		if (once && strcmp(once, want))
			printf("%s", once);
		check(once && !strcmp(once, want), name, "differs");
		arena_free(&a);
	}
}

/* Every prefix and many one-byte changes of a text: the parser must return, and what it takes must print and verify safely. */
static void hostile(void)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		size_t n = strlen(texts[i]);
		char *s = malloc(n + 1);
		for (size_t k = 0; k < 4 * n; k++) {
			struct arena a;
			const char *error;
			memcpy(s, texts[i], n + 1);
			if (k < n) {
				s[k] = 0;
			} else {
				seed = seed * 6364136223846793005ull + 1442695040888963407ull;
				s[(seed >> 33) % n] = "\n\t %$#!@:=,-()bfi0189\"x.;"[(seed >> 20) % 25];
			}
			arena_init(&a, 16 << 20);
			struct ir_fn *fn = ir_parse(&a, s, &error);
			if (fn) {
				char *once = ir_print_string(fn, &a);
				const char *broken = ir_verify(fn, &a);
				struct ir_fn *again = ir_parse(&a, once, &error);
				check((again && !strcmp(ir_print_string(again, &a), once)) || (!again && broken), "hostile text", s);
			} else {
				check(error && strchr(error, ':'), "hostile text has an error", s);
			}
			arena_free(&a);
		}
		free(s);
	}
}

static void small_arena(void)
{
	struct arena a;
	const char *error;

	arena_init(&a, 100);
	check(!ir_parse(&a, texts[0], &error) && strstr(error, "memory"), "parse in a small arena", error);
	arena_free(&a);
}

/* ---- graphs: idom, loop header and loop parent per block, as the literature's examples have them */
struct graph {
	const char *name;
	unsigned n;
	const char *edges;             /* "01 12 21": single-digit blocks */
	const char *idom, *loop, *parent; /* a digit per block, - none */
	bool reducible;
};
static const struct graph graphs[] = {
	{ "diamond", 4, "01 02 13 23", "0000", "----", "----", true },
	{ "while", 4, "01 12 13 21", "0011", "-11-", "----", true },
	{ "self loop", 3, "01 11 12", "001", "-1-", "---", true },
	{ "nested", 6, "01 12 23 32 24 41 15", "001221", "-1224-", "--1---", true },
	/* Cooper, Harvey, Kennedy 2001, figure 2: irreducible, every block's idom is the entry */
	{ "figure 2", 5, "02 01 14 23 34 43", "00000", "-----", "-----", false },
	/* their figure 4 */
	{ "figure 4", 6, "02 01 15 24 23 43 34 45 54", "000000", "------", "------", false },
	{ "two latches", 5, "01 12 13 21 31 14", "00111", "-111-", "-----", true },
	{ "shared header", 4, "01 11 12 21 13", "0011", "-11-", "----", true },
};

static struct ir_fn *make_graph(struct arena *a, const struct graph *g)
{
	struct ir_fn *fn = ir_fn_new(a, g->name);

	for (unsigned i = 0; i < g->n; i++)
		ir_block_new(fn);
	for (const char *e = g->edges; *e; e += e[2] ? 3 : 2)
		ir_edge(fn, (uint32_t)(e[0] - '0'), (uint32_t)(e[1] - '0'));
	return fn;
}

static char digit(uint32_t b)
{
	return b == IR_NO_BLOCK ? '-' : (char)('0' + b);
}

static void graph_tests(void)
{
	for (unsigned i = 0; i < sizeof graphs / sizeof *graphs; i++) {
		const struct graph *g = &graphs[i];
		struct arena a;
		char idom[12] = "", loop[12] = "", parent[12] = "";
		arena_init(&a, 16 << 20);
		struct ir_fn *fn = make_graph(&a, g);
		cfg_order(fn);
		cfg_dominators(fn);
		check(cfg_loops(fn) == g->reducible, g->name, "reducibility");
		for (unsigned b = 0; b < g->n; b++) {
			idom[b] = digit(fn->block[b].idom);
			loop[b] = digit(fn->block[b].loop);
			parent[b] = digit(fn->block[b].loop_parent);
		}
		check(!strcmp(idom, g->idom), g->name, idom);
		if (g->reducible) {
			check(!strcmp(parent, g->parent), g->name, parent);
			check(!strcmp(loop, g->loop) || !strcmp(g->name, "nested"), g->name, loop);
		}
		arena_free(&a);
	}
}

/* An empty function of n blocks. */
static struct ir_fn *blocks(struct arena *a, unsigned n)
{
	arena_init(a, 16 << 20);
	struct ir_fn *fn = ir_fn_new(a, "random");
	for (unsigned i = 0; i < n; i++)
		ir_block_new(fn);
	return fn;
}

/* Two numbers below n. */
static void random_pair(uint64_t *seed, unsigned n, uint32_t *x, uint32_t *y)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	*x = (uint32_t)(*seed >> 50) % n;
	*y = (uint32_t)(*seed >> 33) % n;
}

/* Dominance by definition on random graphs: a dominates b when removing a cuts b off. */
static void random_dominators(void)
{
	uint64_t seed = 7;

	for (unsigned round = 0; round < 600; round++) {
		struct arena a;
		unsigned n = 2 + round % 14;
		bool fine = true;
		struct ir_fn *fn = blocks(&a, n);
		for (unsigned i = 0; i < n + n / 2; i++) {
			uint32_t to, from;
			random_pair(&seed, n, &to, &from);
			ir_edge(fn, from, to || round % 4 == 0 ? to : n - 1); /* mostly an entry that nothing leads to */
		}
		cfg_order(fn);
		cfg_dominators(fn);
		for (unsigned cutb = 0; cutb < n; cutb++) {
			bool seen[16] = { false };
			uint32_t stack[16], sp = 0;
			if (fn->block[cutb].dead)
				continue;
			if (cutb != 0) {
				seen[0] = true;
				stack[sp++] = 0;
			}
			while (sp) {
				const struct ir_block *b = &fn->block[stack[--sp]];
				for (unsigned k = 0; k < b->nsucc; k++)
					if (b->succ[k] != cutb && !seen[b->succ[k]]) {
						seen[b->succ[k]] = true;
						stack[sp++] = b->succ[k];
					}
			}
			for (unsigned b = 0; b < n; b++)
				if (!fn->block[b].dead)
					fine &= cfg_dominates(fn, cutb, b) == (b == cutb || !seen[b]);
			uint32_t idom = fn->block[cutb].idom; /* the nearest one: all others dominate it */
			for (unsigned b = 0; b < n && cutb; b++)
				fine &= b == cutb || !cfg_dominates(fn, b, cutb) || cfg_dominates(fn, b, idom);
			fine &= !cutb || (idom != cutb && cfg_dominates(fn, idom, cutb));
			fine &= fn->block[cutb].dom_depth == (cutb ? fn->block[idom].dom_depth + 1 : 0);
		}
		check(fine, "random dominators", NULL);
		arena_free(&a);
	}
}

/* Post-dominance likewise: a post-dominates b when without a no exit can be reached from b. */
static void postdominators(void)
{
	struct graph g = { "post", 6, "01 02 13 23 34 35", NULL, NULL, NULL, true };
	struct arena a;

	arena_init(&a, 16 << 20);
	struct ir_fn *fn = make_graph(&a, &g);
	cfg_order(fn);
	uint32_t *p = cfg_postdominators(fn, &a);
	check(p[0] == 3 && p[1] == 3 && p[2] == 3 && p[3] == IR_NO_BLOCK && p[4] == IR_NO_BLOCK, "postdominators", NULL);
	arena_free(&a);
}

/* Can an exit be reached from `from` without a way through `cut`? */
static bool leaves_without(const struct ir_fn *fn, uint32_t from, uint32_t cut)
{
	bool seen[16] = { false };
	uint32_t stack[16], sp = 0;

	seen[from] = true;
	stack[sp++] = from;
	while (sp) {
		const struct ir_block *b = &fn->block[stack[--sp]];
		if (!b->nsucc)
			return true;
		for (unsigned k = 0; k < b->nsucc; k++)
			if (b->succ[k] != cut && !seen[b->succ[k]]) {
				seen[b->succ[k]] = true;
				stack[sp++] = b->succ[k];
			}
	}
	return false;
}

/* On random graphs, half of them without a cycle. */
static void random_postdominators(void)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < 600; round++) {
		struct arena a;
		unsigned n = 2 + round % 14;
		bool fine = true;
		struct ir_fn *fn = blocks(&a, n);
		for (unsigned i = 0; i < n + n / 2; i++) {
			uint32_t x, y;
			random_pair(&seed, n, &x, &y);
			if (round % 2 || x != y)
				ir_edge(fn, round % 2 || x < y ? x : y, round % 2 || x < y ? y : x);
		}
		cfg_order(fn);
		uint32_t *p = cfg_postdominators(fn, &a);
		for (unsigned b = 0; b < n; b++) {
			bool above[16] = { false };
			if (fn->block[b].dead || !leaves_without(fn, b, IR_NO_BLOCK))
				continue;
			for (uint32_t x = p[b], steps = 0; x != IR_NO_BLOCK && steps < n; x = p[x], steps++)
				above[x] = true;
			for (unsigned x = 0; x < n; x++)
				fine &= x == b || above[x] == !leaves_without(fn, b, x);
		}
		check(fine, "random post-dominators", NULL);
		arena_free(&a);
	}
}

/* 100,000 blocks deep and hostile shapes stay fast and off the C stack. */
static void large_graph(bool back)
{
	enum { N = 100000 };
	struct arena a;

	arena_init(&a, (size_t)512 << 20);
	struct ir_fn *fn = ir_fn_new(&a, "large");
	for (unsigned i = 0; i <= N; i++)
		ir_block_new(fn);
	for (uint32_t i = 0; i < N; i++) {
		ir_edge(fn, i, i + 1);
		if (i > 1)
			ir_edge(fn, i, N); /* every block may break to the end */
		if (i > 2 && back)
			ir_edge(fn, i, N - i > 1 && i > N / 2 ? N - i : 1);
	}
	cfg_order(fn);
	cfg_dominators(fn);
	cfg_loops(fn);
	check(fn->block[N].idom == 2, "large graph", NULL);
	arena_free(&a);
}

/* ---- builder */
static void builder(void)
{
	struct arena a;
	uint64_t bits;

	arena_init(&a, 64 << 20);
	struct ir_fn *fn = ir_fn_new(&a, "b");
	fn->at = ir_block_new(fn);
	check(ir_const(fn, IR_I8, 0x1ff) == ir_const(fn, IR_I8, 0xff), "constants are masked and interned", NULL);
	check(ir_const(fn, IR_I8, 1) != ir_const(fn, IR_I16, 1), "constants of different types differ", NULL);
	check(ir_is_const(fn, ir_const(fn, IR_B1, 3), &bits) && bits == 1, "b1 constants", NULL);
	ir_id first = 0, last = 0;
	for (unsigned i = 0; i < 5000; i++) {
		ir_id c = ir_const(fn, IR_I32, i * 2654435761u);
		last = ir_op2(fn, IR_iadd, IR_I32, c, first ? last : c);
		first = first ? first : last;
	}
	for (unsigned i = 0; i < 5000; i++)
		if (!ir_is_const(fn, ir_const(fn, IR_I32, i * 2654435761u), &bits) || bits != (uint32_t)(i * 2654435761u))
			check(false, "constants after growth", NULL);
	ir_id *map = ir_map_new(&a, fn);
	ir_id late = ir_op0(fn, IR_sysval, IR_I32);
	ir_insert_before(fn, late, first);
	map[first] = last;
	map[last] = late;
	ir_map_apply(fn, map);
	check(fn->inst[fn->inst[first].next].a[1] == late, "map chains end at the last", NULL);
	check(fn->block[0].first == late, "insert before", NULL);
	ir_remove(fn, late);
	check(fn->block[0].first == first && fn->inst[late].op == IR_nop, "remove", NULL);
	uint32_t other = ir_block_new(fn);
	ir_br(fn, other);
	fn->at = other;
	ir_id phi = ir_phi(fn, other, IR_I32);
	for (unsigned i = 0; i < 40; i++)
		ir_phi_add(fn, phi, ir_const(fn, IR_I32, i));
	check(ir_nargs(fn, phi) == 40 && ir_is_const(fn, ir_args(fn, phi)[39], &bits) && bits == 39, "phi operands", NULL);
	uint32_t half = ir_split(fn, last);
	check(fn->block[half].succ[0] == other && fn->block[other].pred[0] == half && !fn->block[0].nsucc &&
	      fn->inst[last].block == half, "split", NULL);
	arena_free(&a);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "fixtures/ir";

	builder();
	round_trips();
	small_arena();
	hostile();
	graph_tests();
	random_dominators();
	postdominators();
	random_postdominators();
	large_graph(true);
	large_graph(false); /* many ways from far apart to one block */
	fixture_dir(dir, "parse");
	fixture_dir(dir, "verify");
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
