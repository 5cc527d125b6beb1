/* structurize_exit.c - makes every branch out of a construct one that SPIR-V allows.
 *
 * From anywhere in a selection one may go to the merge of the innermost switch and to the merge and continue block of the innermost
 * loop, but to the merge of a selection only from right inside of it. For a branch that wants more:
 *  - a shared return gets a copy on the spot;
 *  - a selection that is left from nested ones becomes a switch with a single case around a selection with a merge of its own
 *    (or its merge becomes the loop's continue block, where it is the end of the loop's body);
 *  - a branch that would leave two switches leaves the inner one, with a state that says where to go on behind it.
 */
#include "structurize.h"

struct exits {
	struct sz *s;
	uint32_t round;
	struct route { uint32_t sw; struct sz_edge e; uint32_t next; } *route;
	uint32_t nroute;
	size_t cap;
	bool stuck;
};

/* Innermost loop and switch of a construct: looked up along the parents, remembered for this round. */
static void place(struct exits *x, uint32_t c, struct sz_list *path)
{
	struct sz *s = x->s;

	path->n = 0;
	for (; c != SZ_NONE && s->c[c].round != x->round; c = s->c[c].parent)
		sz_push(s, path, c);
	while (path->n) {
		struct sz_construct *k = &s->c[path->v[--path->n]];
		const struct sz_construct *p = k->parent == SZ_NONE ? NULL : &s->c[k->parent];
		uint32_t self = path->v[path->n];
		bool loop = k->kind == SZ_LOOP || k->kind == SZ_CONTINUE;
		k->loop = loop ? self : p ? p->loop : SZ_NONE;
		k->sw = k->kind == SZ_SWITCH ? self : loop || !p ? SZ_NONE : p->sw;
		k->round = x->round;
	}
}

static bool allowed(const struct sz *s, uint32_t c, uint32_t t)
{
	if (c == SZ_NONE || s->b[t].outer == c)
		return true; /* not out of a construct */
	const struct sz_construct *k = &s->c[c], *l = k->loop == SZ_NONE ? NULL : &s->c[k->loop];
	if (l && (t == l->merge || (l->kind == SZ_LOOP && t == l->cont) || (k == l && l->kind == SZ_CONTINUE && t == l->header)))
		return true;
	if (k->kind == SZ_LOOP || k->kind == SZ_CONTINUE)
		return false;
	return t == k->merge || (k->sw != SZ_NONE && t == s->c[k->sw].merge);
}

/* Is switch `sw` (around construct c) inside of construct d? Both lie on c's way out. */
static bool switch_between(const struct sz *s, uint32_t c, uint32_t d)
{
	uint32_t sw = s->c[c].sw;

	if (sw == SZ_NONE || sw == d)
		return false;
	/* d is further out than sw unless it lies between c and sw: walk the shorter, usually tiny, way */
	for (; c != sw; c = s->c[c].parent)
		if (c == d)
			return false;
	return true;
}

/* ---- copies of shared returns */
static void copy_exit(struct sz *s, struct sz_edge e)
{
	struct ir_fn *fn = s->fn;
	uint32_t t = sz_clone_exit(s, e), own = s->b[e.from].own;

	s->b[t].outer = s->b[t].own = own;
	/* a branch that needed no construct because this side left one may need it now */
	if (fn->inst[fn->block[e.from].last].op != IR_brc || own != s->b[e.from].outer)
		return;
	uint32_t other = fn->block[e.from].succ[1 - e.k];
	if (s->b[other].outer == own) {
		s->b[e.from].own = sz_construct_new(s, SZ_SELECTION, own, e.from, other);
		s->b[t].outer = s->b[t].own = s->b[e.from].own;
	}
}

/* ---- lifting a selection's merge */

/* The edges to a merge block from right inside its construct. */
static uint32_t direct_edges(struct sz *s, uint32_t d, uint32_t y, struct sz_edge **out)
{
	struct ir_fn *fn = s->fn;
	const struct ir_block *b = &fn->block[y];
	struct sz_edge *e = NULL;
	uint32_t n = 0;
	size_t cap = 0;

	for (uint32_t i = 0; i < b->npred; i++) {
		uint32_t p = b->pred[i];
		if ((d != SZ_NONE && s->b[p].own != d) || s->b[p].count)
			continue;
		s->b[p].count = 1;
		for (uint32_t k = 0; k < fn->block[p].nsucc; k++)
			if (fn->block[p].succ[k] == y) {
				e = arena_grow(s->a, e, n, &cap, n + (size_t)1, sizeof *e);
				e[n++] = (struct sz_edge){ p, k };
			}
	}
	for (uint32_t i = 0; i < b->npred; i++)
		s->b[b->pred[i]].count = 0;
	*out = e;
	return n;
}

/* Is y the end of the loop body: nothing but itself goes to the loop's empty continue block? */
static bool ends_body(const struct sz *s, uint32_t d, uint32_t y)
{
	uint32_t l = s->c[d].loop;
	const struct ir_block *b = &s->fn->block[y];

	if (l == SZ_NONE || s->c[l].kind != SZ_LOOP || b->nsucc != 1 || b->succ[0] != s->c[l].cont)
		return false;
	return s->fn->block[b->succ[0]].npred == 1 && s->b[y].own == s->b[y].outer && s->b[y].cont == SZ_NONE;
}

static void lift(struct sz *s, uint32_t d)
{
	struct ir_fn *fn = s->fn;
	uint32_t y = s->c[d].merge, h = s->c[d].header, outer = s->c[d].parent;
	struct sz_edge *e;
	uint32_t n = direct_edges(s, d, y, &e), m = n ? sz_funnel(s, e, n) : SZ_NONE;

	s->c[d].lift = false;
	s->c[d].merge = m;
	s->b[y].label = SZ_NONE;
	if (ends_body(s, d, y)) {
		uint32_t l = s->c[d].loop;
		s->c[l].cont = y;
		s->b[y].outer = s->b[y].own = l + 1;
	} else {
		uint32_t w = sz_construct_new(s, SZ_SWITCH, outer, h, y), x = ir_split(fn, fn->block[h].last);
		sz_adopt(s);
		fn->at = h;
		fn->before = 0;
		fn->flags = 0;
		fn->addr = DIAG_NO_ADDR;
		ir_sw(fn, ir_const(fn, IR_I32, 0), 0, NULL, NULL, x);
		s->b[h].own = w;
		s->b[x].outer = w;
		s->b[x].own = d;
		s->c[d].header = x;
		s->c[d].parent = outer = w;
	}
	if (m != SZ_NONE) {
		s->b[m].outer = s->b[m].own = outer;
		s->b[m].label = d;
	}
}

/* ---- leaving one switch at a time */
static void place_node(struct sz *s, uint32_t node, uint32_t outer, bool follows)
{
	const struct ir_block *b = &s->fn->block[node];

	s->b[node].outer = s->b[node].own = outer;
	if (b->nsucc != 2 || !follows)
		return;
	/* the first side leaves; where that is the end of the selection around, no construct is needed */
	if (outer != SZ_NONE && s->c[outer].kind == SZ_SELECTION && s->c[outer].merge == b->succ[0])
		return;
	s->b[node].own = sz_construct_new(s, SZ_SELECTION, outer, node, b->succ[1]);
}

static void route(struct exits *x, uint32_t sw, const struct sz_edge *far, uint32_t nfar)
{
	struct sz *s = x->s;
	uint32_t y = s->c[sw].merge, outer = s->c[sw].parent, n = 0;
	struct sz_edge *near = NULL;
	struct sz_list nodes = { 0 };

	if (y != SZ_NONE)
		n = direct_edges(s, SZ_NONE, y, &near);
	struct sz_edge *all = arena_array(s->a, struct sz_edge, n + nfar);
	for (uint32_t i = 0; i < nfar; i++)
		all[i] = far[i];
	for (uint32_t i = 0; i < n; i++)
		all[nfar + i] = near[i];
	uint32_t m = sz_dispatch(s, all, n + nfar, true, &nodes);
	if (y != SZ_NONE)
		s->b[y].label = SZ_NONE;
	s->c[sw].merge = m;
	for (uint32_t i = 0; i < nodes.n; i++)
		place_node(s, nodes.v[i], outer, i + 1 < nodes.n || n);
	s->b[m].label = sw;
}

static bool route_all(struct exits *x)
{
	struct sz *s = x->s;
	uint32_t *first = arena_array(s->a, uint32_t, s->nc + (size_t)1), nc = s->nc;

	if (!x->nroute)
		return false;
	for (uint32_t i = x->nroute; i-- > 0;) {
		x->route[i].next = first[x->route[i].sw];
		first[x->route[i].sw] = i + 1;
	}
	for (uint32_t c = 0; c < nc; c++) {
		uint32_t n = 0;
		if (!first[c])
			continue;
		for (uint32_t i = first[c]; i; i = x->route[i - 1].next)
			n++;
		struct sz_edge *e = arena_array(s->a, struct sz_edge, n);
		n = 0;
		for (uint32_t i = first[c]; i; i = x->route[i - 1].next)
			e[n++] = x->route[i - 1].e;
		route(x, c, e, n);
	}
	x->nroute = 0;
	return true;
}

/* ---- rounds */
static void judge(struct exits *x, struct sz_edge e)
{
	struct sz *s = x->s;
	uint32_t t = s->fn->block[e.from].succ[e.k], c = s->b[e.from].own, d = s->b[t].label;

	if (allowed(s, c, t))
		return;
	if (sz_tiny_exit(s, t)) {
		copy_exit(s, e);
	} else if (d == SZ_NONE) {
		x->stuck = true;
	} else if (s->c[d].kind == SZ_SELECTION && !switch_between(s, c, d)) {
		s->c[d].lift = true;
	} else if (s->c[c].sw == SZ_NONE) {
		x->stuck = true;
	} else {
		x->route = arena_grow(s->a, x->route, x->nroute, &x->cap, x->nroute + (size_t)1, sizeof *x->route);
		x->route[x->nroute++] = (struct route){ s->c[c].sw, e, 0 };
	}
}

bool sz_exits(struct sz *s)
{
	struct exits x = { .s = s };
	struct sz_list path = { 0 };

	for (bool again = true; again && !x.stuck;) {
		uint32_t n = s->fn->nblock, nc = s->nc;
		again = false;
		x.round++;
		x.nroute = 0;
		for (uint32_t c = 0; c < nc; c++)
			place(&x, c, &path);
		for (uint32_t b = 0; b < n; b++)
			for (uint32_t k = 0; k < s->fn->block[b].nsucc; k++)
				judge(&x, (struct sz_edge){ b, k });
		for (uint32_t c = 0; c < nc && !x.stuck; c++)
			if (s->c[c].lift) {
				lift(s, c);
				again = true;
			}
		if (!again && !x.stuck)
			again = route_all(&x);
	}
	return !x.stuck;
}
