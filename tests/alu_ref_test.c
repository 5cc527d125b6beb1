/* alu_ref_test [-n N] [-s SEED] - the evaluation of ops.def's arithmetic against the reference in alu_ref.h, over the edge cases of
 * alu_grid.h, all bits of halves, and random operands. Rows of the host's precision: within four units in the last place.
 */
#include "alu_grid.h"
#include "ir_random.h"

#include <stdlib.h>

struct count {
	unsigned passed, failed, random;
	uint64_t seed, cases;
};

/* How many representable values lie between a and b, both not NaN. */
static uint64_t distance(unsigned w, uint64_t a, uint64_t b)
{
	uint64_t top = 1ull << (w - 1);
	int64_t x = a & top ? -(int64_t)(a & ~top) : (int64_t)a, y = b & top ? -(int64_t)(b & ~top) : (int64_t)b;

	return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static bool equal(const struct shape *s, uint64_t got, uint64_t want)
{
	enum ref_match m = alu_ref_match(s->op);
	unsigned w = ir_bits(s->type);

	if (got == want || !ir_is_float(s->type))
		return got == want;
	struct ref_float g = ref_open(w, got), x = ref_open(w, want);
	if (g.nan || x.nan)
		return g.nan && x.nan;
	if (m >= REF_ANY_ZERO && !g.m && !x.m && !g.inf && !x.inf)
		return true;
	return m == REF_NEAR && distance(w, got, want) <= 4;
}

static bool one(struct count *c, const struct shape *s, const uint64_t *in)
{
	uint64_t got = 0, want = 0;
	char t[2][8];

	c->cases++;
	bool has = ir_eval_op(s->op, s->type, 0, s->imm, s->arg, in, &got);
	if (has && alu_ref(s->op, s->type, s->imm, s->arg, in, &want) && equal(s, got, want))
		return true;
	printf("FAIL %s.%s of %s #%llx (%llx, %llx, %llx): %s %llx instead of %llx\n", ir_ops[s->op].name, ir_type_name(s->type, t[0]),
		ir_type_name(s->arg[0], t[1]), (unsigned long long)s->imm, (unsigned long long)in[0], (unsigned long long)in[1],
		(unsigned long long)in[2], has ? "gives" : "has no evaluation,", (unsigned long long)got, (unsigned long long)want);
	return false;
}

static bool all_values(struct count *c, const struct shape *s)
{
	uint64_t v[3][96] = { { 0 } };
	unsigned n[3] = { 1, 1, 1 };

	for (unsigned k = 0; k < s->n; k++)
		n[k] = values(s, k, v[k]);
	for (unsigned i = 0; i < n[0]; i++)
		for (unsigned j = 0; j < n[1]; j++)
			for (unsigned k = 0; k < n[2]; k++) {
				uint64_t in[3] = { v[0][i], v[1][j], v[2][k] };
				if (!one(c, s, in))
					return false;
			}
	return true;
}

static bool random_values(struct count *c, const struct shape *s)
{
	struct rnd r = { c->seed * 1000003 + s->op };
	uint64_t in[3] = { 0 };

	if (s->n == 1 && ir_bits(s->arg[0]) <= 16)
		for (unsigned i = 0; i >> ir_bits(s->arg[0]) == 0; i++) {
			in[0] = i;
			if (!one(c, s, in))
				return false;
		}
	for (unsigned i = 0; i < c->random; i++) {
		for (unsigned k = 0; k < s->n; k++)
			in[k] = interesting(&r, s->arg[k]);
		if (!one(c, s, in))
			return false;
	}
	return true;
}

static void shape(void *user, const struct shape *s)
{
	struct count *c = user;

	if (all_values(c, s) && random_values(c, s))
		c->passed++;
	else
		c->failed++;
}

int main(int argc, char **argv)
{
	struct count c = { .random = 2000, .seed = 1 };

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-n"))
			c.random = (unsigned)strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "-s"))
			c.seed = strtoull(argv[i + 1], NULL, 0);
	}
	for (unsigned op = 0; op < IR_OP_COUNT; op++)
		grid_row((enum ir_op)op, shape, &c);
	printf("%llu cases\n%u passed, %u failed, 0 skipped\n", (unsigned long long)c.cases, c.passed, c.failed);
	return c.failed != 0;
}
