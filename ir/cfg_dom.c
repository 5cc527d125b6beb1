/* Dominators and post-dominators of the control-flow graph. Nothing recurses: block counts come from the guest. */
#include "ir.h"

/* ---- dominators (Lengauer and Tarjan, the simple form: path compression without balancing) */
struct graph {
	uint32_t n, root;
	const uint32_t *succ_off, *succ, *pred_off, *pred; /* succ of i: succ[succ_off[i] .. succ_off[i + 1]] */
};

struct lt {
	const struct graph *g;
	uint32_t *num;    /* node -> DFS number + 1, 0 unreached */
	uint32_t *vertex; /* DFS number -> node */
	/* by DFS number: */
	uint32_t *parent, *ancestor /* number + 1, 0 none */, *label, *semi, *bucket, *bucket_next, *dom, *stack;
	uint32_t count;
};
enum { LT_ARRAYS = 10 };

static void lt_dfs(struct lt *t)
{
	const struct graph *g = t->g;
	uint32_t sp = 0, *cursor = t->dom; /* free until the end */

	t->num[g->root] = 1;
	t->vertex[0] = g->root;
	t->count = 1;
	t->stack[sp++] = 0;
	cursor[0] = g->succ_off[g->root];
	while (sp) {
		uint32_t v = t->stack[sp - 1];
		if (cursor[v] == g->succ_off[t->vertex[v] + 1]) {
			sp--;
			continue;
		}
		uint32_t s = g->succ[cursor[v]++];
		if (t->num[s])
			continue;
		uint32_t k = t->count++;
		t->num[s] = k + 1;
		t->vertex[k] = s;
		t->parent[k] = v;
		cursor[k] = g->succ_off[s];
		t->stack[sp++] = k;
	}
}

/* The vertex of smallest semidominator on the path to v's root in the forest. */
static uint32_t lt_eval(struct lt *t, uint32_t v)
{
	uint32_t sp = 0;

	if (!t->ancestor[v])
		return t->label[v];
	for (uint32_t u = v; t->ancestor[t->ancestor[u] - 1]; u = t->ancestor[u] - 1)
		t->stack[sp++] = u;
	while (sp) {
		uint32_t u = t->stack[--sp], a = t->ancestor[u] - 1;
		if (t->semi[t->label[a]] < t->semi[t->label[u]])
			t->label[u] = t->label[a];
		t->ancestor[u] = t->ancestor[a];
	}
	return t->label[v];
}

static void lt_run(struct lt *t)
{
	const struct graph *g = t->g;

	lt_dfs(t);
	for (uint32_t i = 0; i < t->count; i++)
		t->label[i] = t->semi[i] = i;
	for (uint32_t w = t->count - 1; w > 0; w--) {
		uint32_t node = t->vertex[w], p = t->parent[w];
		for (uint32_t k = g->pred_off[node]; k < g->pred_off[node + 1]; k++) {
			uint32_t v = t->num[g->pred[k]];
			if (!v)
				continue;
			uint32_t u = lt_eval(t, v - 1);
			if (t->semi[u] < t->semi[w])
				t->semi[w] = t->semi[u];
		}
		t->bucket_next[w] = t->bucket[t->semi[w]];
		t->bucket[t->semi[w]] = w;
		t->ancestor[w] = p + 1;
		for (uint32_t v = t->bucket[p]; v; v = t->bucket_next[v]) {
			uint32_t u = lt_eval(t, v);
			t->dom[v] = t->semi[u] < t->semi[v] ? u : p;
		}
		t->bucket[p] = 0;
	}
	t->dom[0] = 0;
	for (uint32_t w = 1; w < t->count; w++)
		if (t->dom[w] != t->semi[w])
			t->dom[w] = t->dom[t->dom[w]];
}

static void lt_init(struct lt *t, const struct graph *g, uint32_t *mem)
{
	uint32_t n = g->n, **arrays[LT_ARRAYS] = { &t->num, &t->vertex, &t->parent, &t->ancestor, &t->label, &t->semi,
		&t->bucket, &t->bucket_next, &t->dom, &t->stack };

	t->g = g;
	for (unsigned i = 0; i < LT_ARRAYS; i++)
		*arrays[i] = mem + (size_t)i * n;
}

static size_t tree_words(const struct ir_fn *fn, size_t *edges)
{
	*edges = 0;
	for (uint32_t i = 0; i < fn->nblock; i++)
		*edges += fn->block[i].nsucc + (size_t)2;
	return (size_t)fn->nblock * (LT_ARRAYS + 2) + 2 + 2 * *edges;
}

/* Dominator tree from the successor lists alone. `structural` adds the edges from a header to its merge and continue block. */
static void tree_run(const struct ir_fn *fn, bool structural, uint32_t *mem, size_t edges, struct cfg_tree *out)
{
	uint32_t n = fn->nblock, ns = 0;
	uint32_t *soff = mem, *poff = soff + n + 1, *succ = poff + n + 1, *pred = succ + edges;
	struct lt t = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		const struct ir_block *b = &fn->block[i];
		soff[i] = ns;
		for (uint32_t k = 0; k < b->nsucc; k++)
			succ[ns++] = b->succ[k];
		if (structural && b->merge && b->merge_block < n)
			succ[ns++] = b->merge_block;
		if (structural && b->merge == MERGE_LOOP && b->continue_block < n)
			succ[ns++] = b->continue_block;
	}
	soff[n] = ns;
	for (uint32_t k = 0; k < ns; k++)
		poff[succ[k] + 1]++;
	for (uint32_t i = 0; i < n; i++)
		poff[i + 1] += poff[i];
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = soff[i]; k < soff[i + 1]; k++)
			pred[poff[succ[k]]++] = i;
	for (uint32_t i = n; i > 0; i--) /* filling moved each offset to the next one's place */
		poff[i] = poff[i - 1];
	poff[0] = 0;
	struct graph g = { n, fn->entry, soff, succ, poff, pred };
	lt_init(&t, &g, pred + edges);
	lt_run(&t);
	for (uint32_t i = 0; i < n; i++)
		out->idom[i] = t.num[i] ? t.vertex[t.dom[t.num[i] - 1]] : IR_NO_BLOCK;
	/* A dominator has the smaller DFS number: sizes bottom up, then intervals top down. Unreached: empty interval. */
	uint32_t *size = t.semi, *next = t.label;
	for (uint32_t i = 0; i < t.count; i++)
		size[i] = 1;
	for (uint32_t i = t.count; i-- > 1;)
		size[t.dom[i]] += size[i];
	for (uint32_t i = 0; i < n; i++) {
		out->in[i] = 1;
		out->out[i] = 0;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		uint32_t start = i ? next[t.dom[i]] : 0;
		out->in[t.vertex[i]] = start;
		out->out[t.vertex[i]] = start + size[i] - 1;
		next[i] = start + 1;
		if (i)
			next[t.dom[i]] += size[i];
	}
}

void cfg_tree(const struct ir_fn *fn, struct arena *scratch, bool structural, struct cfg_tree *out)
{
	size_t edges, words = tree_words(fn, &edges);
	uint32_t n = fn->nblock;

	out->idom = arena_array(scratch, uint32_t, 3 * (size_t)n + 1);
	out->in = out->idom + n;
	out->out = out->in + n;
	tree_run(fn, structural, arena_array(scratch, uint32_t, words), edges, out);
}

/* ---- dominators in one walk over the order: predecessors in front of a block tell its dominator at once. That stands where
 * every way back leads to a block that dominates where it comes from, as in all graphs but those with cycles of two entries. */
enum { MEET_STEPS = 32 }; /* per block, on average: beyond it the other way is the quicker one */

/* The dominators of all blocks in the order without ways back. False: that would take too many steps. */
static bool meet_in_order(struct ir_fn *fn, bool *back)
{
	uint64_t steps = 0, most = (uint64_t)fn->norder * MEET_STEPS;

	*back = false;
	for (uint32_t i = 0; i < fn->nblock; i++) {
		fn->block[i].idom = IR_NO_BLOCK;
		fn->block[i].dom_in = 1; /* unreached: an empty interval */
		fn->block[i].dom_out = 0;
	}
	fn->block[fn->entry].idom = fn->entry;
	for (uint32_t i = 1; i < fn->norder; i++) {
		struct ir_block *b = &fn->block[fn->order[i]];
		uint32_t d = IR_NO_BLOCK;
		for (uint32_t k = 0; k < b->npred; k++) {
			uint32_t p = b->pred[k];
			*back |= fn->block[p].rpo >= i;
			if (fn->block[p].rpo >= i || fn->block[p].idom == IR_NO_BLOCK)
				continue;
			for (d = d == IR_NO_BLOCK ? p : d; d != p; steps++)
				if (fn->block[d].rpo > fn->block[p].rpo)
					d = fn->block[d].idom;
				else
					p = fn->block[p].idom;
			if (steps > most) /* asked here: all blocks may lead to one */
				return false;
		}
		b->idom = d;
	}
	return true;
}

/* Preorder intervals and depths from the dominators: sizes bottom up, then places top down. */
static void number_tree(struct ir_fn *fn)
{
	uint32_t *next = cfg_work(fn, fn->nblock);

	for (uint32_t i = fn->norder; i-- > 0;) {
		struct ir_block *b = &fn->block[fn->order[i]];
		b->dom_out += b->idom != IR_NO_BLOCK;
		if (i && b->idom != IR_NO_BLOCK)
			fn->block[b->idom].dom_out += b->dom_out;
	}
	for (uint32_t i = 0; i < fn->norder; i++) {
		struct ir_block *b = &fn->block[fn->order[i]];
		uint32_t size = b->dom_out, start = 0;
		b->dom_depth = 0;
		if (b->idom == IR_NO_BLOCK)
			continue;
		if (i) {
			b->dom_depth = fn->block[b->idom].dom_depth + 1;
			start = next[b->idom];
			next[b->idom] += size;
		}
		b->dom_in = start;
		b->dom_out = start + size - 1;
		next[fn->order[i]] = start + 1;
	}
}

/* False: the graph is none of those for which it is enough. */
static bool dominators_in_order(struct ir_fn *fn)
{
	bool back;

	if (fn->order[0] != fn->entry || fn->block[fn->entry].npred || !meet_in_order(fn, &back))
		return false;
	number_tree(fn);
	for (uint32_t i = 0; back && i < fn->norder; i++) {
		const struct ir_block *b = &fn->block[fn->order[i]];
		for (uint32_t k = 0; k < b->npred; k++)
			if (fn->block[b->pred[k]].rpo >= i && !cfg_dominates(fn, fn->order[i], b->pred[k]))
				return false;
	}
	return true;
}

void cfg_dominators(struct ir_fn *fn)
{
	if (fn->nblock == 1) {
		fn->block[0].idom = fn->block[0].dom_in = fn->block[0].dom_out = fn->block[0].dom_depth = 0;
		return;
	}
	if (dominators_in_order(fn))
		return;
	size_t edges, words = tree_words(fn, &edges);
	uint32_t n = fn->nblock, *mem = cfg_work(fn, words + 3 * (size_t)n);
	struct cfg_tree t = { mem + words, mem + words + n, mem + words + 2 * (size_t)n };

	tree_run(fn, false, mem, edges, &t);
	for (uint32_t i = 0; i < n; i++) {
		fn->block[i].idom = t.idom[i];
		fn->block[i].dom_in = 1;
		fn->block[i].dom_out = 0;
	}
	number_tree(fn);
}

uint32_t *cfg_preorder(const struct ir_fn *fn, struct arena *scratch)
{
	uint32_t *list = arena_array_raw(scratch, uint32_t, fn->norder);

	for (uint32_t i = 0; i < fn->norder; i++)
		list[fn->block[fn->order[i]].dom_in] = fn->order[i];
	return list;
}

bool cfg_dominates(const struct ir_fn *fn, uint32_t a, uint32_t b)
{
	const struct ir_block *x = &fn->block[a], *y = &fn->block[b];

	return y->dom_in >= x->dom_in && y->dom_in <= x->dom_out;
}

/* ---- post-dominators */
/* Against the order, where every way leads on in it: of blocks behind a block all is known. False: the graph is none of those, or it
 * takes too many steps. IR_NO_BLOCK stands for the common exit, behind all. */
static bool meet_against_order(const struct ir_fn *fn, uint32_t *ipdom)
{
	uint64_t steps = 0, most = (uint64_t)fn->norder * MEET_STEPS;

	for (uint32_t i = fn->norder; i-- > 0;) {
		const struct ir_block *b = &fn->block[fn->order[i]];
		uint32_t d = b->nsucc ? b->succ[0] : IR_NO_BLOCK;
		for (uint32_t k = 0; k < b->nsucc; k++) {
			uint32_t s = b->succ[k];
			if (fn->block[s].rpo <= i || steps > most)
				return false;
			for (; d != s; steps++)
				if (d != IR_NO_BLOCK && (s == IR_NO_BLOCK || fn->block[d].rpo < fn->block[s].rpo))
					d = ipdom[d];
				else
					s = ipdom[s];
		}
		ipdom[fn->order[i]] = d;
	}
	return true;
}

static void postdominators(const struct ir_fn *fn, struct arena *scratch, uint32_t *out)
{
	uint32_t n = fn->nblock, ns = 0, np = 0;
	size_t edges = 0;

	for (uint32_t i = 0; i < n; i++)
		edges += fn->block[i].nsucc + (size_t)fn->block[i].npred + 2;
	/* Node n is the common exit; edges are reversed. */
	uint32_t *mem = arena_array(scratch, uint32_t, (size_t)(n + 1) * (LT_ARRAYS + 3) + 4 + edges);
	uint32_t *soff = mem, *poff = soff + n + 2, *succ = poff + n + 2, *pred;
	for (uint32_t i = 0; i < n; i++) {
		soff[i] = ns;
		for (uint32_t k = 0; k < fn->block[i].npred; k++)
			succ[ns++] = fn->block[i].pred[k];
	}
	soff[n] = ns;
	for (uint32_t i = 0; i < n; i++)
		if (!fn->block[i].dead && !fn->block[i].nsucc)
			succ[ns++] = i;
	soff[n + 1] = ns;
	pred = succ + ns;
	for (uint32_t i = 0; i < n; i++) {
		poff[i] = np;
		for (uint32_t k = 0; k < fn->block[i].nsucc; k++)
			pred[np++] = fn->block[i].succ[k];
		if (!fn->block[i].dead && !fn->block[i].nsucc)
			pred[np++] = n;
	}
	poff[n] = poff[n + 1] = np;
	struct graph g = { n + 1, n, soff, succ, poff, pred };
	struct lt t = { 0 };
	lt_init(&t, &g, pred + np);
	lt_run(&t);
	for (uint32_t i = 0; i < n; i++) {
		out[i] = t.num[i] ? t.vertex[t.dom[t.num[i] - 1]] : IR_NO_BLOCK;
		if (out[i] == n)
			out[i] = IR_NO_BLOCK;
	}
}

uint32_t *cfg_postdominators(const struct ir_fn *fn, struct arena *scratch)
{
	uint32_t *ipdom = arena_array_raw(scratch, uint32_t, fn->nblock);

	for (uint32_t i = 0; i < fn->nblock; i++)
		ipdom[i] = IR_NO_BLOCK;
	if (!meet_against_order(fn, ipdom))
		postdominators(fn, scratch, ipdom);
	return ipdom;
}
