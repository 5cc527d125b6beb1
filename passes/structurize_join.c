/* structurize_join.c - the structural tree, and merge blocks where both sides of a branch go on to one place further out.
 *
 * Before                              After
 *   b0: brc %a, b1, b5                  b0: brc %a, b1, b5
 *   b1: brc %b, b2, b5                  b1: brc %b, b2, b3
 *   b2: br b5                           b2: br b3
 *   b5: ret                             b3: br b5            (merge of b1)
 *                                       b5: ret              (merge of b0)
 *
 * The structural tree is the dominator tree, except that a loop's merge and continue blocks hang on its header. Subtrees are
 * contiguous in preorder, so when blocks are visited in reverse preorder, the edges that a subtree sends to a block are the last
 * that were seen: they stand on top of that block's stack, and each is moved to a new merge block at most once per level that
 * really gets one. New blocks and phis are made at the end, one sweep per target.
 */
#include "structurize.h"

#include <string.h>

/* ---- the tree */
void sz_fresh(struct sz *s)
{
	if (!s->stale)
		return;
	cfg_order(s->fn);
	cfg_dominators(s->fn);
	s->stale = false;
}

static uint32_t only_pred(const struct sz *s, uint32_t t)
{
	const struct ir_block *b = &s->fn->block[t];
	uint32_t from = SZ_NONE;

	for (uint32_t k = 0; k < b->npred; k++) {
		uint32_t p = b->pred[k];
		if (p == from || s->b[p].head == t) /* a loop's own way back does not count */
			continue;
		if (from != SZ_NONE)
			return SZ_NONE;
		from = p;
	}
	return from;
}

void sz_tree(struct sz *s)
{
	struct ir_fn *fn = s->fn;

	sz_fresh(s);
	for (uint32_t i = 0; i < fn->norder; i++) {
		struct sz_block *b = &s->b[fn->order[i]];
		uint32_t h = b->head;
		b->parent = !i ? SZ_NONE : h != SZ_NONE ? h : fn->block[fn->order[i]].idom;
		b->depth = i ? s->b[b->parent].depth + 1 : 0;
		b->child = b->sibling = SZ_NONE;
		b->out = 1; /* size, for now */
		b->from = only_pred(s, fn->order[i]);
	}
	for (uint32_t i = fn->norder; i-- > 1;) {
		struct sz_block *b = &s->b[fn->order[i]], *p = &s->b[b->parent];
		p->out += b->out;
		b->sibling = p->child;
		p->child = fn->order[i];
	}
	/* `in` of a block whose children are not placed yet is where the next child starts, less one */
	for (uint32_t i = 0; i < fn->norder; i++) {
		struct sz_block *b = &s->b[fn->order[i]];
		uint32_t at = i ? b->in : 0, size = b->out;
		b->in = at;
		b->out = at + size - 1;
		at++;
		for (uint32_t c = b->child; c != SZ_NONE; c = s->b[c].sibling) {
			s->b[c].in = at;
			at += s->b[c].out;
		}
	}
}

/* Children that several blocks branch to. */
unsigned sz_labels(const struct sz *s, uint32_t x)
{
	unsigned n = 0;

	for (uint32_t c = s->b[x].child; c != SZ_NONE; c = s->b[c].sibling)
		n += s->b[c].head == SZ_NONE && !sz_is_inline(s, x, c);
	return n;
}

/* ---- where subtrees go on to */
#define NO_LEAVES { { SZ_NONE, SZ_NONE }, { UINT32_MAX, UINT32_MAX } }

/* t hangs on a block of depth `at`. */
static inline void leave_add(struct sz_leave *l, uint32_t t, uint32_t at)
{
	if (t == l->t[0] || t == l->t[1])
		return;
	if (at < l->at[0]) {
		*l = (struct sz_leave){ { t, l->t[0] }, { at, l->at[0] } };
	} else if (at < l->at[1]) {
		l->t[1] = t;
		l->at[1] = at;
	}
}

/* The edge back into a loop header is nobody's exit. */
static bool goes_back(const struct sz *s, uint32_t from, uint32_t t)
{
	return s->b[from].head == t && s->b[t].cont == from;
}

/* A loop's merge and continue blocks are no labels. */
static bool is_label(const struct sz *s, uint32_t t)
{
	return s->b[t].head == SZ_NONE;
}

static inline void hand_up(const struct sz *s, struct sz_leave *l, uint32_t b)
{
	for (unsigned k = 0; k < 2 && l[b].at[k] < s->b[b].depth; k++) /* the second is not nearer to the root */
		leave_add(&l[s->b[b].parent], l[b].t[k], l[b].at[k]);
}

static struct sz_leaves leaves_of(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	size_t n = fn->nblock + (size_t)1;
	struct sz_leaves l = { .all = arena_array_raw(s->a, struct sz_leave, n) };
	bool heads = false;

	for (uint32_t i = 0; i < fn->nblock; i++) {
		l.all[i] = (struct sz_leave)NO_LEAVES;
		heads |= s->b[i].head != SZ_NONE;
	}
	l.labels = l.all; /* without a loop they are the same */
	if (heads) {
		l.labels = arena_array_raw(s->a, struct sz_leave, n);
		memcpy(l.labels, l.all, n * sizeof *l.all);
	}
	/* children follow their parents in the order */
	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t b = fn->order[i];
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
			uint32_t t = fn->block[b].succ[k];
			if (t == fn->entry || goes_back(s, b, t))
				continue;
			leave_add(&l.all[b], t, s->b[t].depth - 1);
			if (heads && is_label(s, t))
				leave_add(&l.labels[b], t, s->b[t].depth - 1);
		}
		if (!i)
			break;
		hand_up(s, l.all, b);
		if (heads)
			hand_up(s, l.labels, b);
	}
	return l;
}

/* ---- joins */
struct item { /* an edge, or a new merge block (from == SZ_NONE), on its way to a target */
	struct sz_edge e;
	uint32_t in, next;     /* preorder number; next item + 1 of the stack, or of the new block that took it */
	uint32_t first, block; /* new blocks: their items, last seen first; the block */
	uint32_t target;
};

struct joins {
	struct sz *s;
	struct item *item;
	uint32_t n;
	size_t cap;
	uint32_t *top;          /* per target: item + 1 */
	struct sz_leaves leaves;
	struct sz_list made;    /* items that are new blocks, inner ones first */
};

static uint32_t item_new(struct joins *j, struct item it)
{
	j->item = arena_grow(j->s->a, j->item, j->n, &j->cap, j->n + (size_t)1, sizeof *j->item);
	j->item[j->n] = it;
	it.next = j->top[it.target];
	j->item[j->n].next = it.next;
	j->top[it.target] = ++j->n;
	return j->n;
}

/* The branch's sides: what they leave to, beyond x itself. */
static struct sz_leave sides(const struct joins *j, uint32_t x, const struct sz_leave *of, bool labels_only)
{
	const struct sz *s = j->s;
	struct sz_leave l = NO_LEAVES;
	const struct ir_block *b = &s->fn->block[x];

	for (uint32_t k = 0; k < b->nsucc; k++) {
		uint32_t t = b->succ[k];
		if (!sz_is_inline(s, x, t)) {
			if (!goes_back(s, x, t) && (!labels_only || is_label(s, t)))
				leave_add(&l, t, s->b[t].depth - 1);
			continue;
		}
		for (unsigned i = 0; i < 2; i++)
			if (of[t].at[i] <= s->b[x].depth)
				leave_add(&l, of[t].t[i], of[t].at[i]);
	}
	return l;
}

static bool direct(const struct sz *s, uint32_t x, uint32_t t)
{
	for (uint32_t k = 0; k < s->fn->block[x].nsucc; k++)
		if (s->fn->block[x].succ[k] == t)
			return true;
	return false;
}

static void take(struct joins *j, uint32_t x, uint32_t t)
{
	struct sz *s = j->s;
	struct item it = { { SZ_NONE, 0 }, s->b[x].in, 0, 0, SZ_NONE, t };
	uint32_t i;

	while ((i = j->top[t]) != 0 && j->item[i - 1].in <= s->b[x].out) {
		j->top[t] = j->item[i - 1].next;
		j->item[i - 1].next = it.first;
		it.first = i;
	}
	sz_push(s, &j->made, item_new(j, it) - 1);
}

static unsigned count_items(const struct joins *j, uint32_t x, uint32_t t)
{
	unsigned n = 0;

	for (uint32_t i = j->top[t]; i && j->item[i - 1].in <= j->s->b[x].out && n < 2; i = j->item[i - 1].next)
		n++;
	return n;
}

static void visit(struct joins *j, uint32_t x)
{
	struct sz *s = j->s;
	struct ir_fn *fn = s->fn;
	const struct ir_block *b = &fn->block[x];
	unsigned op = fn->inst[b->last].op, inlined = 0;

	for (uint32_t k = b->nsucc; k-- > 0;)
		if (b->succ[k] != fn->entry && !goes_back(s, x, b->succ[k]) && !sz_is_inline(s, x, b->succ[k]))
			item_new(j, (struct item){ { x, k }, s->b[x].in, 0, 0, SZ_NONE, b->succ[k] });
	for (uint32_t k = 0; k < b->nsucc; k++)
		inlined += sz_is_inline(s, x, b->succ[k]);
	if ((op != IR_brc && op != IR_sw) || !inlined || sz_labels(s, x))
		return;
	struct sz_leave all = sides(j, x, j->leaves.all, false), labels = sides(j, x, j->leaves.labels, true);
	uint32_t t = all.t[1] == SZ_NONE ? all.t[0] : labels.t[1] == SZ_NONE ? labels.t[0] : SZ_NONE;
	if (t == SZ_NONE)
		return;
	unsigned n = count_items(j, x, t);
	bool far = s->b[t].head != SZ_NONE; /* a loop's merge or continue block: may be gone to from anywhere inside */
	if (n >= 2 || (n == 1 && !far && (op == IR_sw || direct(s, x, t))))
		take(j, x, t);
}

/* Makes the block of a new item and points its items at it. */
static void make(struct joins *j, uint32_t index)
{
	struct sz *s = j->s;
	struct ir_fn *fn = s->fn;
	struct item *it = &j->item[index];
	uint32_t b = sz_block_new(s, s->b[it->target].loop);

	it->block = b;
	it->e = (struct sz_edge){ b, 0 };
	fn->at = b;
	fn->before = 0;
	fn->flags = 0;
	fn->addr = DIAG_NO_ADDR;
	ir_br(fn, it->target); /* the target's predecessors are set anew later */
	for (uint32_t i = it->first; i; i = j->item[i - 1].next) {
		struct sz_edge e = j->item[i - 1].e;
		fn->block[e.from].succ[e.k] = b;
		cfg_pred_add(fn, b, e.from);
	}
}

/* One phi of a target: an operand per item, joined in the new blocks on the way. `value` of a block is what it hands on. */
static void thread_phi(struct joins *j, uint32_t t, ir_id phi, uint32_t npred, const uint32_t *made, uint32_t nmade)
{
	struct sz *s = j->s;
	struct ir_fn *fn = s->fn;
	const ir_id *args = ir_args(fn, phi);
	uint32_t n = 0;

	for (uint32_t k = 0; k < npred; k++)
		s->b[fn->block[t].pred[k]].value = args[k];
	for (uint32_t m = 0; m < nmade; m++) {
		const struct item *it = &j->item[made[m]];
		const struct ir_block *b = &fn->block[it->block];
		ir_id same = s->b[b->pred[0]].value;
		for (uint32_t k = 0; k < b->npred; k++)
			if (s->b[b->pred[k]].value != same)
				same = 0;
		if (!same) {
			same = ir_phi(fn, it->block, fn->inst[phi].type);
			for (uint32_t k = 0; k < b->npred; k++)
				ir_phi_add(fn, same, s->b[b->pred[k]].value);
		}
		s->b[it->block].value = same;
	}
	/* at most as many as before */
	ir_id *to = ir_args(fn, phi);
	for (uint32_t i = j->top[t]; i; i = j->item[i - 1].next)
		to[n++] = s->b[j->item[i - 1].e.from].value;
	ir_keep_args(&fn->inst[phi], n);
}

static void finish_target(struct joins *j, uint32_t t, const uint32_t *made, uint32_t nmade, uint32_t npred)
{
	struct ir_fn *fn = j->s->fn;
	uint32_t n = 0;

	for (ir_id id = fn->block[t].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		thread_phi(j, t, id, npred, made, nmade);
	for (uint32_t i = j->top[t]; i; i = j->item[i - 1].next)
		fn->block[t].pred[n++] = j->item[i - 1].e.from;
	fn->block[t].npred = n;
}

struct sz_leaves sz_joins(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	struct joins j = { .s = s };
	uint32_t n = fn->norder, *pre = arena_array(s->a, uint32_t, n + (size_t)1);

	j.top = arena_array(s->a, uint32_t, fn->nblock + (size_t)1);
	j.leaves = leaves_of(s);
	for (uint32_t i = 0; i < n; i++)
		pre[s->b[fn->order[i]].in] = fn->order[i];
	for (uint32_t i = n; i-- > 0;)
		visit(&j, pre[i]);
	if (!j.made.n)
		return j.leaves;
	/* new blocks by target, inner ones first */
	uint32_t *npred = arena_array(s->a, uint32_t, fn->nblock + (size_t)1), *list = arena_array(s->a, uint32_t, j.made.n + 1u);
	uint32_t *start = arena_array(s->a, uint32_t, fn->nblock + (size_t)2), nblock = fn->nblock;
	for (uint32_t i = 0; i < nblock; i++)
		npred[i] = fn->block[i].npred;
	for (uint32_t i = 0; i < j.made.n; i++)
		start[j.item[j.made.v[i]].target + 2]++;
	for (uint32_t i = 0; i < nblock; i++)
		start[i + 2] += start[i + 1];
	for (uint32_t i = 0; i < j.made.n; i++) {
		list[start[j.item[j.made.v[i]].target + 1]++] = j.made.v[i];
		make(&j, j.made.v[i]);
	}
	for (uint32_t t = 0; t < nblock; t++)
		if (start[t + 1] > start[t])
			finish_target(&j, t, list + start[t], start[t + 1] - start[t], npred[t]);
	sz_tree(s);
	return leaves_of(s);
}
