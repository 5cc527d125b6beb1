/* waterfall.c - loops that take the lanes of a wave in turns, those with equal values at a time, become one turn of each lane.
 *
 *     loop: %m = phi true, %rest                    loop: %m = phi true, false
 *     %f = readfirst %m, %x                         %act = iand true, %m
 *     %e = ieq %x, %f                          =>   ... %x for %f, under %act
 *     %act = iand %e, %m                            brc false, loop, exit
 *     ... %f, under %act
 *     %rest = iand %m, (inot %e)
 *     brc (any %rest), loop, exit
 *
 * A lane is active in one turn, the one in which %f is its own %x; in the others nothing happens to it. So it may take that turn
 * at once, on its own. What has to hold: effects are masked by %act, values that are carried round or used behind the loop stay
 * as they are in a lane that is not active, and no lane looks at another, nor exchanges shared memory. Which lanes' turns come
 * first is given up: that is an order between lanes which do not wait for each other. A descriptor that %f selected differs
 * between lanes then (`bind`, NonUniform).
 */
#include "turns.h"
#include "waterfall.h"

struct fall {
	struct proof *p;
	struct ir_fn *fn;
	uint32_t header, latch;
	ir_id first, x, in, mask, equal, rest, any; /* in: what x is in the lanes that are left, from in front of the loop */
};

static bool in_loop(const struct fall *f, ir_id v)
{
	uint32_t b = f->fn->inst[v].block;
	return b != IR_NO_BLOCK && proof_in_loop(f->p, b, f->header);
}

/* Is `v` a & b? */
static bool both(const struct ir_fn *fn, ir_id v, ir_id a, ir_id b)
{
	const struct ir_inst *i = &fn->inst[v];
	return i->op == IR_iand && ((i->a[0] == a && i->a[1] == b) || (i->a[0] == b && i->a[1] == a));
}

/* The loop's shape: one way back, which is the only way out. */
static bool find_loop(struct fall *f)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *first = &fn->inst[f->first];
	f->mask = first->a[0];
	f->x = first->a[1];
	f->header = first->block;
	if (fn->block[f->header].loop != f->header || fn->inst[f->mask].op != IR_phi || fn->inst[f->mask].block != f->header)
		return false;
	f->in = turns_left(fn, f->mask, f->x);
	if (in_loop(f, f->in))
		return false;
	const struct ir_block *h = &fn->block[f->header];
	f->rest = 0;
	for (uint32_t k = 0; k < h->npred; k++) {
		if (!proof_in_loop(f->p, h->pred[k], f->header))
			continue;
		if (f->rest)
			return false;
		f->latch = h->pred[k];
		f->rest = ir_args(fn, f->mask)[k];
	}
	const struct ir_block *l = &fn->block[f->latch];
	const struct ir_inst *br = &fn->inst[l->last];
	if (!f->rest || br->op != IR_brc || l->succ[0] != f->header || proof_in_loop(f->p, l->succ[1], f->header))
		return false;
	f->any = br->a[0];
	return fn->inst[f->any].op == IR_any && fn->inst[f->any].a[0] == f->rest;
}

/* The masks of this turn. */
static bool find_masks(struct fall *f)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *r = &fn->inst[f->rest];
	f->equal = 0;
	for (unsigned k = 0; k < 2 && r->op == IR_iand && !f->equal; k++) {
		const struct ir_inst *no = &fn->inst[r->a[!k]];
		if (r->a[k] == f->mask && no->op == IR_inot)
			f->equal = no->a[0];
	}
	if (!f->equal)
		return false;
	const struct ir_inst *e = &fn->inst[f->equal];
	if (e->op == IR_iand) { /* mask & !(equal & mask) */
		f->equal = e->a[0] == f->mask ? e->a[1] : e->a[0];
		if (!both(fn, (ir_id)(e - fn->inst), f->equal, f->mask))
			return false;
		e = &fn->inst[f->equal];
	}
	return e->op == IR_ieq && ((e->a[0] == f->x && e->a[1] == f->first) || (e->a[0] == f->first && e->a[1] == f->x));
}

/* Is `v` nothing but the number of a descriptor, or that plus a constant? */
static bool is_index(struct ir_fn *fn, ir_id v, unsigned depth)
{
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++)
				if (ir_args(fn, id)[k] == v && fn->inst[id].op != IR_bind &&
				    !(depth && fn->inst[id].op == IR_iadd && is_index(fn, id, depth - 1)))
					return false;
	return true;
}

/* Does equality of %x say that %y is equal, too? %x is made of %y by steps that lose nothing, or the top bits of a table's offset:
 * then `first`, of %y, may select descriptors only. */
static bool made_of(struct ir_fn *fn, ir_id x, ir_id y, ir_id first)
{
	uint64_t k;
	bool lossy = false;
	for (unsigned depth = 0; depth < 8; depth++) {
		const struct ir_inst *i = &fn->inst[x];
		if (x == y)
			return !lossy || is_index(fn, first, 1);
		lossy |= i->op != IR_iadd;
		if ((i->op != IR_iadd && i->op != IR_shl && i->op != IR_imul) || !ir_is_const(fn, i->a[1], &k) || (i->op == IR_imul && !k))
			return false;
		x = i->a[0];
	}
	return false;
}

static bool implies_act(const struct fall *f, ir_id mask, unsigned depth)
{
	const struct ir_inst *i = &f->fn->inst[mask];
	if (both(f->fn, mask, f->equal, f->mask))
		return true;
	return depth && i->op == IR_iand && (implies_act(f, i->a[0], depth - 1) || implies_act(f, i->a[1], depth - 1));
}

/* A value from in front of the loop, or made of such. */
static bool from_outside(const struct fall *f, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &f->fn->inst[v];
	if (!v || !in_loop(f, v))
		return true;
	for (unsigned k = 0, n = ir_nargs(f->fn, v); k < n; k++)
		if (!depth || !from_outside(f, ir_args(f->fn, v)[k], depth - 1))
			return false;
	return i->op == IR_vec || i->op == IR_bitcast;
}

/* Coordinates of neighbours choose a level: they are the neighbours' whether it is their turn or not. */
static bool neighbours_stay(const struct fall *f, ir_id id)
{
	for (unsigned k = 3, n = ir_nargs(f->fn, id); k < n; k++)
		if (!from_outside(f, ir_args(f->fn, id)[k], 2))
			return false;
	return f->fn->inst[id].op == IR_isample;
}

static bool quiet_inst(const struct fall *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *i = &fn->inst[id];
	uint32_t fx = ir_ops[i->op].fx;
	if (id == f->any || fx & FX_TERM || (i->op == IR_any && i->a[0] == f->mask)) /* somebody is left as long as it goes round */
		return true;
	if (i->op == IR_readfirst)
		return id == f->first || (i->a[0] == f->mask && !in_loop(f, i->a[1]) && made_of(fn, f->in, i->a[1], id));
	if (i->op == IR_ldshared || i->op == IR_stshared || i->op == IR_atshared || i->op == IR_demote || fx & FX_SYNC ||
	    (fx & FX_CROSS && !(fx & FX_MASK)))
		return false;
	if (fx & FX_CROSS && !(i->op == IR_isample && i->sub & (IMG_LOD | IMG_GRAD)) && !neighbours_stay(f, id))
		return false;
	return !(fx & FX_WRITE) || (fx & FX_MASK && implies_act(f, ir_args(fn, id)[0], 4));
}

/* What is `v` in a lane that is not active: other than equal, or off? 0: more than one thing. */
static ir_id when_idle(const struct fall *f, ir_id v)
{
	proof_start(f->p);
	proof_assume(f->p, f->equal);
	ir_id other = proof_value(f->p, v);
	proof_start(f->p);
	proof_assume(f->p, f->mask);
	return proof_value(f->p, v) == other ? other : 0;
}

/* A value of the loop that is carried round: in a lane that is not active the next turn starts with what this one started with. */
static bool carried_stays(const struct fall *f, ir_id phi)
{
	struct ir_fn *fn = f->fn;
	const struct ir_block *h = &fn->block[f->header];
	for (uint32_t k = 0; k < h->npred; k++)
		if (h->pred[k] == f->latch && when_idle(f, ir_args(fn, phi)[k]) != phi)
			return false;
	return true;
}

/* A value that is used behind the loop: it is what such a phi has from the next turn on. */
static bool left_stays(const struct fall *f, ir_id v)
{
	struct ir_fn *fn = f->fn;
	const struct ir_block *h = &fn->block[f->header];
	if (v == f->rest)
		return true; /* no lane is left */
	ir_id phi = when_idle(f, v);
	if (!phi || fn->inst[phi].op != IR_phi || fn->inst[phi].block != f->header)
		return false;
	for (uint32_t k = 0; k < h->npred; k++)
		if (h->pred[k] == f->latch && ir_args(fn, phi)[k] == v)
			return carried_stays(f, phi);
	return false;
}

static bool proven(const struct fall *f)
{
	struct ir_fn *fn = f->fn;
	ir_for_order(fn, b) {
		bool inside = proof_in_loop(f->p, b, f->header);
		ir_for_insts(fn, b, id) {
			if (inside && fn->inst[id].op == IR_phi && b == f->header) {
				if (id != f->mask && !carried_stays(f, id))
					return false;
				continue;
			}
			if (inside && !quiet_inst(f, id))
				return false;
			for (unsigned k = 0, n = inside ? 0 : ir_nargs(fn, id); k < n; k++)
				if (ir_args(fn, id)[k] && in_loop(f, ir_args(fn, id)[k]) && !left_stays(f, ir_args(fn, id)[k]))
					return false;
		}
		const struct ir_block *x = &fn->block[b];
		for (uint32_t k = 0; inside && k < x->nsucc; k++)
			if (b != f->latch && !proof_in_loop(f->p, x->succ[k], f->header))
				return false;
		if (inside && x->loop != f->header)
			return false;
	}
	return true;
}

static void rewrite(const struct pass_ctx *ctx, const struct fall *f, ir_id *map)
{
	for (uint32_t k = 0; k < ctx->nasks; k++) {
		ir_id id = ctx->asks[k];
		const struct ir_inst *i = &f->fn->inst[id];
		if (i->op == IR_readfirst && i->a[0] == f->mask)
			map[id] = id == f->first ? f->in : i->a[1];
	}
	map[f->equal] = f->p->yes;
	map[f->rest] = map[f->any] = f->p->no;
}

bool waterfall_find(struct pass_ctx *ctx, struct proof *p)
{
	struct ir_fn *fn = ctx->fn;
	ir_id *map = NULL;
	for (uint32_t k = 0; k < ctx->nasks; k++) {
		ir_id id = ctx->asks[k];
		struct fall f = {.p = p, .fn = fn, .first = id};
		if (fn->inst[id].op != IR_readfirst || (map && map[id]) || !find_loop(&f) || !find_masks(&f) || !proven(&f))
			continue;
		if (!map)
			map = ir_map_new(ctx->scratch, fn);
		rewrite(ctx, &f, map);
		diag_remark(ctx->diag, "lanes", fn->inst[id].addr, "the loop that takes equal lanes in turns is one turn of each lane");
	}
	if (!map)
		return false;
	ir_map_apply(fn, map);
	lanes_answered(ctx, map);
	return true;
}
