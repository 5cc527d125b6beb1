/* structurize_loop.c - brings every loop into SPIR-V's form: one edge into the header, one continue block with the only edge back,
 * one merge block for all edges out.
 *
 * Before                                   After
 *   b1: brc %a, b2, b5      (header)         b1: brc %a, b2, b6          b6: phi of the way out   (merge)
 *   b2: brc %b, b3, b4                       b2: brc %b, b3, b6              brc, b4, b5
 *   b3: br b1                                b3: br b7
 *                                            b7: br b1                   (continue)
 *
 * Where all edges out lead to one block that nothing else reaches, that block is the merge. A way out that never comes back to
 * the rest of the program (an early return) stays inside of the loop. Only several ways out that go on differently need a state.
 */
#include "structurize.h"

#include <string.h>

struct loops {
	struct sz *s;
	uint32_t nblock;         /* blocks when the dominators were computed */
	bool *closed;            /* block: its dominator subtree is never left */
	uint32_t *first, *next_header; /* loop tree intervals by header: in, out */
	uint32_t *tail;          /* by loop header: last edge out of the loop, as index + 1 into `link`; chained */
	struct link { struct sz_edge e; uint32_t prev; } *link;
	uint32_t nlink;
	size_t link_cap;
};

/* ---- subtrees that are never left */
static bool *find_closed(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t *escape = arena_array(s->a, uint32_t, fn->nblock + (size_t)1); /* depth that the subtree's edges come up to */
	bool *closed = arena_array(s->a, bool, fn->nblock + (size_t)1);

	for (uint32_t i = 0; i < fn->nblock; i++)
		escape[i] = UINT32_MAX;
	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t b = fn->order[i];
		const struct ir_block *bl = &fn->block[b];
		for (uint32_t k = 0; k < bl->nsucc; k++) {
			const struct ir_block *t = &fn->block[bl->succ[k]];
			uint32_t d = cfg_dominates(fn, bl->succ[k], b) ? t->dom_depth : fn->block[t->idom].dom_depth;
			if (d < escape[b])
				escape[b] = d;
		}
		closed[b] = escape[b] >= bl->dom_depth;
		if (i && escape[b] < escape[bl->idom])
			escape[bl->idom] = escape[b];
	}
	return closed;
}

/* ---- the loop tree */
static bool contains(const struct loops *l, uint32_t header, uint32_t loop)
{
	return loop != SZ_NONE && l->first[loop] >= l->first[header] && l->first[loop] <= l->next_header[header];
}

static void loop_tree(struct loops *l)
{
	struct ir_fn *fn = l->s->fn;
	uint32_t *size = arena_array(l->s->a, uint32_t, fn->nblock + (size_t)1), top = 0;

	l->first = arena_array(l->s->a, uint32_t, fn->nblock + (size_t)1);
	l->next_header = arena_array(l->s->a, uint32_t, fn->nblock + (size_t)1);
	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t h = fn->order[i];
		if (fn->block[h].loop != h)
			continue;
		size[h]++;
		if (fn->block[h].loop_parent != IR_NO_BLOCK)
			size[fn->block[h].loop_parent] += size[h];
	}
	for (uint32_t i = 0; i < fn->norder; i++) {
		uint32_t h = fn->order[i], p = fn->block[h].loop_parent, total = size[h];
		if (fn->block[h].loop != h)
			continue;
		l->first[h] = p == IR_NO_BLOCK ? top : size[p];
		l->next_header[h] = l->first[h] + total - 1;
		if (p == IR_NO_BLOCK)
			top += total;
		else
			size[p] += total;
		size[h] = l->first[h] + 1; /* where the next inner loop's interval starts */
	}
}

static void note_exit(struct loops *l, uint32_t from, uint32_t k)
{
	uint32_t h = l->s->b[from].loop;

	if (h == SZ_NONE || contains(l, h, l->s->b[l->s->fn->block[from].succ[k]].loop))
		return;
	l->link = arena_grow(l->s->a, l->link, l->nlink, &l->link_cap, l->nlink + (size_t)1, sizeof *l->link);
	l->link[l->nlink] = (struct link){ { from, k }, l->tail[h] };
	l->tail[h] = ++l->nlink;
}

/* ---- one loop */
static bool all_preds(const struct loops *l, uint32_t h, uint32_t b)
{
	const struct ir_block *bl = &l->s->fn->block[b];

	for (uint32_t k = 0; k < bl->npred; k++)
		if (!contains(l, h, l->s->b[bl->pred[k]].loop))
			return false;
	return true;
}

static bool may_stay(const struct loops *l, uint32_t h, uint32_t t)
{
	return t < l->nblock && l->closed[t] && cfg_dominates(l->s->fn, h, t);
}

static uint32_t subtree(const struct loops *l, uint32_t b)
{
	return l->s->fn->block[b].dom_out - l->s->fn->block[b].dom_in;
}

/* Edges out that must go through the merge block. An early return stays; when there is nothing else, the largest goes. */
static uint32_t choose_exits(struct loops *l, uint32_t h, struct sz_edge **out)
{
	struct ir_fn *fn = l->s->fn;
	uint32_t n = 0, going = 0, largest = SZ_NONE;

	for (uint32_t i = l->tail[h]; i; i = l->link[i - 1].prev)
		n++;
	struct sz_edge *e = arena_array(l->s->a, struct sz_edge, n + (size_t)1);
	uint32_t at = n;
	for (uint32_t i = l->tail[h]; i; i = l->link[i - 1].prev)
		e[--at] = l->link[i - 1].e;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t t = fn->block[e[i].from].succ[e[i].k];
		bool stays = may_stay(l, h, t);
		going += !stays;
		if (stays && (largest == SZ_NONE || subtree(l, t) > subtree(l, largest)))
			largest = t;
	}
	uint32_t keep = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t t = fn->block[e[i].from].succ[e[i].k];
		if (going ? !may_stay(l, h, t) : t == largest)
			e[keep++] = e[i];
	}
	*out = e;
	return keep;
}

static void merge_block(struct loops *l, uint32_t h)
{
	struct sz *s = l->s;
	struct ir_fn *fn = s->fn;
	uint32_t parent = fn->block[h].loop_parent, before = fn->nblock;
	struct sz_edge *e;
	uint32_t n = choose_exits(l, h, &e);

	if (!n)
		return;
	uint32_t t = fn->block[e[0].from].succ[e[0].k];
	bool one = true;
	for (uint32_t i = 1; i < n; i++)
		one &= fn->block[e[i].from].succ[e[i].k] == t;
	/* a block that lies outside of further loops needs one merge per loop on the way */
	if (one && all_preds(l, h, t) && s->b[t].loop == parent) {
		s->b[h].merge = t;
		s->b[t].head = h;
		return;
	}
	uint32_t m = sz_dispatch(s, e, n, false, NULL);
	for (uint32_t b = before; b < fn->nblock; b++)
		s->b[b].loop = parent;
	s->b[h].merge = m;
	s->b[m].head = h;
	for (uint32_t b = before; b < fn->nblock; b++)
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++)
			note_exit(l, b, k);
}

/* The edges into the header from inside (back) or from outside. */
static uint32_t header_edges(struct loops *l, uint32_t h, bool back, struct sz_edge **out)
{
	struct sz *s = l->s;
	struct ir_fn *fn = s->fn;
	const struct ir_block *b = &fn->block[h];
	struct sz_edge *e = NULL;
	uint32_t n = 0;
	size_t cap = 0;

	for (uint32_t i = 0; i < b->npred; i++) {
		uint32_t p = b->pred[i];
		if (contains(l, h, s->b[p].loop) != back || s->b[p].count)
			continue;
		s->b[p].count = 1;
		for (uint32_t k = 0; k < fn->block[p].nsucc; k++)
			if (fn->block[p].succ[k] == h) {
				e = arena_grow(s->a, e, n, &cap, n + (size_t)1, sizeof *e);
				e[n++] = (struct sz_edge){ p, k };
			}
	}
	for (uint32_t i = 0; i < b->npred; i++)
		s->b[b->pred[i]].count = 0;
	*out = e;
	return n;
}

static void header(struct loops *l, uint32_t h)
{
	struct sz *s = l->s;
	struct sz_edge *e;
	uint32_t n = header_edges(l, h, true, &e), c = sz_funnel(s, e, n);

	s->b[c].loop = h;
	s->b[c].head = h;
	s->b[h].cont = c;
	n = header_edges(l, h, false, &e);
	if (n > 1) {
		c = sz_funnel(s, e, n);
		s->b[c].loop = s->fn->block[h].loop_parent;
	}
}

void sz_loops(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	struct loops l = { .s = s };

	for (uint32_t i = 0; i < fn->nblock; i++)
		s->b[i].loop = fn->block[i].loop;
	sz_clone_loop_exits(s);
	cfg_order(fn);
	cfg_dominators(fn);
	cfg_loops(fn);
	for (uint32_t i = 0; i < fn->nblock; i++)
		s->b[i].loop = fn->block[i].loop;
	l.nblock = fn->nblock;
	l.closed = find_closed(s);
	l.tail = arena_array(s->a, uint32_t, fn->nblock + (size_t)1);
	loop_tree(&l);
	uint32_t n = fn->norder, *order = arena_array(s->a, uint32_t, n);
	memcpy(order, fn->order, n * sizeof *order);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < fn->block[order[i]].nsucc; k++)
			note_exit(&l, order[i], k);
	/* inner loops come later in the order than the loops around them */
	for (uint32_t i = n; i-- > 0;)
		if (fn->block[order[i]].loop == order[i]) {
			merge_block(&l, order[i]);
			header(&l, order[i]);
		}
}
