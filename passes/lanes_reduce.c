/* lanes_reduce.c - a loop that puts together what each lane of the wave has of a value.
 *
 *     %b = ballot %m
 *     L: %set = phi %b, L %next                  the lanes that are left
 *        %acc = phi 0, L %r
 *        %n = ctz %set
 *        %x = readlane %m, %v, %n
 *        %r = ixor %x, %acc                      the same as the lanes of %m do, each with its %v, by atomic operations
 *        %next = iand %set, (inot (shl 1, %n))
 *        brc (ine %next, 0), L, out
 *
 * Compilers write that around an atomic operation that one lane does for all. Where no lane is in %m, nobody does it, and the
 * result is nobody's. The loop leaves when each lane was looked at, so it always ends.
 */
#include "proof.h"

/* What makes of two the same as an atomic operation makes of what is there and one, and what makes no difference to it. */
static const struct kind { uint16_t op; uint8_t atomic; uint32_t none; } kinds[] = {
	{ IR_iadd, ATOMIC_add, 0 }, { IR_iadd, ATOMIC_sub, 0 }, { IR_ixor, ATOMIC_xor, 0 }, { IR_ior, ATOMIC_or, 0 },
	{ IR_iand, ATOMIC_and, UINT32_MAX }, { IR_umin, ATOMIC_umin, UINT32_MAX }, { IR_umax, ATOMIC_umax, 0 },
	{ IR_smin, ATOMIC_smin, INT32_MAX }, { IR_smax, ATOMIC_smax, 1u << 31 },
};

struct reduce {
	struct ir_fn *fn;
	uint32_t block;
	unsigned back;    /* which of the phis' operands comes round */
	ir_id set, next;
};

static bool is_zero(const struct ir_fn *fn, ir_id v)
{
	uint64_t k;
	return ir_is_const(fn, v, &k) && !k;
}

/* The number of the first lane of the set; where that is empty, anything. */
static bool first_of_set(const struct reduce *r, ir_id v)
{
	enum { STEPS = 4 };
	for (unsigned k = 0; k < STEPS; k++) {
		const struct ir_inst *i = &r->fn->inst[v];
		uint64_t bits;
		if (i->op == IR_ctz)
			return i->a[0] == r->set;
		if (i->op == IR_zext || (i->op == IR_iand && ir_is_const(r->fn, i->a[1], &bits) && bits == r->fn->wave - 1u))
			v = i->a[0];
		else if (i->op == IR_select && ir_is_zero_test(r->fn, i->a[0], r->set))
			v = i->a[2];
		else
			return false;
	}
	return false;
}

/* The set without its first lane. */
static bool is_rest(const struct reduce *r, ir_id v)
{
	const struct ir_inst *i = &r->fn->inst[v];
	for (unsigned k = 0; k < 2 && i->op == IR_iand; k++) {
		const struct ir_inst *not = &r->fn->inst[i->a[k]], *bit = &r->fn->inst[not->a[0]];
		uint64_t one;
		if (i->a[!k] == r->set && not->op == IR_inot && bit->op == IR_shl && ir_is_const(r->fn, bit->a[0], &one) && one == 1 &&
		    first_of_set(r, bit->a[1]))
			return true;
	}
	return false;
}

/* One block around itself, with one way in, that goes on while some lane is left; set and next are found. */
static bool is_loop(struct reduce *r, ir_id mask)
{
	struct ir_fn *fn = r->fn;
	const struct ir_block *b = &fn->block[r->block];
	const struct ir_inst *t = &fn->inst[b->last], *c = &fn->inst[t->a[0]];
	if (t->op != IR_brc || b->npred != 2 || (b->pred[0] == r->block) == (b->pred[1] == r->block) ||
	    (b->succ[0] == r->block) == (b->succ[1] == r->block))
		return false;
	r->back = b->pred[1] == r->block;
	if (c->op != (b->succ[0] == r->block ? IR_ine : IR_ieq) || !is_zero(fn, c->a[1]))
		return false;
	r->next = c->a[0];
	ir_for_insts(fn, r->block, id) {
		if (fn->inst[id].op != IR_phi)
			break;
		const struct ir_inst *all = &fn->inst[ir_args(fn, id)[!r->back]];
		if (ir_args(fn, id)[r->back] == r->next && all->op == IR_ballot && all->a[0] == mask)
			r->set = id;
	}
	return r->set && is_rest(r, r->next);
}

/* Nothing in the loop acts, and nobody else has a value of it but `v`, which it brings to `acc` and to `only`. */
static bool is_closed(const struct reduce *r, const struct ir_users *users, ir_id v, ir_id acc, ir_id only)
{
	struct ir_fn *fn = r->fn;
	ir_for_insts(fn, r->block, id) {
		unsigned op = fn->inst[id].op;
		if (ir_ops[op].fx & ~(uint32_t)(FX_COMM | FX_CONV | FX_PHI | FX_TERM) && op != IR_readlane)
			return false;
		ir_for_users(users, id, u)
			if (id == v ? u != acc && u != only : fn->inst[u].block != r->block)
				return false;
	}
	return true;
}

static bool fits(const struct ir_fn *fn, unsigned op, unsigned atomic, ir_id start)
{
	uint64_t k;
	for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
		if (kinds[n].op == op && kinds[n].atomic == atomic)
			return ir_is_const(fn, start, &k) && k == kinds[n].none;
	return false;
}

ir_id lanes_reduced(struct ir_fn *fn, const struct ir_users *users, ir_id atomic, ir_id v, ir_id mask, uint32_t *block)
{
	const struct ir_inst *i = &fn->inst[v];
	struct reduce r = {.fn = fn, .block = i->block};
	if (i->block == IR_NO_BLOCK || i->type != IR_I32 || ir_nargs(fn, v) != 2 || !is_loop(&r, mask))
		return 0;
	for (unsigned k = 0; k < 2; k++) {
		ir_id acc = i->a[k];
		const struct ir_inst *read = &fn->inst[i->a[!k]];
		if (read->op != IR_readlane || fn->inst[read->a[1]].block == r.block || !first_of_set(&r, read->a[2]) ||
		    fn->inst[acc].op != IR_phi || fn->inst[acc].block != r.block || ir_args(fn, acc)[r.back] != v ||
		    !fits(fn, i->op, fn->inst[atomic].sub, ir_args(fn, acc)[!r.back]) || !is_closed(&r, users, v, acc, atomic))
			continue;
		*block = r.block;
		return read->a[1];
	}
	return 0;
}
