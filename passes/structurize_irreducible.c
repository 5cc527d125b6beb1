/* structurize_irreducible.c - gives every cycle a single entry.
 *
 * A strongly connected region with several entries gets a dispatcher: every edge to an entry, from outside and from within, goes
 * to one new block, whose state phi says which entry is meant. The region then is a loop around the dispatcher; what it holds is
 * looked at again without the edges that go back to it. Reducible graphs are not touched.
 */
#include "structurize.h"

#include <string.h>

struct region { uint32_t *v, n; };

struct irreducible {
	struct sz *s;
	uint32_t *in;           /* block -> number of the region that is being looked at, 0 none; by block, grown */
	uint32_t *low, *num, *comp;
	size_t cap;
	uint32_t now;           /* the current region's number */
	struct region *stack;   /* regions still to look at */
	uint32_t nstack;
	size_t stack_cap;
};

static void reserve(struct irreducible *r)
{
	uint32_t n = r->s->fn->nblock;
	size_t cap = r->cap;

	if (n <= cap)
		return;
	cap = n + n / 2;
	uint32_t **arrays[4] = { &r->in, &r->low, &r->num, &r->comp };
	for (unsigned i = 0; i < 4; i++) {
		uint32_t *neu = arena_array(r->s->a, uint32_t, cap);
		if (r->cap)
			memcpy(neu, *arrays[i], r->cap * sizeof *neu);
		*arrays[i] = neu;
	}
	r->cap = cap;
}

static void push_region(struct irreducible *r, uint32_t *v, uint32_t n)
{
	r->stack = arena_grow(r->s->a, r->stack, r->nstack, &r->stack_cap, r->nstack + (size_t)1, sizeof *r->stack);
	r->stack[r->nstack++] = (struct region){ v, n };
}

/* Tarjan on the blocks of the current region, without recursion. Components come out in `list`, split by `sizes`. */
static void components(struct irreducible *r, const struct region *g, struct sz_list *list, struct sz_list *sizes)
{
	struct ir_fn *fn = r->s->fn;
	uint32_t *open = arena_array(r->s->a, uint32_t, g->n), *path = arena_array(r->s->a, uint32_t, g->n);
	uint32_t *cursor = r->comp, nopen = 0, sp = 0, next = 0;
	const uint32_t closed = UINT32_MAX;

	for (uint32_t i = 0; i < g->n; i++)
		r->num[g->v[i]] = cursor[g->v[i]] = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		if (r->num[g->v[i]])
			continue;
		path[sp++] = g->v[i];
		while (sp) {
			uint32_t b = path[sp - 1];
			if (!r->num[b]) {
				r->num[b] = r->low[b] = ++next;
				open[nopen++] = b;
			}
			if (cursor[b] < fn->block[b].nsucc) {
				uint32_t t = fn->block[b].succ[cursor[b]++];
				if (r->in[t] != r->now || r->num[t] == closed)
					continue;
				if (!r->num[t])
					path[sp++] = t;
				else if (r->num[t] < r->low[b])
					r->low[b] = r->num[t];
				continue;
			}
			sp--;
			if (sp && r->low[b] < r->low[path[sp - 1]])
				r->low[path[sp - 1]] = r->low[b];
			if (r->low[b] != r->num[b])
				continue;
			uint32_t size = 0, m;
			do {
				m = open[--nopen];
				r->num[m] = closed;
				sz_push(r->s, list, m);
				size++;
			} while (m != b);
			sz_push(r->s, sizes, size);
		}
	}
}

struct edges { struct sz_edge *v; uint32_t n; size_t cap; };

static void edges_to(struct sz *s, uint32_t t, struct edges *e)
{
	struct ir_fn *fn = s->fn;
	const struct ir_block *b = &fn->block[t];

	for (uint32_t k = 0; k < b->npred; k++) {
		uint32_t p = b->pred[k];
		if (s->b[p].count)
			continue; /* a predecessor with several edges: all were taken */
		s->b[p].count = 1;
		for (uint32_t q = 0; q < fn->block[p].nsucc; q++)
			if (fn->block[p].succ[q] == t) {
				e->v = arena_grow(s->a, e->v, e->n, &e->cap, e->n + (size_t)1, sizeof *e->v);
				e->v[e->n++] = (struct sz_edge){ p, q };
			}
	}
	for (uint32_t k = 0; k < b->npred; k++)
		s->b[b->pred[k]].count = 0;
}

/* A component that is a cycle: find its entries, give it a dispatcher if there are several, and look into it later. */
static void cycle(struct irreducible *r, const uint32_t *v, uint32_t n)
{
	struct sz *s = r->s;
	struct ir_fn *fn = s->fn;
	uint32_t entries = 0, keep = 0, *inner = arena_array(s->a, uint32_t, n);
	struct edges edges = { 0 };

	r->now++;
	for (uint32_t i = 0; i < n; i++)
		r->in[v[i]] = r->now;
	for (uint32_t i = 0; i < n; i++) {
		const struct ir_block *b = &fn->block[v[i]];
		bool entry = false;
		for (uint32_t k = 0; k < b->npred; k++)
			entry |= r->in[b->pred[k]] != r->now;
		s->b[v[i]].slot = entry;
		entries += entry;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool entry = s->b[v[i]].slot;
		if (entries > 1 || !entry)
			inner[keep++] = v[i];
		if (entry && entries > 1)
			edges_to(s, v[i], &edges);
	}
	for (uint32_t i = 0; i < n; i++)
		s->b[v[i]].slot = 0;
	if (entries > 1) {
		sz_dispatch(s, edges.v, edges.n, false, NULL);
		reserve(r);
	}
	if (keep > 1)
		push_region(r, inner, keep);
}

void sz_irreducible(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	struct irreducible r = { .s = s };

	sz_fresh(s);
	if (cfg_loops(fn))
		return;
	reserve(&r);
	uint32_t *all = arena_array(s->a, uint32_t, fn->norder);
	memcpy(all, fn->order, fn->norder * sizeof *all);
	push_region(&r, all, fn->norder);
	while (r.nstack) {
		struct region g = r.stack[--r.nstack];
		struct sz_list list = { 0 }, sizes = { 0 };
		r.now++;
		for (uint32_t i = 0; i < g.n; i++)
			r.in[g.v[i]] = r.now;
		components(&r, &g, &list, &sizes);
		for (uint32_t i = 0, at = 0; i < sizes.n; at += sizes.v[i++])
			if (sizes.v[i] > 1)
				cycle(&r, list.v + at, sizes.v[i]);
	}
	sz_fresh(s);
	cfg_loops(fn);
}
