/* structurize_scope.c - decides which construct each block heads and which holds it, from the root of the structural tree down.
 *
 * A block's children are of three kinds: *inline* ones, reached from it alone; *labels*, which several blocks branch to; and a loop
 * header's merge and continue blocks. The first label is the merge of the block's own selection. Each further one, which more of
 * the code below may want to reach, is the merge of a switch with a single case, put around:
 *
 *	b0: brc %a, b1, b3                b0: br w                        (labels: b3, then b4)
 *	b1: brc %b, b2, b3                w:  selection(b4) sw 0, else: c
 *	b2: br b4                         c:  selection(b3) brc %a, b1, b3
 *	b3: br b4                         b1: brc %b, b2, b3              (leaves the selection)
 *	b4: ret                           b2: br b4                       (breaks from the switch)
 *	                                  b3: br b4
 *	                                  b4: ret
 *
 * Whether a branch may then really leave as it wants is looked at afterwards (structurize_exit.c).
 */
#include "structurize.h"

struct scopes {
	struct sz *s;
	struct sz_leaves leaves;
	struct sz_list stack;
	struct sz_list labels, sides; /* of the block at hand */
};

uint32_t sz_construct_new(struct sz *s, enum sz_kind kind, uint32_t parent, uint32_t header, uint32_t merge)
{
	s->c = arena_grow(s->a, s->c, s->nc, &s->c_cap, s->nc + (size_t)1, sizeof *s->c);
	s->c[s->nc] = (struct sz_construct){ .kind = kind, .parent = parent, .header = header, .merge = merge, .cont = SZ_NONE };
	if (merge != SZ_NONE && (kind == SZ_SELECTION || kind == SZ_SWITCH))
		s->b[merge].label = s->nc;
	return s->nc++;
}

static uint32_t size_of(const struct sz *s, uint32_t b)
{
	return s->b[b].out - s->b[b].in;
}

/* What a conditional branch without labels needs. */
struct shape {
	bool construct;
	uint32_t merge;  /* SZ_NONE, or the side that follows the selection */
};

static struct shape two_sides(struct scopes *z, uint32_t x, uint32_t a, uint32_t b)
{
	struct sz *s = z->s;
	unsigned la = sz_leaves_above(&z->leaves.labels[a], s->b[x].depth), lb = sz_leaves_above(&z->leaves.labels[b], s->b[x].depth);

	/* The side that never goes to a label (it returns, or breaks from a loop) is inside, the other one follows. */
	if (!la && !lb) {
		la = sz_leaves_above(&z->leaves.all[a], s->b[x].depth);
		lb = sz_leaves_above(&z->leaves.all[b], s->b[x].depth);
	}
	if (!la == !lb)
		return (struct shape){ true, size_of(s, a) < size_of(s, b) ? b : a };
	return (struct shape){ true, la ? a : b };
}

static struct shape no_label(struct scopes *z, uint32_t x, uint32_t cur)
{
	struct sz *s = z->s;
	const struct ir_block *bl = &s->fn->block[x];

	if (s->fn->inst[bl->last].op == IR_sw)
		return (struct shape){ true, SZ_NONE };
	uint32_t a = bl->succ[0], b = bl->succ[1];
	bool ia = sz_is_inline(s, x, a), ib = sz_is_inline(s, x, b);
	if (ia && ib)
		return two_sides(z, x, a, b);
	uint32_t in = ia ? a : b, to = ia ? b : a;
	/* One side leaves: the other needs no construct where that is the end of the selection around, or for a loop's header. */
	if ((!ia && !ib) || s->b[x].cont != SZ_NONE ||
	    (cur != SZ_NONE && s->c[cur].kind == SZ_SELECTION && s->c[cur].merge == to))
		return (struct shape){ false, SZ_NONE };
	return (struct shape){ true, in };
}

static void branch_to(struct sz *s, uint32_t from, uint32_t to, bool as_switch)
{
	struct ir_fn *fn = s->fn;

	fn->at = from;
	fn->before = 0;
	fn->flags = 0;
	fn->addr = DIAG_NO_ADDR;
	if (as_switch)
		ir_sw(fn, ir_const(fn, IR_I32, 0), 0, NULL, NULL, to);
	else
		ir_br(fn, to);
}

/* Puts switches between x and its branch, one for each label but the first, the last label outermost. Returns the innermost;
 * *from is the block that goes on from there. */
static uint32_t wrap(struct sz *s, uint32_t x, const struct sz_list *labels, uint32_t cur, uint32_t *from)
{
	for (uint32_t i = labels->n; i-- > 1;) {
		uint32_t w = sz_block_new(s, SZ_NONE);
		branch_to(s, *from, w, *from != x);
		s->b[labels->v[i]].outer = cur;
		s->b[w].outer = cur;
		cur = s->b[w].own = sz_construct_new(s, SZ_SWITCH, cur, w, labels->v[i]);
		*from = w;
	}
	return cur;
}

static void conditional(struct scopes *z, uint32_t x, uint32_t cur)
{
	struct sz *s = z->s;
	struct ir_fn *fn = s->fn;
	struct sz_list *labels = &z->labels, *sides = &z->sides;
	struct shape shape = { true, SZ_NONE };
	bool is_sw = fn->inst[fn->block[x].last].op == IR_sw;

	labels->n = sides->n = 0;
	for (uint32_t c = s->b[x].child; c != SZ_NONE; c = s->b[c].sibling)
		if (s->b[c].head == SZ_NONE)
			sz_push(s, sz_is_inline(s, x, c) ? sides : labels, c);
	if (labels->n)
		shape.merge = labels->v[0];
	else
		shape = no_label(z, x, cur);
	s->b[x].own = cur;
	for (uint32_t i = 0; i < sides->n; i++)
		s->b[sides->v[i]].outer = cur;
	if (!shape.construct)
		return;
	uint32_t head = x;
	if (labels->n > 1 || s->b[x].cont != SZ_NONE) {
		uint32_t from = x;
		head = ir_split(fn, fn->block[x].last);
		sz_adopt(s);
		cur = wrap(s, x, labels, cur, &from);
		branch_to(s, from, head, from != x);
		s->b[head].outer = cur;
	}
	uint32_t c = s->b[head].own = sz_construct_new(s, is_sw ? SZ_SWITCH : SZ_SELECTION, cur, head, shape.merge);
	for (uint32_t i = 0; i < sides->n; i++)
		s->b[sides->v[i]].outer = c;
	if (shape.merge != SZ_NONE)
		s->b[shape.merge].outer = cur;
}

static void visit(struct scopes *z, uint32_t x)
{
	struct sz *s = z->s;
	uint32_t cur = s->b[x].outer, h = x;
	unsigned op = s->fn->inst[s->fn->block[x].last].op;

	if (s->b[h].cont != SZ_NONE) {
		uint32_t l = sz_construct_new(s, SZ_LOOP, cur, h, s->b[h].merge);
		uint32_t c = sz_construct_new(s, SZ_CONTINUE, l, h, s->b[h].merge); /* always the loop's successor in the list */
		s->c[l].cont = s->b[h].cont;
		s->b[s->b[h].cont].outer = c;
		if (s->b[h].merge != SZ_NONE)
			s->b[s->b[h].merge].outer = cur;
		cur = l;
	}
	if (op == IR_brc || op == IR_sw) {
		conditional(z, x, cur);
	} else {
		s->b[x].own = cur;
		for (uint32_t c = s->b[x].child; c != SZ_NONE; c = s->b[c].sibling)
			if (s->b[c].head == SZ_NONE)
				s->b[c].outer = cur;
	}
	for (uint32_t c = s->b[x].child; c != SZ_NONE; c = s->b[c].sibling)
		sz_push(s, &z->stack, c);
}

void sz_scopes(struct sz *s, struct sz_leaves leaves)
{
	struct scopes z = { .s = s, .leaves = leaves };

	sz_push(s, &z.stack, s->fn->entry);
	while (z.stack.n)
		visit(&z, z.stack.v[--z.stack.n]);
}
