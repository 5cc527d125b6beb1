/* nv_alu_test.c - single NVIDIA instructions: encoded here from the public field positions, decoded, lifted, run on the
 * evaluator
 * for 32 lanes with edge-case and random operands, and compared with a C reference written from the operation's
 * definition.
 *
 * A program is: predicates p2 and p3 from the signs of r5 and r6, the instruction under test (sources r1..r6, results
 * r10, r11,
 * p0, p1), stores of the results. On sm53 the carry flag is seen through r11 = rZ + rZ + carry.
 *
 *     nv_alu_test [SEED [ROUNDS]]
 */
#include "../ir/eval.h"
#include "../libxlate/isa/lift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, NIN = 7, MAX_WORDS = 64 };

struct vals {
	uint32_t r[NIN]; /* r[1]..r[6] */
	bool p2, p3;
};
struct result {
	uint32_t r10, r11;
	bool p0, p1;
};
struct code {
	uint64_t w[2 * MAX_WORDS];
	unsigned n; /* instructions */
	bool sm86;
};

static uint64_t rng = 88172645463325252ull;
static unsigned passed, failed;

static uint64_t rnd(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static uint32_t edge(void)
{
	static const uint32_t e[] = {0, 1, 2, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000,
		0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f800000, 0xff800000,
			0x7fc00000,
		0x4f000000, 0xcf000000, 0x4b000001, 0x3fc00000, 0x40200000, 0xbfc00000, 0x477fe000, 0x33000000, 0x38800000,
			0x00800000};
	uint64_t k = rnd();

	return k & 3 ? (k & 4 ? e[(k >> 8) % (sizeof e / sizeof *e)] : (uint32_t)(k >> 32)) : (uint32_t)(k >> 16) & 0x3f;
}

/* ---- encoding */
static void put(uint64_t w[2], unsigned pos, unsigned len, uint64_t v)
{
	for (unsigned i = 0; i < len; i++) {
		uint64_t bit = 1ull << ((pos + i) & 63);
		w[(pos + i) >> 6] = (v >> i & 1) ? w[(pos + i) >> 6] | bit : w[(pos + i) >> 6] & ~bit;
	}
}

static void emit(struct code *c, const uint64_t w[2])
{
	if (c->sm86) {
		memcpy(c->w + 2 * c->n, w, 16);
	} else {
		unsigned at = c->n / 3 * 4 + 1 + c->n % 3;
		c->w[at] = w[0];
	}
	c->n++;
}

/* sm86: an ALU word in form `form` with guard always. */
static void alu86(uint64_t w[2], unsigned op, unsigned form, unsigned d, unsigned a, uint32_t b, unsigned c)
{
	w[0] = w[1] = 0;
	put(w, 0, 9, op);
	put(w, 9, 3, form);
	put(w, 12, 3, 7);
	put(w, 16, 8, d);
	put(w, 24, 8, a);
	put(w, 32, form == 4 || form == 2 ? 32 : 8, b);
	put(w, 64, 8, c);
}

static void fixed86(uint64_t w[2], unsigned op12)
{
	w[0] = w[1] = 0;
	put(w, 0, 12, op12);
	put(w, 12, 3, 7);
}

/* sm53: top 16 bits, guard always. */
static void alu53(uint64_t w[2], unsigned op16, unsigned d, unsigned a)
{
	w[0] = (uint64_t)op16 << 48;
	w[1] = 0;
	put(w, 16, 3, 7);
	put(w, 0, 8, d);
	put(w, 8, 8, a);
}

static void isetp_sign(struct code *c, unsigned p, unsigned r)
{
	uint64_t w[2];

	if (c->sm86) {
		alu86(w, 0x00c, 1, 0, r, 255, 0);
		put(w, 68, 3, 7);
		put(w, 73, 1, 1);
		put(w, 76, 3, 1);
		put(w, 81, 3, p);
		put(w, 84, 3, 7);
		put(w, 87, 3, 7);
	} else {
		alu53(w, 0x5b60, 0, r);
		put(w, 0, 3, 7);
		put(w, 3, 3, p);
		put(w, 20, 8, 255);
		put(w, 39, 3, 7);
		put(w, 48, 1, 1);
		put(w, 49, 3, 1);
	}
	emit(c, w);
}

/* r = p ? 1 : 0 */
static void sel01(struct code *c, unsigned r, unsigned p)
{
	uint64_t w[2];

	if (c->sm86) {
		alu86(w, 0x007, 4, r, 255, 1, 0);
		put(w, 87, 3, p);
		put(w, 90, 1, 1);
	} else {
		alu53(w, 0x38a0, r, 255);
		put(w, 20, 19, 1);
		put(w, 39, 3, p);
		put(w, 42, 1, 1);
	}
	emit(c, w);
}

static void store(struct code *c, unsigned r, unsigned offset)
{
	uint64_t w[2];

	if (c->sm86) {
		fixed86(w, 0x386);
		put(w, 24, 8, 255);
		put(w, 32, 8, r);
		put(w, 40, 24, offset);
		put(w, 72, 1, 1);
		put(w, 73, 3, 4);
		put(w, 84, 2, 1);
	} else {
		alu53(w, 0xeed8, r, 255);
		put(w, 20, 24, offset);
		put(w, 45, 1, 1);
		put(w, 48, 3, 4);
	}
	emit(c, w);
}

static void finish(struct code *c, bool carry)
{
	uint64_t w[2];

	if (carry) {
		alu53(w, 0x5c10, 11, 255);
		put(w, 20, 8, 255);
		put(w, 43, 1, 1);
		emit(c, w);
	}
	store(c, 10, 0);
	store(c, 11, 4);
	sel01(c, 12, 0);
	store(c, 12, 8);
	sel01(c, 12, 1);
	store(c, 12, 12);
	if (c->sm86) {
		fixed86(w, 0x94d);
		put(w, 87, 3, 7);
	} else {
		alu53(w, 0xe300, 15, 0);
	}
	emit(c, w);
}

/* ---- running */
struct world {
	struct vals in[LANES];
	uint32_t out[LANES][4];
};

static bool io_input(void *user, const struct eval_access *a, uint64_t *out)
{
	struct world *w = user;
	const struct ir_inst *in = &a->fn->inst[a->inst];

	if (in->op != IR_root)
		return false;
	*out = w->in[a->lane].r[in->imm + 1];
	return true;
}

static bool io_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	struct world *w = user;

	if (a->offset > 12)
		return false;
	w->out[a->lane][a->offset / 4] = (uint32_t)value[0];
	return true;
}

static char last[256];

static void on_diag(void *user, const struct diag *d)
{
	(void)user;
	snprintf(last, sizeof last, "0x%x %s: %s", d->addr, diag_name(d->code), d->text);
}

static const char *run(const struct code *c, struct world *w)
{
	static const struct fact_init init[NIN - 1] = {{NV_FILE_GPR, INIT_ROOT, 1, 0, 0, 0}, {NV_FILE_GPR, INIT_ROOT, 2,
		0, 0, 1},
		{NV_FILE_GPR, INIT_ROOT, 3, 0, 0, 2}, {NV_FILE_GPR, INIT_ROOT, 4, 0, 0, 3}, {NV_FILE_GPR, INIT_ROOT, 5, 0, 0,
			4},
		{NV_FILE_GPR, INIT_ROOT, 6, 0, 0, 5}};
	static const struct fact_root root[NIN - 1];
	struct facts f = {.stage = STAGE_COMPUTE, .wave = 32, .workgroup = {32, 1, 1}, .ninit = NIN - 1, .init = init,
		.nroot = NIN - 1,
		.root = root};
	struct diag_sink sink = {.emit = on_diag};
	struct arena a, scratch;
	const struct isa *isa = c->sm86 ? &isa_sm86 : &isa_sm53;
	uint32_t size = (uint32_t)(c->sm86 ? 16 * c->n : (c->n + 2) / 3 * 32);
	struct lift_ctx ctx = {.cpu = isa->cpus, .wave = 32, .code = (const uint8_t *)c->w, .size = size,
		.exec_size = size, .facts = &f,
		.scratch = &scratch, .diag = &sink};
	struct eval_options o = {.io = {w, NULL, io_store, NULL, io_input}, .groups = {1, 1, 1}};
	const char *why = NULL;

	arena_init(&a, 64u << 20);
	arena_init(&scratch, 64u << 20);
	ctx.fn = ir_fn_new(&a, "test");
	ctx.fn->stage = STAGE_COMPUTE;
	ctx.fn->wave = 32;
	memcpy(ctx.fn->workgroup, f.workgroup, sizeof f.workgroup);
	o.arena = &a;
	last[0] = 0;
	if (isa->lift(&ctx))
		why = last;
	else if (!(why = ir_verify(ctx.fn, &scratch)) && eval_run(ctx.fn, &o, &why) == EVAL_OK)
		why = NULL;
	if (why && why != last) {
		snprintf(last, sizeof last, "%s", why);
		why = last;
	}
	arena_free(&a);
	arena_free(&scratch);
	return why;
}

/* ---- cases */
enum { F32 = 1, CARRY = 2, NO_R11 = 4, NO_P0 = 8, NO_P1 = 16, HALF = 32 };
typedef void ref_fn(const struct vals *, unsigned arg, struct result *);

static uint32_t canonical(uint32_t v);

static bool same(uint32_t a, uint32_t b, unsigned flags)
{
	float x, y;

	if (flags & HALF)
		return canonical(a) == canonical(b);
	if (a == b || !(flags & F32))
		return a == b;
	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	return isnan(x) && isnan(y);
}

/* Run one encoded instruction against its reference. */
static void check(const char *name, bool sm86, const uint64_t w[2], ref_fn *ref, unsigned arg, unsigned flags)
{
	struct code c = {.sm86 = sm86};
	struct world world = {0};
	char text[160];
	const char *why;

	for (unsigned i = 0; i < LANES; i++) {
		for (unsigned k = 1; k < NIN; k++)
			world.in[i].r[k] = edge();
		world.in[i].p2 = world.in[i].r[5] >> 31;
		world.in[i].p3 = world.in[i].r[6] >> 31;
	}
	isetp_sign(&c, 2, 5);
	isetp_sign(&c, 3, 6);
	emit(&c, w);
	finish(&c, flags & CARRY);
	{
		const struct isa *isa = sm86 ? &isa_sm86 : &isa_sm53;
		isa->disasm(isa->cpus, 32, (const uint8_t *)c.w, sizeof c.w, sm86 ? 32 : 24, text, sizeof text);
	}
	why = run(&c, &world);
	if (why) {
		printf("FAIL %s: %s: %s\n", name, text, why);
		failed++;
		return;
	}
	for (unsigned i = 0; i < LANES; i++) {
		struct result r = {0};
		const uint32_t *o = world.out[i];

		ref(&world.in[i], arg, &r);
		if (same(o[0], r.r10, flags) && ((flags & NO_R11) || o[1] == r.r11) && ((flags & NO_P0) || o[2] == r.p0) &&
		    ((flags & NO_P1) || o[3] == r.p1))
			continue;
		const struct vals *v = &world.in[i];

		printf("FAIL %s: %s: r1 %08x r2 %08x r3 %08x r4 %08x p2 %d p3 %d: got %08x %08x %u %u, ", name, text, v->r[1],
			v->r[2],
		       v->r[3], v->r[4], v->p2, v->p3, o[0], o[1], o[2], o[3]);
		printf("want %08x %08x %u %u\n", r.r10, r.r11, r.p0, r.p1);
		failed++;
		return;
	}
	passed++;
}

#include "nv_alu_cases.h"

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 1;

	if (argc > 1)
		rng = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15ull + 1;
	for (unsigned i = 0; i < rounds; i++) {
		cases86();
		cases53();
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
