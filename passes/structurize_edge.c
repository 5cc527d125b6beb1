/* structurize_edge.c - surgery: several edges through one new block, phis included. */
#include "structurize.h"

#include <string.h>

void sz_adopt(struct sz *s)
{
	s->stale |= s->n && s->n < s->fn->nblock;
	s->b = arena_grow(s->a, s->b, s->n, &s->cap, s->fn->nblock, sizeof *s->b);
	for (; s->n < s->fn->nblock; s->n++) {
		struct sz_block *b = &s->b[s->n];
		memset(b, 0, sizeof *b);
		b->merge = b->cont = b->head = b->loop = b->parent = b->child = b->sibling = SZ_NONE;
		b->outer = b->own = b->label = b->from = SZ_NONE;
	}
}

uint32_t sz_block_new(struct sz *s, uint32_t loop)
{
	uint32_t b = ir_block_new(s->fn);

	sz_adopt(s);
	s->b[b].loop = loop;
	return b;
}

/* An edge on its way into the dispatcher. A conditional branch whose two sides both go there becomes one edge. */
struct way {
	struct sz_edge e;
	uint32_t of, of2;       /* target numbers; equal for a plain edge */
	ir_id cond;             /* chooses `of`, else `of2`; 0 for a plain edge */
};

struct dispatch {
	struct sz *s;
	struct way *w;
	uint32_t n;
	struct sz_list target;
	uint32_t *start, *from; /* per target: blocks whose edges lead to it, from[start[j]] .. from[start[j + 1]] */
	uint32_t node;
};

/* One phi of a target: takes the operands of the edges out, and returns what the new block hands on instead. */
static ir_id join_phi(struct dispatch *d, uint32_t j, ir_id phi, const bool *taken)
{
	struct sz *s = d->s;
	struct ir_fn *fn = s->fn;
	const struct ir_block *t = &fn->block[d->target.v[j]];
	ir_id *args = ir_args(fn, phi), same = 0;
	unsigned keep = 0;
	bool uniform = true;

	for (uint32_t i = 0; i < t->npred; i++) {
		if (!taken[i]) {
			args[keep++] = args[i];
			continue;
		}
		s->b[t->pred[i]].value = args[i];
		uniform &= !same || same == args[i];
		same = args[i];
	}
	ir_keep_args(&fn->inst[phi], keep);
	if (uniform)
		return same;
	ir_type type = fn->inst[phi].type;
	ir_id undef = ir_undef(fn, type), neu = ir_phi(fn, d->node, type);
	for (uint32_t i = 0; i < d->n; i++)
		ir_phi_add(fn, neu, d->w[i].of == j || d->w[i].of2 == j ? s->b[d->w[i].e.from].value : undef);
	return neu;
}

/* Takes target j's edges away from it. Returns, per phi of the target, the value that comes from the new block. */
static ir_id *detach(struct dispatch *d, uint32_t j)
{
	struct sz *s = d->s;
	struct ir_fn *fn = s->fn;
	uint32_t t = d->target.v[j], nphi = 0, keep = 0;
	bool *taken = arena_array(s->a, bool, fn->block[t].npred + (size_t)1);

	for (uint32_t i = d->start[j]; i < d->start[j + 1]; i++)
		s->b[d->from[i]].count++;
	for (uint32_t i = 0; i < fn->block[t].npred; i++)
		if (s->b[fn->block[t].pred[i]].count) {
			s->b[fn->block[t].pred[i]].count--;
			taken[i] = true;
		}
	for (ir_id id = fn->block[t].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		nphi++;
	ir_id *value = arena_array(s->a, ir_id, nphi + (size_t)1);
	nphi = 0;
	for (ir_id id = fn->block[t].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		value[nphi++] = join_phi(d, j, id, taken);
	struct ir_block *b = &fn->block[t];
	for (uint32_t i = 0; i < b->npred; i++)
		if (!taken[i])
			b->pred[keep++] = b->pred[i];
	b->npred = keep;
	return value;
}

static void attach(struct dispatch *d, uint32_t j, const ir_id *value)
{
	struct ir_fn *fn = d->s->fn;
	uint32_t n = 0;

	for (ir_id id = fn->block[d->target.v[j]].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next)
		ir_phi_add(fn, id, value[n++]);
}

/* Branches on the state: targets lo..hi-1 are still possible at block `at`. */
static void branch(struct dispatch *d, ir_id state, uint32_t loop, bool chain, ir_id *const *value, struct sz_list *nodes)
{
	struct sz *s = d->s;
	struct ir_fn *fn = s->fn;
	struct range { uint32_t block, lo, hi; } *stack = arena_array(s->a, struct range, d->target.n + (size_t)1);
	uint32_t sp = 0;

	stack[sp++] = (struct range){ d->node, 0, d->target.n };
	while (sp) {
		struct range r = stack[--sp];
		uint32_t mid = chain ? r.lo + 1 : r.lo + (r.hi - r.lo) / 2, side[2];
		struct range half[2] = { { 0, r.lo, mid }, { 0, mid, r.hi } };
		if (nodes)
			sz_push(s, nodes, r.block);
		for (unsigned i = 0; i < 2; i++) {
			bool leaf = half[i].hi - half[i].lo == 1;
			side[i] = half[i].block = leaf ? d->target.v[half[i].lo] : sz_block_new(s, loop);
			if (!leaf)
				stack[sp++] = half[i];
		}
		fn->at = r.block;
		ir_id cond = d->target.n == 2 ? state : ir_op2(fn, IR_ult, IR_B1, state, ir_const(fn, IR_I32, mid));
		ir_brc(fn, cond, side[0], side[1]);
		for (unsigned i = 0; i < 2; i++)
			if (half[i].hi - half[i].lo == 1)
				attach(d, half[i].lo, value[half[i].lo]);
	}
}

static uint32_t target_number(struct dispatch *d, uint32_t t)
{
	struct sz *s = d->s;

	if (!s->b[t].slot) {
		sz_push(s, &d->target, t);
		s->b[t].slot = d->target.n;
	}
	return s->b[t].slot - 1;
}

/* A switch with edges to several of the targets: a block on each edge, as the edges carry different states. */
static struct sz_edge split_edge(struct sz *s, struct sz_edge e)
{
	struct ir_fn *fn = s->fn;
	uint32_t t = fn->block[e.from].succ[e.k], b = sz_block_new(s, s->b[e.from].loop);
	struct ir_block *bl = &fn->block[t];

	s->b[b].outer = s->b[b].own = s->b[e.from].own;
	fn->block[e.from].succ[e.k] = b;
	cfg_pred_add(fn, b, e.from);
	for (uint32_t k = 0; k < bl->npred; k++)
		if (bl->pred[k] == e.from) {
			bl->pred[k] = b;
			break;
		}
	fn->at = b;
	ir_op0(fn, IR_br, IR_VOID);
	struct ir_block *nb = &fn->block[b];
	nb->succ = arena_grow(fn->arena, nb->succ, 0, &nb->succ_cap, 1, sizeof *nb->succ);
	nb->succ[nb->nsucc++] = t;
	return (struct sz_edge){ b, 0 };
}

static void gather(struct dispatch *d, const struct sz_edge *e, uint32_t n)
{
	struct sz *s = d->s;
	struct ir_fn *fn = s->fn;

	d->w = arena_array(s->a, struct way, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = e[i].from, of = target_number(d, fn->block[from].succ[e[i].k]), first = s->b[from].count;
		struct sz_edge way = e[i];
		if (first && fn->inst[fn->block[from].last].op == IR_brc) {
			struct way *w = &d->w[first - 1];
			w->cond = fn->inst[fn->block[from].last].a[0];
			w->of2 = of;
			if (w->e.k) { /* seen the other way round */
				w->of2 = w->of;
				w->of = of;
			}
			continue;
		}
		if (first && d->w[first - 1].of != of)
			way = split_edge(s, way);
		else
			s->b[from].count = d->n + 1;
		d->w[d->n++] = (struct way){ way, of, of, 0 };
	}
	for (uint32_t i = 0; i < n; i++)
		s->b[e[i].from].count = 0;
	for (uint32_t j = 0; j < d->target.n; j++)
		s->b[d->target.v[j]].slot = 0;
}

static void by_target(struct dispatch *d)
{
	uint32_t nt = d->target.n;

	d->start = arena_array(d->s->a, uint32_t, nt + (size_t)2);
	d->from = arena_array(d->s->a, uint32_t, 2 * (size_t)d->n);
	for (uint32_t i = 0; i < d->n; i++) {
		d->start[d->w[i].of + 1]++;
		if (d->w[i].cond)
			d->start[d->w[i].of2 + 1]++;
	}
	for (uint32_t j = 0; j < nt; j++)
		d->start[j + 1] += d->start[j];
	uint32_t *at = arena_array(d->s->a, uint32_t, nt);
	memcpy(at, d->start, nt * sizeof *at);
	for (uint32_t i = 0; i < d->n; i++) {
		d->from[at[d->w[i].of]++] = d->w[i].e.from;
		if (d->w[i].cond)
			d->from[at[d->w[i].of2]++] = d->w[i].e.from;
	}
}

static void enter(struct dispatch *d)
{
	struct ir_fn *fn = d->s->fn;

	for (uint32_t i = 0; i < d->n; i++) {
		struct ir_block *b = &fn->block[d->w[i].e.from];
		if (d->w[i].cond) {
			ir_set_op(fn, b->last, IR_br);
			ir_keep_args(&fn->inst[b->last], 0);
			b->nsucc = 1;
			d->w[i].e.k = 0;
		}
		b->succ[d->w[i].e.k] = d->node;
		cfg_pred_add(fn, d->node, d->w[i].e.from);
	}
}

static ir_id make_state(struct dispatch *d)
{
	struct ir_fn *fn = d->s->fn;
	ir_type type = d->target.n == 2 ? IR_B1 : IR_I32;
	ir_id state = ir_phi(fn, d->node, type);

	for (uint32_t i = 0; i < d->n; i++) {
		const struct way *w = &d->w[i];
		ir_id a = ir_const(fn, type, type == IR_B1 ? !w->of : w->of);
		if (w->of != w->of2) {
			ir_id b = ir_const(fn, type, type == IR_B1 ? !w->of2 : w->of2);
			fn->before = fn->block[w->e.from].last;
			a = ir_op3(fn, IR_select, type, w->cond, a, b);
			fn->before = 0;
		}
		ir_phi_add(fn, state, a);
	}
	return state;
}

uint32_t sz_dispatch(struct sz *s, const struct sz_edge *e, uint32_t n, bool chain, struct sz_list *nodes)
{
	struct ir_fn *fn = s->fn;
	uint32_t loop = s->b[e[0].from].loop;
	struct dispatch d = { .s = s };

	fn->before = 0;
	fn->flags = 0;
	fn->addr = DIAG_NO_ADDR;
	gather(&d, e, n);
	d.node = sz_block_new(s, loop); /* after the blocks that split edges: callers tell them apart by number */
	by_target(&d);
	ir_id **value = arena_array(s->a, ir_id *, d.target.n);
	for (uint32_t j = 0; j < d.target.n; j++)
		value[j] = detach(&d, j);
	enter(&d);
	if (d.target.n == 1) {
		fn->at = d.node;
		ir_br(fn, d.target.v[0]);
		attach(&d, 0, value[0]);
		if (nodes)
			sz_push(s, nodes, d.node);
		return d.node;
	}
	s->crossed = true;
	branch(&d, make_state(&d), loop, chain, value, nodes);
	return d.node;
}

uint32_t sz_funnel(struct sz *s, const struct sz_edge *e, uint32_t n)
{
	return sz_dispatch(s, e, n, false, NULL);
}

bool sz_tiny_exit(const struct sz *s, uint32_t block)
{
	ir_id first = s->fn->block[block].first;
	unsigned op = s->fn->inst[first].op;

	return op == IR_ret || op == IR_unreachable;
}

static uint32_t exit_copy(struct sz *s, uint32_t old)
{
	struct ir_fn *fn = s->fn;
	uint32_t neu = sz_block_new(s, s->b[old].loop);

	fn->at = neu;
	fn->before = 0;
	fn->flags = 0;
	fn->addr = fn->inst[fn->block[old].first].addr;
	ir_op0(fn, fn->inst[fn->block[old].first].op, IR_VOID);
	fn->block[neu].addr = fn->block[old].addr;
	return neu;
}

uint32_t sz_clone_exit(struct sz *s, struct sz_edge e)
{
	uint32_t neu = exit_copy(s, s->fn->block[e.from].succ[e.k]);

	cfg_edge_retarget(s->fn, e.from, e.k, neu);
	return neu;
}

/* One sweep per block: a return may be shared by very many. */
void sz_clone_loop_exits(struct sz *s)
{
	struct ir_fn *fn = s->fn;

	for (uint32_t i = 0, n = fn->nblock; i < n; i++) {
		uint32_t keep = 0, count = fn->block[i].npred;
		if (fn->block[i].dead || count < 2 || !sz_tiny_exit(s, i))
			continue;
		for (uint32_t k = 0; k < count; k++) {
			uint32_t p = fn->block[i].pred[k], q = 0;
			if (s->b[p].loop == s->b[i].loop) {
				fn->block[i].pred[keep++] = p;
				continue;
			}
			while (fn->block[p].succ[q] != i)
				q++;
			uint32_t neu = exit_copy(s, i);
			fn->block[p].succ[q] = neu;
			cfg_pred_add(fn, neu, p);
		}
		fn->block[i].npred = keep;
	}
}
