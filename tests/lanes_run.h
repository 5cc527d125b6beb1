/* lanes_run.h - runs a function as a wave does, for tests that compare it before and after a pass. Everything is static.
 *
 * What a lane stores is kept as a hash of its stores in their order, so that two runs compare by memcmp; what lanes add up by
 * atomic operations is kept by address, as the order of lanes is open. Inputs are small numbers made of the seed: masks of
 * compares between them have both values. Those that are the same for a wave are here, too.
 */
#ifndef XL_TEST_LANES_RUN_H
#define XL_TEST_LANES_RUN_H

#include "../ir/eval.h"
#include "ir_random.h"

#include <string.h>

enum { LANES_RUN = 8, LANES_WORDS = 64 };

struct lanes_run {
	uint64_t seed, hash[LANES_RUN];
	unsigned count[LANES_RUN];
	uint64_t word[LANES_WORDS]; /* of memory that atomic operations change */
};

static inline uint64_t lanes_mix(uint64_t a, uint64_t b)
{
	struct rnd r = { a * 0x9e3779b97f4a7c15ull ^ b };

	return next(&r);
}

static inline bool lanes_load(void *user, const struct eval_access *a, uint64_t *out)
{
	struct lanes_run *l = user;
	const struct ir_inst *i = &a->fn->inst[a->inst];
	unsigned n = ir_elems(i->type);

	for (unsigned k = 0; k < n; k++)
		out[k] = lanes_mix(l->seed ^ a->offset << 8, k) & 15;
	if (i->op == IR_iquery && i->sub == 2) /* how many samples: a power of two up to 64 */
		out[0] = 1u << out[0] % 7;
	return true;
}

static inline bool lanes_input(void *user, const struct eval_access *a, uint64_t *out)
{
	struct lanes_run *l = user;
	const struct ir_inst *i = &a->fn->inst[a->inst];
	bool wave = i->op == IR_root || (i->op == IR_sysval && (i->sub == SYSVAL_base_vertex || i->sub == SYSVAL_base_instance ||
		i->sub == SYSVAL_draw_id || i->sub == SYSVAL_view_index));
	uint64_t of = (uint64_t)i->op << 40 | (uint64_t)i->sub << 32 | i->imm << 8;

	out[0] = lanes_mix(l->seed ^ of, wave ? 0 : a->invocation + 1u) & (wave ? 3 : 7);
	if (i->type == IR_B1)
		out[0] &= 1;
	return true;
}

static inline bool lanes_store(void *user, const struct eval_access *a, const uint64_t *value)
{
	struct lanes_run *l = user;

	l->hash[a->invocation] = lanes_mix(l->hash[a->invocation] ^ a->offset, value[0]);
	l->count[a->invocation]++;
	return true;
}

static inline bool lanes_atomic(void *user, const struct eval_access *a, uint64_t *old)
{
	struct lanes_run *l = user;
	const struct ir_inst *i = &a->fn->inst[a->inst];
	uint64_t *at = &l->word[a->offset / 4 % LANES_WORDS];
	unsigned data = i->op == IR_atptr ? 2 : 4;

	*old = *at;
	*at = eval_atomic(i->sub, ir_bits(i->type), ir_is_float(i->type), *old, a->args[data][0],
		data + 1 < a->nargs && a->args[data + 1] ? a->args[data + 1][0] : 0);
	return true;
}

/* How a wave is run besides its inputs. */
struct lanes_how {
	uint64_t undef, helpers; /* what undefined values read as; lanes that only help */
	bool in_order;           /* see eval.h */
};

/* Fills *l. The whole workgroup is LANES_RUN lanes of one wave, or as many fewer as it says. */
static inline enum eval_result lanes_run_as(const struct ir_fn *fn, uint64_t seed, struct lanes_how how, struct lanes_run *l, const char **why)
{
	struct arena a;

	arena_init(&a, (size_t)64 << 20);
	memset(l, 0, sizeof(*l));
	l->seed = seed;
	uint32_t lanes = fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
	lanes = fn->stage == STAGE_COMPUTE && lanes && lanes < LANES_RUN ? lanes : LANES_RUN;
	struct eval_options opt = { .io = { .user = l, .load = lanes_load, .store = lanes_store, .atomic = lanes_atomic, .input = lanes_input },
		.invocations = lanes, .max_steps = 1 << 14, .undef = how.undef, .helpers = how.helpers, .in_order = how.in_order, .arena = &a,
		.group = { (uint32_t)seed & 3, 2, 3 }, .groups = { 4, 5, 6 } };
	enum eval_result r = eval_run(fn, &opt, why);
	arena_free(&a);
	return r;
}

static inline enum eval_result lanes_run_fn(const struct ir_fn *fn, uint64_t seed, struct lanes_run *l, const char **why)
{
	return lanes_run_as(fn, seed, (struct lanes_how){ 0 }, l, why);
}

/* Several ways back to one block, or into one loop: whether lanes that come by different ones are in the same turn is nowhere said. */
static inline bool lanes_turns_open(struct ir_fn *fn)
{
	cfg_dominators(fn);
	if (!cfg_loops(fn))
		return true;
	ir_for_order(fn, b) {
		unsigned back = 0;
		for (uint32_t k = 0; k < fn->block[b].npred; k++)
			back += fn->block[fn->block[b].pred[k]].rpo >= b_i;
		if (back > 1)
			return true;
	}
	return false;
}

/* Does what the function did (*l) depend on where lanes meet? That may be another place once a way that nobody goes is gone. */
static inline bool lanes_meet_matters(struct ir_fn *fn, uint64_t seed, const struct lanes_run *l)
{
	struct lanes_run other;

	return lanes_run_as(fn, seed, (struct lanes_how){ .in_order = true }, &other, NULL) != EVAL_OK || memcmp(l, &other, sizeof(other));
}

/* Lanes of a fragment program's wave that only help: never a whole quad. */
static inline uint64_t lanes_helpers(const struct ir_fn *fn, uint64_t seed)
{
	uint64_t h = fn->stage == STAGE_FRAGMENT ? lanes_mix(seed, 5) & lanes_mix(seed, 6) & 0x7f : 0;

	return (h & 15) == 15 ? h ^ 4 : h;
}

/* Runs it so that what depends on undefined values, or on where lanes meet, shows: false when it does, or does not end. Needs order. */
static inline bool lanes_run_defined(struct ir_fn *fn, uint64_t seed, struct lanes_run *l)
{
	struct lanes_how how[] = { { .undef = 0xa5a5a5a5a5a5a5a5u }, { .undef = 0x5a5a5a5a5a5a5a5au }, { .undef = 1ull << 63 /* a word of 0 */ },
		{ .undef = 1 }, { .undef = 2 }, { .undef = 5, .in_order = true } };
	struct lanes_run other;

	for (unsigned k = 0; k < (lanes_turns_open(fn) ? 6 : 5); k++) {
		how[k].helpers = lanes_helpers(fn, seed);
		if (lanes_run_as(fn, seed, how[k], k ? &other : l, NULL) != EVAL_OK || (k && memcmp(l, &other, sizeof(other))))
			return false;
	}
	return true;
}

/* Is what it did (*l, of lanes_run_defined()) another for some undefined value after all? Those that it compares with: small
 * numbers and its own constants. */
static inline bool lanes_run_undefined(const struct ir_fn *fn, uint64_t seed, const struct lanes_run *l)
{
	struct lanes_how how = { .helpers = lanes_helpers(fn, seed) };
	struct lanes_run other;

	for (uint32_t k = 0; k < 256 + fn->ninst; k++) {
		if (k >= 256 && fn->inst[k - 256].op != IR_const)
			continue;
		how.undef = 1ull << 63 | (k < 256 ? k : fn->inst[k - 256].imm);
		if (lanes_run_as(fn, seed, how, &other, NULL) != EVAL_OK || memcmp(l, &other, sizeof(other)))
			return true;
	}
	return false;
}

/* Does it do what `before` says? Where it is open how lanes meet, one way is enough. */
static inline bool lanes_same_as(struct ir_fn *fn, uint64_t seed, struct lanes_how how, const struct lanes_run *before)
{
	struct lanes_run after;

	if (lanes_run_as(fn, seed, how, &after, NULL) == EVAL_OK && !memcmp(before, &after, sizeof(after)))
		return true;
	how.in_order = true;
	return !fn->structured && lanes_turns_open(fn) && lanes_run_as(fn, seed, how, &after, NULL) == EVAL_OK &&
		!memcmp(before, &after, sizeof(after));
}

/* The same of what lanes_run_defined() says. */
static inline bool lanes_run_same(struct ir_fn *fn, uint64_t seed, const struct lanes_run *before)
{
	struct lanes_how how = { .undef = 0xa5a5a5a5a5a5a5a5u, .helpers = lanes_helpers(fn, seed) };

	return lanes_same_as(fn, seed, how, before);
}

#endif
