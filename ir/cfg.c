/* Control-flow graph: order, loops, edge surgery; dominators stand in cfg_dom.c. Nothing recurses: block counts come from the guest. */
#include "ir.h"

#include <string.h>

uint32_t *cfg_work(struct ir_fn *fn, size_t n)
{
	if (n > fn->work_cap) {
		fn->work_cap = 0;
		fn->work = arena_grow_raw(fn->arena, NULL, 0, &fn->work_cap, n + n / 2, sizeof *fn->work);
	}
	memset(fn->work, 0, n * sizeof *fn->work);
	return fn->work;
}

/* ---- order */
static void keep_args(struct ir_inst *phi, unsigned n)
{
	ir_keep_args(phi, n);
	phi->flags &= (uint16_t)~IR_F_SETTLED;
}

/* Removes the predecessors that are marked with IR_NO_BLOCK, and the phis' operands with them: one compaction per block. */
static void drop_marked(struct ir_fn *fn, uint32_t block)
{
	struct ir_block *b = &fn->block[block];
	uint32_t n = 0;

	for (ir_id id = b->first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next) {
		ir_id *args = ir_args(fn, id);
		unsigned keep = 0, count = ir_nargs(fn, id);
		for (unsigned i = 0; i < count; i++)
			if (i >= b->npred || b->pred[i] != IR_NO_BLOCK)
				args[keep++] = args[i];
		keep_args(&fn->inst[id], keep);
	}
	for (uint32_t i = 0; i < b->npred; i++)
		if (b->pred[i] != IR_NO_BLOCK)
			b->pred[n++] = b->pred[i];
	b->npred = n;
}

static void kill_block(struct ir_fn *fn, uint32_t block)
{
	struct ir_block *b = &fn->block[block];

	while (b->first)
		ir_remove(fn, b->first);
	b->nsucc = b->npred = 0;
	b->dead = true;
}

static void drop_dead_preds(struct ir_fn *fn, uint32_t block)
{
	struct ir_block *b = &fn->block[block];
	bool dead = false;

	for (uint32_t i = 0; i < b->npred; i++)
		if (fn->block[b->pred[i]].rpo == IR_NO_BLOCK) {
			b->pred[i] = IR_NO_BLOCK;
			dead = true;
		}
	if (dead)
		drop_marked(fn, block);
}

void cfg_order(struct ir_fn *fn)
{
	uint32_t n = fn->nblock, sp = 0, done = n;

	if (n > fn->order_cap)
		fn->order = arena_grow_raw(fn->arena, NULL, 0, &fn->order_cap, n + n / 2u, sizeof *fn->order);
	for (uint32_t i = 0; i < n; i++)
		fn->block[i].rpo = IR_NO_BLOCK;
	/* The stack grows from the front of `order`, finished blocks fill it from the back; together they never exceed n.
	 * While a block is on the stack its rpo counts the successors still to visit: last first, so that succ[0] comes
	 * first in reverse postorder. */
	fn->order[sp++] = fn->entry;
	fn->block[fn->entry].rpo = fn->block[fn->entry].nsucc;
	while (sp) {
		uint32_t b = fn->order[sp - 1];
		if (!fn->block[b].rpo) {
			sp--;
			fn->order[--done] = b;
			continue;
		}
		uint32_t s = fn->block[b].succ[--fn->block[b].rpo];
		if (fn->block[s].rpo == IR_NO_BLOCK) {
			fn->block[s].rpo = fn->block[s].nsucc;
			fn->order[sp++] = s;
		}
	}
	fn->norder = n - done;
	memmove(fn->order, fn->order + done, fn->norder * sizeof *fn->order);
	for (uint32_t i = 0; i < fn->norder; i++)
		fn->block[fn->order[i]].rpo = i;
	if (fn->norder == n)
		return;
	for (uint32_t i = 0; i < fn->norder; i++)
		drop_dead_preds(fn, fn->order[i]);
	for (uint32_t i = 0; i < n; i++)
		if (fn->block[i].rpo == IR_NO_BLOCK && !fn->block[i].dead)
			kill_block(fn, i);
}

/* ---- loops */
static uint32_t outermost(uint32_t *up, uint32_t h)
{
	uint32_t top = h;

	while (up[top] != top)
		top = up[top];
	while (up[h] != top) {
		uint32_t next = up[h];
		up[h] = top;
		h = next;
	}
	return top;
}

bool cfg_loops(struct ir_fn *fn)
{
	bool reducible = true;
	uint32_t *up = cfg_work(fn, 2 * (size_t)fn->nblock), *stack = up + fn->nblock;

	for (uint32_t i = 0; i < fn->nblock; i++) {
		fn->block[i].loop = fn->block[i].loop_parent = IR_NO_BLOCK;
		up[i] = i; /* block -> outermost collapsed loop header found so far */
	}
	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t h = fn->order[i], sp = 0;
		const struct ir_block *hb = &fn->block[h];
		bool header = false;
		for (uint32_t k = 0; k < hb->npred; k++) {
			uint32_t p = hb->pred[k];
			if (fn->block[p].rpo < i || fn->block[p].rpo == IR_NO_BLOCK)
				continue;
			if (!cfg_dominates(fn, h, p)) {
				reducible = false;
				continue;
			}
			header = true;
			uint32_t q = outermost(up, p);
			if (q != h) {
				up[q] = h;
				stack[sp++] = q;
			}
		}
		if (!header)
			continue;
		fn->block[h].loop = h;
		while (sp) {
			uint32_t b = stack[--sp];
			struct ir_block *bb = &fn->block[b];
			if (bb->loop == b)
				bb->loop_parent = h;
			else
				bb->loop = h;
			for (uint32_t k = 0; k < bb->npred; k++) {
				uint32_t q = outermost(up, bb->pred[k]);
				if (q != h && fn->block[q].rpo != IR_NO_BLOCK) {
					up[q] = h;
					stack[sp++] = q;
				}
			}
		}
	}
	return reducible;
}

/* ---- edges */
static uint32_t pred_index(const struct ir_fn *fn, uint32_t from, unsigned succ_index)
{
	const struct ir_block *f = &fn->block[from];
	uint32_t to = f->succ[succ_index], skip = 0, k = 0;

	for (unsigned i = 0; i < succ_index; i++)
		skip += f->succ[i] == to;
	for (;; k++)
		if (fn->block[to].pred[k] == from && !skip--)
			return k;
}

void cfg_pred_add(struct ir_fn *fn, uint32_t block, uint32_t pred)
{
	struct ir_block *b = &fn->block[block];

	b->pred = arena_grow(fn->arena, b->pred, b->npred, &b->pred_cap, b->npred + (size_t)1, sizeof *b->pred);
	b->pred[b->npred++] = pred;
}

void cfg_edge_remove(struct ir_fn *fn, uint32_t from, unsigned succ_index)
{
	struct ir_block *f = &fn->block[from];
	unsigned n = f->nsucc - succ_index - 1;

	fn->block[f->succ[succ_index]].pred[pred_index(fn, from, succ_index)] = IR_NO_BLOCK;
	drop_marked(fn, f->succ[succ_index]);
	memmove(f->succ + succ_index, f->succ + succ_index + 1, n * sizeof *f->succ);
	if (f->cases && n > 1)
		memmove(f->cases + succ_index, f->cases + succ_index + 1, (n - 1) * sizeof *f->cases);
	f->nsucc--;
}

void cfg_keep_edges(struct ir_fn *fn, const uint32_t *keep)
{
	uint32_t *rank = cfg_work(fn, fn->nblock); /* as which of the block's entries among its target's predecessors the edge stands */

	for (uint32_t b = 0; b < fn->nblock; b++)
		for (uint32_t k = 0; k < keep[b]; k++)
			rank[b] += fn->block[b].succ[k] == fn->block[b].succ[keep[b] - 1];
	for (uint32_t t = 0; t < fn->nblock; t++) {
		uint32_t *pred = fn->block[t].pred;
		bool gone = false;
		for (uint32_t k = 0; k < fn->block[t].npred; k++) {
			uint32_t p = pred[k];
			if (!keep[p] || (fn->block[p].succ[keep[p] - 1] == t && !--rank[p]))
				continue;
			pred[k] = IR_NO_BLOCK;
			gone = true;
		}
		if (gone)
			drop_marked(fn, t);
	}
	for (uint32_t b = 0; b < fn->nblock; b++) {
		struct ir_block *f = &fn->block[b];
		if (!keep[b])
			continue;
		f->succ[0] = f->succ[keep[b] - 1];
		f->nsucc = 1;
		f->cases = NULL;
		ir_set_op(fn, f->last, IR_br);
		ir_keep_args(&fn->inst[f->last], 0);
	}
}

void cfg_edge_retarget(struct ir_fn *fn, uint32_t from, unsigned succ_index, uint32_t to)
{
	uint32_t old = fn->block[from].succ[succ_index], k = pred_index(fn, from, succ_index);
	struct ir_block *o = &fn->block[old];

	memmove(o->pred + k, o->pred + k + 1, (o->npred - k - 1) * sizeof *o->pred);
	o->npred--;
	fn->block[from].succ[succ_index] = to;
	cfg_pred_add(fn, to, from);
}
