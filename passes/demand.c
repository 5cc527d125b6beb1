/* demand.c - what is demanded, and in which lanes: dead code goes, and so does a masked write whose other lanes nobody looks at.
 *
 *     %2 = select %m, %new, %old            (select gone)
 *     %3 = fadd %2, %x                      %3 = fadd %new, %x
 *     stout %m, %3                          stout %m, %3
 *
 * Guest vector instructions keep the old register in lanes that are off. Where every use of the result is an effect
 * under a mask that implies the write's own, those lanes do not matter. Backwards over the blocks, each value gets
 * the mask under which all its uses want it: none (unused), one mask, or any lane. A mask implies its own conjuncts
 * and that its quad has a lane like that, and excludes what they negate. Lane-wise ops hand their demand down; whatever looks at other lanes, decides
 * control flow or comes round a loop (where a mask of another trip could be meant, unless it is made in front) wants every lane. Needs grow from
 * none to a fixed point: one sweep sees all uses of a value before the value itself, but for what comes round a loop. A branch
 * refines them: over an edge that only lanes without a bit walk, a value wanted under that bit is wanted by none.
 *
 * What is wanted by none in the end is dead, the selects that are gone and what only they looked at with it.
 */
#include "dce.h"

#include <string.h>

enum pass_result demand_run(struct pass_ctx *ctx);

#define EVERY UINT32_MAX

/* What is known of a b1 value in every lane that walks an edge, and what that makes of a need. */
struct edge {
	ir_id fact;           /* the value, 0: nothing is known */
	bool set, back;       /* back: it closes a loop */
	uint32_t need, under; /* as over_edge was asked last, and said */
};

struct demand {
	struct ir_fn *fn;
	struct edge *edge;  /* the edges to blocks with phis, in the order of their predecessors */
	uint32_t *first;    /* per block with phis: the first of its own */
	struct { uint32_t need, mask; unsigned side; } chosen; /* as side_of was asked last, and said */
	uint32_t *need; /* per value: 0 no use yet, a mask's id, or EVERY */
	uint32_t *told; /* per value: the need that was handed down already */
	uint32_t again; /* sweep again from this place in the order (+ 1): a value there is wanted more */
	bool repeated;  /* a sweep was */
	bool revised;   /* and less is wanted by something than it had wanted before: more than that may be dead */
	ir_id *dead;    /* what nothing wanted when the first sweep came to it */
	uint32_t ndead;
	struct arena *scratch;
	ir_id *found;   /* selects of which one side is taken, and phis that get nothing over some edge, as it seemed on the way */
	uint32_t nfound;
	size_t found_cap;
};

static bool made_implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth);
static bool quad_implied(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth);

/* Lane by lane, is b set wherever a is? */
static inline bool implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	unsigned op = fn->inst[a].op;

	return a == b || (depth && (op == IR_iand || op == IR_phi) && fn->inst[a].type == IR_B1 && made_implies(fn, a, b, depth)) ||
	       (depth && fn->inst[b].op == IR_quadany && quad_implied(fn, a, b, depth));
}

/* A lane is one of its quad. */
static bool quad_implied(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	return implies(fn, a, fn->inst[b].a[0], depth - 1);
}

/* A mask that only shrinks round its loop implies what it implied on the way in, if that is the same on every trip. */
static bool phi_implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	unsigned n = ir_nargs(fn, a);
	uint32_t at = fn->inst[b].block;

	if (n > 4 || at == IR_NO_BLOCK || at == fn->inst[a].block || !cfg_dominates(fn, at, fn->inst[a].block))
		return false; /* (a constant is in no block) */
	for (unsigned k = 0; k < n; k++) {
		ir_id from = ir_args(fn, a)[k];
		if (!implies(fn, from, a, depth) && !implies(fn, from, b, depth))
			return false;
	}
	return true;
}

/* The same for a conjunction or a phi. */
static bool made_implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[a];

	if (i->op == IR_phi)
		return depth > 3 && phi_implies(fn, a, b, depth - 4);
	return implies(fn, i->a[0], b, depth - 1) || implies(fn, i->a[1], b, depth - 1);
}

/* Lane by lane, is b clear wherever a is set? */
static bool excludes(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[a];

	if (fn->inst[b].op == IR_inot)
		return implies(fn, a, fn->inst[b].a[0], depth);
	if (i->op == IR_inot)
		return i->a[0] == b;
	return depth && i->op == IR_iand && i->type == IR_B1 &&
	       (excludes(fn, i->a[0], b, depth - 1) || excludes(fn, i->a[1], b, depth - 1));
}

/* The mask that covers two. */
static uint32_t join(struct ir_fn *fn, uint32_t a, uint32_t b)
{
	if (b == EVERY || implies(fn, a, b, 8))
		return b;
	return implies(fn, b, a, 8) ? a : EVERY;
}

static void note(struct demand *d, ir_id id)
{
	d->found = arena_grow_raw(d->scratch, d->found, d->nfound, &d->found_cap, d->nfound + 1u, sizeof *d->found);
	d->found[d->nfound++] = id;
	d->revised |= d->repeated;
}

static inline void want(struct demand *d, ir_id v, uint32_t under)
{
	uint32_t *n = &d->need[v];

	if (!*n) /* most have one use */
		*n = under;
	else if (*n != EVERY && *n != under)
		*n = join(d->fn, *n, under);
}

static inline void want_all(struct demand *d, ir_id id, unsigned from, uint32_t under)
{
	const ir_id *v = ir_args(d->fn, id);
	unsigned n = ir_nargs(d->fn, id);

	if (under == EVERY)
		for (unsigned i = from; i < n; i++)
			d->need[v[i]] = EVERY;
	else
		for (unsigned i = from; i < n; i++)
			want(d, v[i], under);
}

/* A masked op in whose results the operands of lanes that are off have no say. What looks at its quad alone sees none of
 * them where the mask is that of whole quads. */
static bool own_lanes(struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *i = &fn->inst[id];

	if (i->op == IR_isample) /* without an explicit level the quad's coordinates decide */
		return i->sub & (IMG_LOD | IMG_GRAD) || fn->inst[ir_args(fn, id)[0]].op == IR_quadany;
	return !(ir_ops[i->op].fx & FX_CROSS) || i->op == IR_quad;
}

/* What a branch on `value` says of lanes by the edge that it takes when that is set, or not. */
static void learn(const struct ir_fn *fn, struct edge *e, ir_id value, bool set)
{
	for (;;) {
		const struct ir_inst *v = &fn->inst[value];
		if (v->op == IR_inot)
			set = !set;
		else if (v->op != IR_any || set) { /* no lane's bit is set: this lane's is not */
			e->fact = v->op == IR_any ? 0 : value;
			e->set = set;
			return;
		}
		value = v->a[0];
	}
}

static void find_edges(struct demand *d)
{
	const struct ir_fn *fn = d->fn;
	uint32_t n = 0;

	d->first = arena_array_raw(d->scratch, uint32_t, fn->nblock);
	ir_for_order(fn, b) {
		d->first[b] = n;
		n += fn->inst[fn->block[b].first].op == IR_phi ? fn->block[b].npred : 0;
	}
	d->edge = arena_array(d->scratch, struct edge, n);
	ir_for_order(fn, b)
		for (uint32_t k = 0; k < fn->block[b].npred && fn->inst[fn->block[b].first].op == IR_phi; k++) {
			const struct ir_block *from = &fn->block[fn->block[b].pred[k]];
			const struct ir_inst *t = &fn->inst[from->last];
			struct edge *e = &d->edge[d->first[b] + k];
			e->back = from->rpo >= fn->block[b].rpo;
			if (t->op == IR_brc && !e->back && from->succ[0] != from->succ[1])
				learn(fn, e, t->a[0], from->succ[0] == b);
		}
}

static uint32_t refine(struct ir_fn *fn, const struct edge *e, uint32_t need)
{
	if (need == EVERY)
		return e->set && !ir_is_const(fn, e->fact, NULL) ? e->fact : need;
	return (e->set ? excludes(fn, need, e->fact, 8) : implies(fn, need, e->fact, 8)) ? 0 : need;
}

/* The demand on what a phi gets over an edge forward: 0 when only lanes outside of the phi's demand walk it; where the branch says
 * that a mask is set, that is the demand. */
static inline uint32_t over_edge(struct demand *d, struct edge *e, uint32_t need)
{
	if (!e->fact)
		return need;
	if (e->need != need) {
		e->need = need;
		e->under = refine(d->fn, e, need);
	}
	return e->under;
}

/* Is the mask the same on every trip round the loop that block `from` closes at block `to`? It is when it is made in front. */
static bool same_mask(const struct ir_fn *fn, uint32_t mask, uint32_t from, uint32_t to)
{
	uint32_t home;

	if (mask == EVERY)
		return false;
	home = fn->inst[mask].block;
	return home != IR_NO_BLOCK && home != to && cfg_dominates(fn, home, to) && cfg_dominates(fn, to, from);
}

/* A value that comes round a loop is wanted in every lane when it is wanted at all, for a mask of another trip could be meant, but
 * under a mask that is the same on all of them; on the way in and where paths meet, the masks that users name are of the same
 * trip. */
static void want_phi(struct demand *d, ir_id id, uint32_t need)
{
	struct ir_fn *fn = d->fn;
	const ir_id *v = ir_args(fn, id);
	const struct ir_block *b = &fn->block[fn->inst[id].block];
	struct edge *e = &d->edge[d->first[fn->inst[id].block]];

	for (unsigned i = 0; i < b->npred; i++, e++) {
		if (!e->back) {
			uint32_t under = over_edge(d, e, need);
			if (under)
				want(d, v[i], under);
			else
				note(d, id);
		} else if (d->need[v[i]] != EVERY) {
			uint32_t home = fn->inst[v[i]].block, at = home == IR_NO_BLOCK ? 0 : fn->block[home].rpo, was = d->need[v[i]];
			want(d, v[i], same_mask(fn, need, b->pred[i], fn->inst[id].block) ? need : EVERY);
			if (d->need[v[i]] != was && at >= b->rpo && at >= d->again) /* visited already */
				d->again = at + 1;
		}
	}
}

/* A b1 value made of numbers. */
static bool compares(const struct ir_fn *fn, ir_id v)
{
	const struct ir_inst *i = &fn->inst[v];

	return !(ir_ops[i->op].fx & ~(uint32_t)(FX_COMM | FX_CONV)) && i->type == IR_B1 && ir_nargs(fn, v) &&
	       fn->inst[i->a[0]].type != IR_B1;
}

/* Which side of a select by `mask`, counted as its operands, all lanes with a say in its need take, or 0. */
static unsigned side_of(struct ir_fn *fn, ir_id mask, uint32_t need)
{
	if (need == EVERY || !need)
		return 0;
	if (implies(fn, need, mask, 8))
		return 1;
	return excludes(fn, need, mask, 8) ? 2 : 0;
}

/* How an op hands its need down; EFFECT: in any case. */
enum how { DOWN /* as it is */, LOGIC, SELECT, MEET, MASKED, QUAD, ALL /* every lane */, EFFECT = 8 };
#define IS(name, op) (IR_##name == IR_##op)
#define HOW(name, fx) (((fx) & (FX_WRITE | FX_SYNC | FX_TERM) ? EFFECT : 0) | (IS(name, select) ? SELECT : IS(name, iand) ? LOGIC : \
	IS(name, quad) ? QUAD : (fx) & FX_PHI ? MEET : (fx) & FX_MASK ? MASKED : (fx) & ~(FX_COMM | FX_CONV) ? ALL : DOWN))
static const uint8_t hows[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = HOW(name, fx),
#include "../ir/ops.def"
#undef OP
};
#undef HOW
#undef IS

/* Does a phi get nothing over some edge in the lanes of mask m? */
static bool parts(struct demand *d, ir_id m, ir_id phi)
{
	const struct ir_fn *fn = d->fn;
	uint32_t b = fn->inst[phi].block;

	if (fn->inst[phi].op != IR_phi)
		return false;
	for (uint32_t k = 0; k < fn->block[b].npred; k++) {
		struct edge *e = &d->edge[d->first[b] + k];
		if (!e->back && !over_edge(d, e, m))
			return true;
	}
	return false;
}

static void visit_select(struct demand *d, ir_id id, uint32_t need)
{
	struct ir_fn *fn = d->fn;
	const struct ir_inst *i = &fn->inst[id];
	ir_id m = i->a[0];

	if (d->chosen.need != need || d->chosen.mask != m) { /* writes under one mask follow each other */
		d->chosen.need = need;
		d->chosen.mask = m;
		d->chosen.side = side_of(fn, m, need);
	}
	if (d->chosen.side) {
		note(d, id);
		want(d, i->a[d->chosen.side], need);
		return;
	}
	want(d, m, need);
	/* two masks bound the need: the one that a branch in front of a phi asked for says more */
	bool own = !ir_is_const(fn, m, NULL) && (need == EVERY || (parts(d, m, i->a[1]) && !parts(d, need, i->a[1])));
	want(d, i->a[1], own ? m : need);
	want(d, i->a[2], need);
}

/* Which operand of a conjunction is a mask that says more of what the other one, a phi, is wanted in than `need` does: 2: none. */
static unsigned parting(struct demand *d, const struct ir_inst *i, uint32_t need)
{
	for (unsigned k = 0; k < 2; k++) {
		ir_id m = i->a[k], phi = i->a[!k];
		if (d->fn->inst[phi].op == IR_phi && !ir_is_const(d->fn, m, NULL) && parts(d, m, phi))
			return need != EVERY && parts(d, need, phi) ? 2 : k;
	}
	return 2;
}

/* What is compared matters where the mask is set, and so does what a branch on the mask chose. */
static void visit_logic(struct demand *d, ir_id id, uint32_t need)
{
	struct ir_fn *fn = d->fn;
	const struct ir_inst *i = &fn->inst[id];
	unsigned mask = parting(d, i, need), first = compares(fn, i->a[0]);

	if (mask == 2 && first != compares(fn, i->a[1]))
		mask = first;
	if (mask == 2) {
		want_all(d, id, 0, need);
		return;
	}
	want(d, i->a[mask], need);
	want(d, i->a[!mask], ir_is_const(fn, i->a[mask], NULL) ? need : i->a[mask]);
}

static void visit_masked(struct demand *d, ir_id id)
{
	ir_id mask = ir_args(d->fn, id)[0];

	want(d, mask, EVERY);
	want_all(d, id, 1, own_lanes(d->fn, id) && !ir_is_const(d->fn, mask, NULL) ? mask : EVERY);
}

/* Hands down what `id` is wanted in. */
static inline void visit(struct demand *d, ir_id id, const struct ir_inst *i)
{
	uint32_t need = d->need[id];
	enum how how = hows[i->op] & ~EFFECT;

	d->told[id] = need;
	if (how == SELECT && i->type != IR_B1)
		visit_select(d, id, need);
	else if (how == LOGIC && i->type == IR_B1)
		visit_logic(d, id, need);
	else if (how <= SELECT)
		want_all(d, id, 0, need);
	else if (how == MEET)
		want_phi(d, id, need);
	else if (how == MASKED || (how == QUAD && d->fn->inst[i->a[0]].op == IR_quadany))
		visit_masked(d, id);
	else
		want_all(d, id, 0, EVERY);
}

/* Nothing is wanted at first: what only feeds itself round a loop stays unwanted. Notes anew which ops there are. */
static void sweep(struct demand *d)
{
	struct ir_fn *fn = d->fn;
	const struct ir_inst *inst = fn->inst, *in;

	memset(fn->has, 0, sizeof fn->has);
	for (uint32_t from = fn->norder; from-- > 0;)
		for (ir_id id = fn->block[fn->order[from]].last; id; id = in->prev) {
			in = &inst[id];
			if (!d->need[id] && !(hows[in->op] & EFFECT) && !(in->flags & (IR_F_WITNESS | IR_F_VOLATILE))) {
				d->told[id] = 0;
				d->dead[d->ndead++] = id;
				continue;
			}
			fn->has[in->op] = 1;
			visit(d, id, in);
		}
}

/* Once more, where a value is wanted more than was handed down. */
static void sweep_again(struct demand *d)
{
	struct ir_fn *fn = d->fn;
	const struct ir_inst *inst = fn->inst, *in;

	d->repeated = true;
	while (d->again) {
		uint32_t from = d->again;
		d->again = 0;
		while (from-- > 0)
			for (ir_id id = fn->block[fn->order[from]].last; id; id = in->prev) {
				in = &inst[id];
				if (d->need[id] == d->told[id])
					continue;
				fn->has[in->op] = 1;
				visit(d, id, in);
			}
	}
}

/* The needs are known: what became of the selects and phis that were found. Selects that are gone are dead. */
static bool settle(struct demand *d)
{
	struct ir_fn *fn = d->fn;
	ir_id *map = ir_map_new(d->scratch, fn);
	bool changed = false;

	for (uint32_t k = 0; k < d->nfound; k++) {
		ir_id id = d->found[k];
		uint32_t b = fn->inst[id].block, need = d->need[id];
		if (fn->inst[id].op == IR_select) {
			unsigned side = side_of(fn, fn->inst[id].a[0], need);
			map[id] = side ? fn->inst[id].a[side] : 0;
			changed |= side != 0;
			continue;
		}
		for (unsigned i = 0; i < fn->block[b].npred; i++) {
			struct edge *e = &d->edge[d->first[b] + i];
			if (!e->back && !over_edge(d, e, need))
				changed |= ir_set_arg(fn, id, i, ir_undef(fn, fn->inst[id].type));
		}
	}
	if (changed)
		ir_map_apply(fn, map);
	for (uint32_t k = 0; k < d->nfound && !d->revised; k++)
		if (map[d->found[k]]) {
			d->need[d->found[k]] = 0;
			d->dead[d->ndead++] = d->found[k];
		}
	return changed;
}

/* What turned out to be wanted after the first sweep stays. */
static bool drop(struct demand *d)
{
	struct dce gone = { .fn = d->fn, .dead = d->dead };

	for (uint32_t k = 0; k < d->ndead; k++)
		if (!d->need[d->dead[k]])
			gone.dead[gone.ndead++] = d->dead[k];
	return dce_remove(&gone);
}

enum pass_result demand_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct demand d = { .fn = fn, .scratch = ctx->scratch };
	bool same_always = !(fn->has[IR_phi] | fn->has[IR_quadany] | (fn->has[IR_select] & !ctx->unmasked));

	if (ctx->have & HAS_NEED || same_always) /* of masks there is nothing to find out */
		return ctx->have & HAS_LIVE ? PASS_SAME : dce_run(ctx);
	d.need = arena_array(ctx->scratch, uint32_t, fn->ninst);
	d.told = arena_array_raw(ctx->scratch, uint32_t, fn->ninst);
	d.dead = arena_array_raw(ctx->scratch, ir_id, fn->ninst);
	find_edges(&d);
	sweep(&d);
	sweep_again(&d);
	bool changed = d.nfound && settle(&d);
	changed |= d.revised ? dce_run(ctx) == PASS_CHANGED : drop(&d);
	return changed ? PASS_CHANGED : PASS_SAME;
}
