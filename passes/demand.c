/* demand.c - a masked write whose other lanes nobody looks at.
 *
 *     %2 = select %m, %new, %old            (select gone)
 *     %3 = fadd %2, %x                      %3 = fadd %new, %x
 *     stout %m, %3                          stout %m, %3
 *
 * Guest vector instructions keep the old register in lanes that are off. Where every use of the result is an effect
 * under a mask that implies the write's own, those lanes do not matter. Backwards over the blocks, each value gets
 * the mask under which all its uses want it: none (unused), one mask, or any lane. A mask implies its own conjuncts
 * and excludes what they negate. Lane-wise ops hand their demand down; whatever looks at other lanes, decides
 * control flow or comes round a loop (where a mask of another trip could be meant) wants every lane. Needs grow from
 * none to a fixed point. A branch refines them: over an edge that only lanes without a bit walk, a value wanted under
 * that bit is wanted by none.
 */
#include "pass.h"

enum pass_result demand_run(struct pass_ctx *ctx);

#define EVERY UINT32_MAX

struct demand {
	struct ir_fn *fn;
	uint32_t *need; /* per value: 0 no use yet, a mask's id, or EVERY */
	uint32_t nneed; /* values made since (undefs) are not watched */
	ir_id *map;
	bool changed;
	bool grew, settled; /* a need grew in this sweep; needs are final: act */
};

/* Lane by lane, is b set wherever a is? */
static bool implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth);

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

static bool implies(struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[a];

	if (a == b)
		return true;
	if (i->op == IR_phi && i->type == IR_B1 && depth > 3)
		return phi_implies(fn, a, b, depth - 4);
	return depth && i->op == IR_iand && i->type == IR_B1 &&
	       (implies(fn, i->a[0], b, depth - 1) || implies(fn, i->a[1], b, depth - 1));
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

static void want(struct demand *d, ir_id v, uint32_t under)
{
	if (!v || v >= d->nneed || !under)
		return;
	uint32_t *n = &d->need[v];
	if (*n == EVERY || *n == under)
		return;
	if (!*n || under == EVERY || implies(d->fn, *n, under, 8))
		*n = under;
	else if (!implies(d->fn, under, *n, 8))
		*n = EVERY;
	else
		return;
	d->grew = true;
}

static void want_all(struct demand *d, ir_id id, unsigned from, uint32_t under)
{
	for (unsigned i = from; i < ir_nargs(d->fn, id); i++)
		want(d, ir_args(d->fn, id)[i], under);
}

/* A masked op whose other lanes' operands have no say in its results. */
static bool own_lane(const struct ir_inst *i)
{
	if (i->op == IR_isample) /* without an explicit level the quad's coordinates decide */
		return i->sub & (IMG_LOD | IMG_GRAD);
	return !(ir_ops[i->op].fx & FX_CROSS) || i->op == IR_readfirst;
}

/* What is known of a b1 value in every lane that walks from block p to block b. False: nothing. */
static bool edge_fact(const struct ir_fn *fn, uint32_t p, uint32_t b, ir_id *value, bool *set)
{
	const struct ir_inst *t = &fn->inst[fn->block[p].last];

	if (t->op != IR_brc || fn->block[p].succ[0] == fn->block[p].succ[1])
		return false;
	*set = fn->block[p].succ[0] == b;
	*value = t->a[0];
	for (;;) {
		const struct ir_inst *v = &fn->inst[*value];
		if (v->op == IR_inot)
			*set = !*set;
		else if (v->op != IR_any || *set) /* no lane's bit is set: this lane's is not */
			return v->op != IR_any;
		*value = v->a[0];
	}
}

/* Operands of a phi. A value that comes round a loop is wanted in every lane when it is wanted at all (a mask of another
 * trip could be meant); on the way in and where paths meet, the masks that users name are of the same trip. An edge that
 * only lanes outside the demand walk
 * brings nothing; where the branch says that a mask is set, that is the demand. */
static void want_phi(struct demand *d, ir_id id, uint32_t need)
{
	struct ir_fn *fn = d->fn;
	uint32_t at = fn->inst[id].block;

	for (unsigned i = 0; i < fn->block[at].npred; i++) {
		uint32_t from = fn->block[at].pred[i], under = need;
		ir_id fact;
		bool set;
		if (fn->block[from].rpo >= fn->block[at].rpo) {
			want(d, ir_args(fn, id)[i], need ? EVERY : 0);
			continue;
		}
		if (need && edge_fact(fn, from, at, &fact, &set)) {
			if (need == EVERY && set && !ir_is_const(fn, fact, NULL))
				under = fact;
			if (need != EVERY && (set ? excludes(fn, need, fact, 8) : implies(fn, need, fact, 8))) {
				ir_id none = d->settled ? ir_undef(fn, fn->inst[id].type) : 0;
				if (d->settled && ir_args(fn, id)[i] != none) {
					d->changed = true;
					ir_args(fn, id)[i] = none;
				}
				continue;
			}
		}
		want(d, ir_args(fn, id)[i], under);
	}
}

/* A b1 value made of numbers. */
static bool compares(const struct ir_fn *fn, ir_id v)
{
	const struct ir_inst *i = &fn->inst[v];

	return !(ir_ops[i->op].fx & ~(uint32_t)(FX_COMM | FX_CONV)) && i->type == IR_B1 && ir_nargs(fn, v) &&
	       fn->inst[i->a[0]].type != IR_B1;
}

static void visit(struct demand *d, ir_id id)
{
	struct ir_fn *fn = d->fn;
	const struct ir_inst *i = &fn->inst[id];
	uint32_t fx = ir_ops[i->op].fx, need = d->need[id];

	if (i->op == IR_phi) {
		want_phi(d, id, need);
		return;
	}
	if (!need && !(fx & (FX_WRITE | FX_SYNC | FX_TERM)) && !(i->flags & IR_F_WITNESS))
		return;
	if (fx & FX_MASK) {
		ir_id mask = i->a[0];
		if (i->nargs8 == 255)
			mask = i->x.ext[0];
		want(d, mask, EVERY);
		want_all(d, id, 1, own_lane(i) && !ir_is_const(fn, mask, NULL) ? mask : EVERY);
	} else if (i->op == IR_select && i->type != IR_B1) {
		ir_id m = i->a[0];
		bool yes = need != EVERY && implies(fn, need, m, 8);
		if (yes || (need != EVERY && excludes(fn, need, m, 8))) {
			ir_id taken = i->a[yes ? 1 : 2];
			if (d->settled) {
				d->map[id] = taken;
				d->changed = true;
			}
			want(d, taken, need);
			return;
		}
		want(d, m, need);
		want(d, i->a[1], need == EVERY && !ir_is_const(fn, m, NULL) ? m : need);
		want(d, i->a[2], need);
	} else if (i->op == IR_iand && i->type == IR_B1 && compares(fn, i->a[0]) != compares(fn, i->a[1])) {
		unsigned mask = compares(fn, i->a[0]); /* what is compared matters where the mask is set */
		want(d, i->a[mask], need);
		want(d, i->a[!mask], ir_is_const(fn, i->a[mask], NULL) ? need : i->a[mask]);
	} else if ((fx & ~(uint32_t)(FX_COMM | FX_CONV)) == FX_PURE) {
		want_all(d, id, 0, need);
	} else {
		want_all(d, id, 0, EVERY);
	}
}

static void sweep(struct demand *d)
{
	struct ir_fn *fn = d->fn;

	for (uint32_t n = fn->norder; n-- > 0;)
		for (ir_id id = fn->block[fn->order[n]].last; id; id = fn->inst[id].prev)
			visit(d, id);
}

enum pass_result demand_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct demand d = { .fn = fn, .need = arena_array(ctx->scratch, uint32_t, fn->ninst), .nneed = fn->ninst,
		.map = ir_map_new(ctx->scratch, fn) };

	do { /* nothing is wanted at first: what only feeds itself round a loop stays unwanted */
		d.grew = false;
		sweep(&d);
	} while (d.grew);
	d.settled = true;
	sweep(&d);
	if (!d.changed)
		return PASS_SAME;
	ir_map_apply(fn, d.map);
	return PASS_CHANGED;
}
