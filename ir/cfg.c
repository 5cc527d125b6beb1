/* Control-flow graph: order, dominators, loops, edge surgery. Nothing recurses: block counts come from the guest. */
#include "ir.h"

#include <string.h>

static uint32_t *work(struct ir_fn *fn, size_t n)
{
	if (n > fn->work_cap) {
		fn->work_cap = 0;
		fn->work = arena_grow(fn->arena, NULL, 0, &fn->work_cap, n + n / 2, sizeof *fn->work);
	}
	memset(fn->work, 0, n * sizeof *fn->work);
	return fn->work;
}

/* ---- order */
static void keep_args(struct ir_inst *phi, unsigned n)
{
	if (phi->nargs8 == 255)
		phi->x.count = n;
	else
		phi->nargs8 = (uint8_t)n;
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
		fn->order = arena_grow(fn->arena, NULL, 0, &fn->order_cap, n + n / 2u, sizeof *fn->order);
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
	uint32_t *next = work(fn, fn->nblock);

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
	if (dominators_in_order(fn))
		return;
	size_t edges, words = tree_words(fn, &edges);
	uint32_t n = fn->nblock, *mem = work(fn, words + 3 * (size_t)n);
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

uint32_t *cfg_postdominators(struct ir_fn *fn, struct arena *scratch)
{
	uint32_t n = fn->nblock, ns = 0, np = 0;
	size_t edges = 0;

	for (uint32_t i = 0; i < n; i++)
		edges += fn->block[i].nsucc + (size_t)fn->block[i].npred + 2;
	/* Node n is the common exit; edges are reversed. */
	uint32_t *mem = arena_array(scratch, uint32_t, (size_t)(n + 1) * (LT_ARRAYS + 3) + 4 + edges);
	uint32_t *out = arena_array(scratch, uint32_t, n ? n : 1);
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
	return out;
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
	uint32_t *up = work(fn, 2 * (size_t)fn->nblock), *stack = up + fn->nblock;

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
	uint32_t *rank = work(fn, fn->nblock); /* as which of the block's entries among its target's predecessors the edge stands */

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
		fn->inst[f->last].nargs8 = 0;
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
