/* lanes_elect.c - what one elected lane does for all, every lane does for itself.
 *
 * A compiler makes one atomic operation of those that the lanes of a wave do on one word: the first of them adds what all would
 * have added. Without a wave to ask, they add it one by one:
 *
 *     %b = ballot %m
 *     %n = popc %b                              %n    =>   1
 *     %f = shl 1, (ctz %b)
 *     %e = iand %m, (lanebit %f)                %e    =>   %m
 *     atbuf.add %e, .., (imul %n, 42)
 *
 * Sums take what is a multiple of the number of lanes, `xor` what is one of its lowest bit, `and`, `or` and the extremes what does
 * not depend on it: done once for all or by each comes to the same. Nobody may look at what the word was before, and word and
 * operand must be the same for all lanes. In which order lanes come is open either way.
 */
#include "proof.h"

struct elect {
	const struct pass_ctx *ctx;
	struct ir_fn *fn;
	ir_id ballot, mask;
	ir_id *map;
	bool some;  /* an atomic operation is elected */
};

enum { LOOK = 6 }; /* steps from the ballot to the operation */
enum amount { NO_AMOUNT, FREE, MULTIPLE, PARITY };

static bool same_in_all(const struct elect *e, ir_id v)
{
	return !v || v >= e->ctx->ndivergent || !e->ctx->divergent[v];
}

/* The number of the first lane, as a word of any width, or -1 when there is none. */
static bool first_number(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v];
	if (i->op == IR_zext)
		i = &e->fn->inst[i->a[0]];
	if (i->op == IR_select && ir_is_const(e->fn, i->a[2], NULL))
		i = &e->fn->inst[i->a[1]];
	return i->op == IR_ctz && i->a[0] == e->ballot;
}

static bool first_bit(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v], *s = &e->fn->inst[i->a[0]];
	uint64_t k;
	return i->op == IR_lanebit && s->op == IR_shl && ir_is_const(e->fn, s->a[0], &k) && k == 1 && first_number(e, s->a[1]);
}

static bool elected(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v];
	return i->op == IR_iand && i->type == IR_B1 && ((i->a[0] == e->mask && first_bit(e, i->a[1])) ||
	                                                (i->a[1] == e->mask && first_bit(e, i->a[0])));
}

/* What an operand is of the number of lanes. */
static enum amount amount(const struct elect *e, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &e->fn->inst[v];
	uint64_t k;
	if (i->op == IR_popc && i->a[0] == e->ballot)
		return MULTIPLE;
	if (i->op == IR_iand && ir_is_const(e->fn, i->a[1], &k) && k == 1 && e->fn->inst[i->a[0]].op == IR_popc &&
	    e->fn->inst[i->a[0]].a[0] == e->ballot)
		return PARITY;
	if (depth && (i->op == IR_imul || i->op == IR_shl)) {
		enum amount x = amount(e, i->a[0], depth - 1), y = amount(e, i->a[1], depth - 1);
		if (x > FREE && y == FREE)
			return x;
		if (y > FREE && x == FREE)
			return i->op == IR_imul ? y : NO_AMOUNT;
	}
	return same_in_all(e, v) ? FREE : NO_AMOUNT;
}

static bool fits(unsigned atomic, enum amount of)
{
	switch (atomic) {
	case ATOMIC_add: case ATOMIC_sub: return of == MULTIPLE;
	case ATOMIC_xor: return of == PARITY;
	case ATOMIC_and: case ATOMIC_or: case ATOMIC_umin: case ATOMIC_umax: case ATOMIC_smin: case ATOMIC_smax: return of == FREE;
	default: return false;
	}
}

static bool used(struct ir_fn *fn, ir_id v)
{
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++)
				if (ir_args(fn, id)[k] == v)
					return true;
	return false;
}

/* An atomic operation by the elected lane that all lanes may do. */
static bool repeatable(struct elect *e, ir_id id)
{
	const struct ir_inst *i = &e->fn->inst[id];
	const ir_id *a = ir_args(e->fn, id);
	unsigned data = i->op == IR_atbuf ? 4 : i->op == IR_iatomic ? 3 : 0, n = ir_nargs(e->fn, id);
	if (!data || n <= data || !elected(e, a[0]) || ir_bits(i->type) != 32 || !fits(i->sub, amount(e, a[data], LOOK)))
		return false;
	for (unsigned k = 1; k < n; k++)
		if (k != data && !same_in_all(e, a[k]))
			return false;
	e->some = true;
	return !used(e->fn, id);
}

/* Every use of v, which is made of the ballot, is on the way to such an operation. */
static bool only_elects(struct elect *e, ir_id v, unsigned depth)
{
	struct ir_fn *fn = e->fn;
	if (!depth)
		return false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			const ir_id *a = ir_args(fn, id);
			bool here = false, fine = true;
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++)
				here |= a[k] == v;
			if (!here)
				continue;
			if (elected(e, v) && i->op == IR_any)
				continue; /* some lane is elected where some lane is there */
			switch (i->op) {
			case IR_ctz: case IR_popc: case IR_select: case IR_zext: case IR_shl: case IR_lanebit: case IR_imul: case IR_iand:
				fine = only_elects(e, id, depth - 1);
				break;
			default: fine = repeatable(e, id); break;
			}
			if (!fine)
				return false;
			if (i->op == IR_popc)
				e->map[id] = ir_const(fn, i->type, 1);
			else if (elected(e, id))
				e->map[id] = e->mask;
		}
	return true;
}

bool lanes_elect_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	bool changed = false;
	if (fn->stage != STAGE_FRAGMENT)
		return false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_ballot || ir_is_const(fn, fn->inst[id].a[0], NULL)) /* all lanes: that are more than live */
				continue;
			struct elect e = {.ctx = ctx, .fn = fn, .ballot = id, .mask = fn->inst[id].a[0]};
			e.map = ir_map_new(ctx->scratch, fn);
			if (!only_elects(&e, id, LOOK + 2) || !e.some)
				continue;
			ir_map_apply(fn, e.map);
			diag_say(ctx->diag, "lanes", fn->inst[id].addr, "what the first lane does for all, each lane does for itself");
			changed = true;
		}
	return changed;
}
