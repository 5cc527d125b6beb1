/* fold_filter_test - no filter of the compiled rules leaves out an entry that matches.
 *
 * Patterns of fold_rules.def are made at random. Each of their instructions is matched twice: with the entries that the filters leave,
 * as `fold` does, and with all; the first rule that fires must be the same. The same is done with patterns of which fold_misc.c, or the
 * evaluation, knows something: to that they must be left.
 */
#include "rule_random.h"

#include <stdio.h>

/* the matcher, with its tables, under names of its own */
#define fold_rules_apply filtered_rules_apply
#define fold_traits filtered_traits
#define fold_filters filtered_filters
#include "../passes/fold_match.c"

enum { TRIES = 300 };

/* What the roots of these must be left to. */
static const struct { bool eval; const char *from; } others[] = {
	{ true, "(iadd #a #b)" }, { true, "(fneg #a)" }, { true, "(select #a #b #c)" }, { true, "(ubfe #a #b #c)" },
	{ true, "(iand #a #b)" }, { true, "(pack64 #a #b)" }, { true, "(bitcast #a)" }, { true, "(flt #a #b)" },
	{ false, "(select x (undef) y)" }, { false, "(select x y (undef))" }, { false, "(select (borrow #a x) x (isub #a x))" },
	{ false, "(lo64 (undef))" }, { false, "(hi64 (undef))" }, { false, "(trunc (undef))" }, { false, "(bitcast (undef))" },
	{ false, "(pack64 (undef) (undef))" }, { false, "(pack32 (undef) (undef))" },
	{ false, "(bitcast x)" }, { false, "(shl 1 (ctz x))" }, { false, "(shl 1 (iand (ctz x) #a))" }, { false, "(readfirst x y)" },
#define COMPARE(op) { false, "(" #op " (select x #a #b) #c)" }, { false, "(" #op " #a (select x #b #c))" }
	COMPARE(carry), COMPARE(borrow), COMPARE(ieq), COMPARE(ine), COMPARE(slt), COMPARE(sle), COMPARE(ult), COMPARE(ule),
	COMPARE(feq), COMPARE(flt), COMPARE(fle), COMPARE(flg), COMPARE(fequ), COMPARE(fltu), COMPARE(fleu), COMPARE(fneu), COMPARE(funo),
#undef COMPARE
	{ false, "(ieq (zext x) #a)" }, { false, "(ult #a (sext x))" },
};
enum { NOTHERS = sizeof(others) / sizeof(*others) };

/* An instruction with all entries, and with those that are left: 0, or a rule + 1. */
static unsigned first_rule(struct fold *f, ir_id id, bool all)
{
	const struct ir_inst *inst = f->fn->inst;
	struct env e = { .f = f, .root = id };
	fold_set set = all ? (fold_set)-1 : fold_entries(f, fold_filters[inst[id].op], &inst[id]);

	return matchers[inst[id].op](&e, inst, &inst[id], set);
}

static struct ir_fn *made(struct arena *a, const char *from, uint64_t seed)
{
	struct rnd r = { seed };
	struct ir_fn *fn = ir_fn_new(a, "random");
	struct instance n = { .fn = fn, .r = &r, .at = from };

	fn->wave = 32;
	fn->entry = fn->at = ir_block_new(fn);
	return instantiate(&n, types[below(&r, NTYPES)]) ? fn : NULL;
}

static bool same_rules(struct arena *a, struct ir_fn *fn, bool *fired)
{
	struct pass_ctx ctx = { .fn = fn, .scratch = a };
	struct fold f = { .ctx = &ctx, .fn = fn, .scratch = a };

	fold_more(&f);
	ir_for_insts(fn, fn->entry, id) {
		const struct ir_inst *in = &fn->inst[id];
		f.info[id].kind = fold_kind_by_op(in, fold_traits[in->op]);
		if (!matchers[in->op] || in->type >> 4)
			continue;
		unsigned all = first_rule(&f, id, true), left = first_rule(&f, id, false);
		if (all != left) {
			printf("FAIL %s: %s, and %s with the filters\n", ir_ops[in->op].name, all ? rules[all - 1].name : "none",
				left ? rules[left - 1].name : "none");
			return false;
		}
		if (all)
			fired[all - 1] = true;
	}
	return true;
}

/* The last instruction is the root. */
static bool left_to_other(struct arena *a, struct ir_fn *fn, bool eval)
{
	struct pass_ctx ctx = { .fn = fn, .scratch = a };
	struct fold f = { .ctx = &ctx, .fn = fn, .scratch = a };
	const struct ir_inst *root = &fn->inst[fn->block[fn->entry].last];
	const struct fold_filter *of = fold_filters[root->op];

	fold_more(&f);
	ir_for_insts(fn, fn->entry, id)
		f.info[id].kind = fold_kind_by_op(&fn->inst[id], fold_traits[fn->inst[id].op]);
	return fold_entries(&f, of, root) & (eval ? of->eval : of->special);
}

static bool all_left(struct arena *a, unsigned other)
{
	unsigned n = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		arena_reset(a);
		struct ir_fn *fn = made(a, others[other].from, other * 4099 + i);
		if (fn && !left_to_other(a, fn, others[other].eval)) {
			printf("FAIL %s is not left\n", others[other].from);
			return false;
		}
		n += fn != NULL;
	}
	if (!n)
		printf("FAIL %s was never made\n", others[other].from);
	return n;
}

int main(void)
{
	unsigned passed = 0, failed = 0, n = 0;
	bool fired[NRULES] = { false };
	struct arena a;

	arena_init(&a, (size_t)64 << 20);
	for (unsigned rule = 0; rule < NRULES; rule++) {
		bool fine = true;
		for (unsigned i = 0; fine && i < TRIES; i++) {
			arena_reset(&a);
			struct ir_fn *fn = made(&a, rules[rule].from, rule * 4099 + i);
			fine = !fn || same_rules(&a, fn, fired);
		}
		passed += fine;
		failed += !fine;
	}
	for (unsigned other = 0; other < NOTHERS; other++) {
		bool fine = all_left(&a, other);
		passed += fine;
		failed += !fine;
	}
	arena_free(&a);
	for (unsigned rule = 0; rule < NRULES; rule++)
		n += fired[rule];
	printf("%u of %u rules fired\n%u passed, %u failed, 0 skipped\n", n, NRULES, passed, failed);
	return failed != 0;
}
