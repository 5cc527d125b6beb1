/* structurize_plain.c - control flow that is structured as it stands, as most programs' is: no loops, no switches, and branches that
 * lie in each other, each with one block where its sides meet again.
 *
 *	b0: brc %a, b1, b4
 *	b1: brc %b, b2, b3
 *	b2: br b3
 *	b3: br b4             (b1's sides meet)
 *	b4: ret               (b0's do)
 *
 * There the tree and the scopes would find one label per branch and nothing to make. Anything else is theirs.
 */
#include "structurize.h"

struct nest { /* of a block, both + 1, 0: none */
	uint32_t meet;  /* where its sides meet: of those that it dominates at once, the one that several go to */
	uint32_t outer; /* the innermost branch that it lies between the sides of */
};

static bool find_meets(const struct ir_fn *fn, struct nest *nest)
{
	ir_for_order(fn, b) {
		const struct ir_block *at = &fn->block[b];
		if (at->npred < 2)
			continue;
		if (nest[at->idom].meet)
			return false;
		nest[at->idom].meet = b + 1;
	}
	return true;
}

/* Does every way from block x, of those in front all is known, go on inside of the same branch, or to where its sides meet? */
static bool goes_on(const struct ir_fn *fn, struct nest *nest, uint32_t x)
{
	const struct ir_block *b = &fn->block[x];
	uint32_t own = nest[x].outer;

	if (b->nsucc == 2) {
		if (!nest[x].meet || b->succ[0] == b->succ[1])
			return false;
		nest[nest[x].meet - 1].outer = own;
		own = x + 1;
	}
	for (uint32_t k = 0; k < b->nsucc; k++) {
		uint32_t t = b->succ[k];
		if (fn->block[t].rpo <= b->rpo)
			return false;
		if (fn->block[t].npred == 1)
			nest[t].outer = own;
		else if (own && nest[t].outer != own && nest[own - 1].meet != t + 1)
			return false;
	}
	return true;
}

bool sz_plain(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	struct nest *nest = arena_array(s->a, struct nest, fn->nblock);

	sz_fresh(s);
	if (fn->has[IR_sw] || !find_meets(fn, nest))
		return false;
	ir_for_order(fn, x)
		if (!goes_on(fn, nest, x))
			return false;
	ir_for_order(fn, x) {
		struct ir_block *b = &fn->block[x];
		if (b->nsucc < 2)
			continue;
		b->merge = MERGE_SELECTION;
		b->merge_block = nest[x].meet - 1;
		b->continue_block = IR_NO_BLOCK;
	}
	return true;
}
