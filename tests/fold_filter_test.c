/* fold_filter_test - no filter of the compiled rules leaves out an entry that matches.
 *
 * Patterns of fold_rules.def are made at random. Each of their instructions is matched twice: with the entries that the filters leave,
 * as `fold` does, and with all; the first rule that fires must be the same. */
#include "rule_random.h"

#include <stdio.h>

/* the matcher, with its tables, under names of its own */
#define fold_rules_apply filtered_rules_apply
#define fold_traits filtered_traits
#define fold_filters filtered_filters
#include "../passes/fold_match.c"

enum { TRIES = 300 };

/* An instruction with all entries, and with those that are left: 0, or a rule + 1. */
static unsigned first_rule(struct fold *f, ir_id id, bool all)
{
	const struct ir_inst *inst = f->fn->inst;
	struct env e = { .f = f, .root = id };
	fold_set set = all ? (fold_set)-1 : fold_entries(f, &inst[id]);

	return matchers[inst[id].op](&e, inst, &inst[id], set);
}

static struct ir_fn *made(struct arena *a, unsigned rule, uint64_t seed)
{
	struct rnd r = { seed };
	struct ir_fn *fn = ir_fn_new(a, "random");
	struct instance n = { .fn = fn, .r = &r, .at = rules[rule].from };

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
		f.info[id].kind = (uint8_t)(fold_traits[in->op] >> FOLD_KIND_SHIFT);
		if (!fold_filters[in->op] || in->type >> 4)
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
			struct ir_fn *fn = made(&a, rule, rule * 4099 + i);
			fine = !fn || same_rules(&a, fn, fired);
		}
		passed += fine;
		failed += !fine;
	}
	arena_free(&a);
	for (unsigned rule = 0; rule < NRULES; rule++)
		n += fired[rule];
	printf("%u of %u rules fired\n%u passed, %u failed, 0 skipped\n", n, NRULES, passed, failed);
	return failed != 0;
}
