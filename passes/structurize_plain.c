/* structurize_plain.c - control flow that is structured as it stands, as most programs' is: no loops, no switches, and every branch
 * has a block of its own where its sides meet again.
 *
 *	b0: brc %a, b1, b4
 *	b1: brc %b, b2, b3
 *	b2: br b3
 *	b3: br b4             (b1's sides meet)
 *	b4: ret               (b0's do)
 *
 * A block where several meet is its immediate dominator's. If every branch has one, nothing leaves what a block dominates by more
 * than one edge: from a return none does, from a branch's sides one each, and both are needed for the meeting, so that only what comes
 * behind it is left. So branches lie in each other, with one such block each: the tree and the scopes would find the same merges,
 * and nothing to make.
 */
#include "structurize.h"

bool sz_plain(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t *meet = arena_array(s->a, uint32_t, fn->nblock); /* of a branch: + 1, 0: none */

	sz_fresh(s);
	if (fn->has[IR_sw])
		return false;
	ir_for_order(fn, b)
		if (fn->block[b].npred > 1)
			meet[fn->block[b].idom] = b + 1;
	ir_for_order(fn, x) {
		const struct ir_block *b = &fn->block[x];
		for (uint32_t k = 0; k < b->nsucc; k++)
			if (fn->block[b->succ[k]].rpo <= b->rpo || (k && !meet[x]))
				return false;
	}
	ir_for_order(fn, x) {
		struct ir_block *b = &fn->block[x];
		if (b->nsucc < 2)
			continue;
		b->merge = MERGE_SELECTION;
		b->merge_block = meet[x] - 1;
		b->continue_block = IR_NO_BLOCK;
	}
	return true;
}
