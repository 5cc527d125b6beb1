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

#include <stddef.h>
#include <string.h>

struct loops {
	struct sz *s;
	uint32_t nblock;         /* blocks when the dominators were computed */
	bool *closed;            /* block: its dominator subtree is never left */
	uint32_t *first, *next_header; /* loop tree intervals by header: in, out */
	uint32_t *asked;         /* block: header + 1 for which `answer` holds (all_preds) */
	bool *answer;
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
	bool fine = true;

	if (b < l->nblock && l->asked[b] == h + 1)
		return l->answer[b]; /* a block may be asked for once per edge */
	for (uint32_t k = 0; fine && k < bl->npred; k++)
		fine = contains(l, h, l->s->b[bl->pred[k]].loop);
	if (b < l->nblock) {
		l->asked[b] = h + 1;
		l->answer[b] = fine;
	}
	return fine;
}

/* What is behind an edge out: a target, and what becomes of it. */
enum { SMALL_BLOCKS = 24, SMALL_INSTS = 96 };
struct way_out {
	uint32_t target;
	uint32_t on;           /* where the few blocks behind it go on to, SZ_NONE: it is no such place */
	uint32_t votes;
	bool closed;           /* nothing behind the loop goes there, and it goes nowhere */
	bool stays;
};

struct ways {
	struct way_out *v;
	uint32_t n;
	size_t cap;
};

/* The dominator subtree of t when it is small and without a loop. False: it is not. */
static bool small_subtree(struct loops *l, uint32_t t, struct sz_list *blocks)
{
	struct sz *s = l->s;
	struct ir_fn *fn = s->fn;
	uint32_t insts = 0;

	blocks->n = 0;
	sz_push(s, blocks, t);
	for (uint32_t i = 0; i < blocks->n; i++) {
		uint32_t b = blocks->v[i];
		if (fn->block[b].loop == b)
			return false;
		ir_for_insts(fn, b, id)
			if (++insts > SMALL_INSTS)
				return false;
		for (uint32_t c = s->b[b].child; c != SZ_NONE; c = s->b[c].sibling) {
			if (blocks->n == SMALL_BLOCKS)
				return false;
			sz_push(s, blocks, c);
		}
	}
	return true;
}

/* The one place that the subtree goes on to, or SZ_NONE. */
static uint32_t goes_on_to(struct loops *l, uint32_t t, struct sz_list *blocks)
{
	struct ir_fn *fn = l->s->fn;
	uint32_t on = SZ_NONE;

	if (t >= l->nblock || !small_subtree(l, t, blocks))
		return SZ_NONE;
	for (uint32_t i = 0; i < blocks->n; i++) {
		const struct ir_block *b = &fn->block[blocks->v[i]];
		for (uint32_t k = 0; k < b->nsucc; k++) {
			uint32_t to = b->succ[k];
			if (to < l->nblock && to != t && cfg_dominates(fn, t, to))
				continue;
			if (on != SZ_NONE && on != to)
				return SZ_NONE;
			on = to;
		}
	}
	return on;
}

static struct way_out *way(struct loops *l, struct ways *w, uint32_t target)
{
	struct sz *s = l->s;

	if (!s->b[target].slot) {
		w->v = arena_grow(s->a, w->v, w->n, &w->cap, w->n + (size_t)1, sizeof *w->v);
		w->v[w->n++] = (struct way_out){ .target = target, .on = SZ_NONE };
		s->b[target].slot = w->n;
	}
	return &w->v[s->b[target].slot - 1];
}

static uint32_t size_of(const struct loops *l, uint32_t b)
{
	return b < l->nblock ? l->s->fn->block[b].dom_out - l->s->fn->block[b].dom_in : 0;
}

/* The place that most ways out lead to, at once or over a few blocks: the loop's merge. */
static uint32_t vote(struct loops *l, struct ways *w, uint32_t n)
{
	struct way_out *best = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (w->v[i].on != SZ_NONE)
			way(l, w, w->v[i].on)->votes++;
		w->v[i].votes += !w->v[i].closed;
	}
	for (uint32_t i = 0; i < w->n; i++) {
		struct way_out *o = &w->v[i];
		bool better = !best || o->votes > best->votes ||
			(o->votes == best->votes && size_of(l, o->target) > size_of(l, best->target));
		/* a place of its own wins over one that is only gone on to */
		if (best && o->votes == best->votes && (i < n) != (best - w->v < (ptrdiff_t)n))
			better = i < n;
		if (better)
			best = o;
	}
	return best->target;
}

static void join_loop(struct loops *l, uint32_t h, uint32_t t, struct sz_list *blocks)
{
	struct sz *s = l->s;

	small_subtree(l, t, blocks);
	for (uint32_t i = 0; i < blocks->n; i++)
		s->b[blocks->v[i]].loop = h;
	for (uint32_t i = 0; i < blocks->n; i++)
		for (uint32_t k = 0; k < s->fn->block[blocks->v[i]].nsucc; k++)
			note_exit(l, blocks->v[i], k);
}

static uint32_t list_exits(struct loops *l, uint32_t h, struct sz_edge **out)
{
	struct sz *s = l->s;
	uint32_t n = 0;

	for (uint32_t i = l->tail[h]; i; i = l->link[i - 1].prev)
		n++;
	struct sz_edge *e = arena_array(s->a, struct sz_edge, n + (size_t)1);
	n = 0;
	for (uint32_t i = l->tail[h]; i; i = l->link[i - 1].prev) {
		struct sz_edge x = l->link[i - 1].e;
		/* an edge noted once may lead elsewhere by now */
		if (!contains(l, h, s->b[s->fn->block[x.from].succ[x.k]].loop))
			e[n++] = x;
	}
	*out = e;
	return n;
}

/* Edges out that must go through the merge block. What leads to it over a few blocks stays in the loop, and so do early returns. */
static uint32_t choose_exits(struct loops *l, uint32_t h, struct sz_edge **out)
{
	struct sz *s = l->s;
	struct ir_fn *fn = s->fn;
	struct ways w = { 0 };
	struct sz_list blocks = { 0 };
	struct sz_edge *e;
	uint32_t n = list_exits(l, h, &e), keep = 0;

	if (!n)
		return 0;
	for (uint32_t i = n; i-- > 0;)
		way(l, &w, fn->block[e[i].from].succ[e[i].k]);
	uint32_t direct = w.n;
	for (uint32_t i = 0; i < direct; i++) {
		struct way_out *o = &w.v[i];
		if (!all_preds(l, h, o->target))
			continue;
		o->closed = o->target < l->nblock && l->closed[o->target];
		o->on = o->closed ? SZ_NONE : goes_on_to(l, o->target, &blocks);
		if (o->on != SZ_NONE && contains(l, h, s->b[o->on].loop))
			o->on = SZ_NONE; /* back into the loop: cannot be, but costs nothing to rule out */
	}
	uint32_t to = vote(l, &w, direct);
	for (uint32_t i = 0; i < direct; i++) {
		struct way_out *o = &w.v[i];
		o->stays = o->target != to && (o->closed || o->on == to);
		if (o->stays && !o->closed)
			join_loop(l, h, o->target, &blocks);
	}
	if (to < l->nblock)
		l->asked[to] = 0;
	n = list_exits(l, h, &e);
	for (uint32_t i = n; i-- > 0;) { /* in the order of the text: the list is last first */
		uint32_t slot = s->b[fn->block[e[i].from].succ[e[i].k]].slot;
		if (!slot || !w.v[slot - 1].stays)
			keep++;
	}
	struct sz_edge *going = arena_array(s->a, struct sz_edge, keep + (size_t)1);
	keep = 0;
	for (uint32_t i = n; i-- > 0;) {
		uint32_t slot = s->b[fn->block[e[i].from].succ[e[i].k]].slot;
		if (!slot || !w.v[slot - 1].stays)
			going[keep++] = e[i];
	}
	for (uint32_t i = 0; i < w.n; i++)
		s->b[w.v[i].target].slot = 0;
	*out = going;
	return keep;
}

static void merge_block(struct loops *l, uint32_t h)
{
	struct sz *s = l->s;
	struct ir_fn *fn = s->fn;
	uint32_t parent = fn->block[h].loop_parent;
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
	for (uint32_t b = m; b < fn->nblock; b++) /* blocks before it split edges inside of the loop */
		s->b[b].loop = parent;
	s->b[h].merge = m;
	s->b[m].head = h;
	for (uint32_t b = m; b < fn->nblock; b++)
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
	bool any = s->stale;

	for (uint32_t i = 0; i < fn->nblock; i++) {
		s->b[i].loop = fn->block[i].loop;
		any |= fn->block[i].loop != IR_NO_BLOCK;
	}
	if (!any)
		return;
	sz_clone_loop_exits(s);
	if (s->stale) {
		sz_fresh(s);
		cfg_loops(fn);
	}
	for (uint32_t i = 0; i < fn->nblock; i++)
		s->b[i].loop = fn->block[i].loop;
	l.nblock = fn->nblock;
	l.closed = find_closed(s);
	for (uint32_t i = 0; i < fn->nblock; i++)
		s->b[i].child = s->b[i].sibling = SZ_NONE;
	for (uint32_t i = fn->norder; i-- > 1;) {
		struct sz_block *b = &s->b[fn->order[i]], *p = &s->b[fn->block[fn->order[i]].idom];
		b->sibling = p->child;
		p->child = fn->order[i];
	}
	l.asked = arena_array(s->a, uint32_t, fn->nblock + (size_t)1);
	l.answer = arena_array(s->a, bool, fn->nblock + (size_t)1);
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
