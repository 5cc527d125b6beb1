/* lanes_quad.c - whole quads that nothing needs.
 *
 * A guest keeps the helper lanes of a quad on (quadany) for the derivatives that follow:
 *
 *     %2 = quadany %1                 with no derivative, implicit level of detail or quad operation behind it, and
 *     %3 = any %2             =>      with no effect behind it in a lane whose %1 is false:   %3 = any %1
 *
 * The host's own quad operations would need all lanes of the quad there, which branches that lanes take for themselves do not
 * keep together.
 */
#include "proof.h"

#include <string.h>

/* Something that reads the other lanes of the quad, or of the wave. */
static bool needs_quad(const struct ir_inst *i)
{
	if (!(ir_ops[i->op].fx & FX_CROSS) || i->op == IR_any)
		return false;
	return i->op != IR_isample || !(i->sub & (IMG_LOD | IMG_GRAD));
}

unsigned lanes_quad_use(const struct ir_inst *i)
{
	return (needs_quad(i) ? PROOF_QUAD_NEEDED : 0u) | (i->op == IR_quadany ? PROOF_QUAD_ASKED : 0u);
}

void lanes_quad_find(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	memset(p->quad_after, 0, fn->nblock);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t k = fn->norder; k-- > 0;) {
			uint32_t b = fn->order[k];
			for (uint32_t j = 0; j < fn->block[b].nsucc && !p->quad_after[b]; j++) {
				uint32_t s = fn->block[b].succ[j];
				p->quad_after[b] = (p->quads[s] & PROOF_QUAD_NEEDED) | p->quad_after[s];
				again |= p->quad_after[b];
			}
		}
	}
}

/* Nothing behind q = quadany(x) needs the quad, or has an effect in this lane when x is false. */
static bool unneeded(struct proof *p, ir_id q)
{
	struct ir_fn *fn = p->fn;
	uint32_t b = fn->inst[q].block;
	const char *why;
	bool discards = false;
	if (p->quad_after[b] || fn->block[b].loop != IR_NO_BLOCK)
		return false;
	for (ir_id id = fn->inst[q].next; id; id = fn->inst[id].next)
		if (needs_quad(&fn->inst[id]) || (ir_ops[fn->inst[id].op].fx & FX_WRITE))
			return false;
	p->branch = b;
	p->is->only = NULL;
	p->demotes = p->demote_marks;
	proof_clear(p, p->demotes);
	proof_start(p);
	proof_assume(p, fn->inst[q].a[0]);
	proof_assume_live(p);
	proof_reach(p, WAYS_ASSUMED, b, IR_NO_BLOCK, IR_NO_BLOCK, p->walk);
	p->is->only = p->walk;
	proof_start(p);
	proof_assume(p, fn->inst[q].a[0]);
	proof_assume_live(p);
	proof_for_blocks(p, p->walk, x) {
		if (x == b)
			continue;
		if (fn->block[x].loop != IR_NO_BLOCK || !proof_quiet(p, x, &why))
			return false;
		discards |= proof_has(p->demotes, x);
	}
	return !discards || proof_demotes(p, b, p->walk);
}

/* The first whole quad that is unneeded, or 0. */
static ir_id find_unneeded(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	ir_for_order(fn, b)
		for (ir_id id = p->quads[b] & PROOF_QUAD_ASKED ? fn->block[b].first : 0; id; id = fn->inst[id].next)
			if (fn->inst[id].op == IR_quadany && unneeded(p, id))
				return id;
	return 0;
}

bool lanes_quad_drop(struct proof *p, struct arena *a)
{
	struct ir_fn *fn = p->fn;
	bool changed = false;
	for (ir_id q; (q = find_unneeded(p)) != 0; changed = true) {
		uint32_t b = fn->inst[q].block;
		ir_id *map = ir_map_new(a, fn);
		map[q] = fn->inst[q].a[0];
		ir_map_apply(fn, map);
		ir_remove(fn, q);
		p->quads[b] = 0;
		ir_for_insts(fn, b, id)
			p->quads[b] |= (uint8_t)lanes_quad_use(&fn->inst[id]);
		lanes_quad_find(p);
	}
	return changed;
}
