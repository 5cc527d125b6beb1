/* structurize_cond.c - one branch for conditions that only choose between the same two places.
 *
 * Before                                After
 *   b0: brc %a, b2, b1                    b0: %c = ...
 *   b1: %c = ...                              %d = ior %a, %c
 *       brc %c, b2, b3                        brc %d, b2, b3
 *
 * Guests evaluate `a || b` and `a && b` with a branch, which has no structured form without a construct of its own around both.
 * The second block must be reached from the first alone and hold few instructions, all of them pure (every op is total).
 */
#include "structurize.h"

enum { FEW = 8 };

static bool cheap(const struct ir_fn *fn, uint32_t b)
{
	unsigned n = 0;

	if (fn->inst[fn->block[b].last].op != IR_brc || fn->block[b].npred != 1)
		return false;
	for (ir_id id = fn->block[b].first; id != fn->block[b].last; id = fn->inst[id].next)
		if ((ir_ops[fn->inst[id].op].fx & ~(unsigned)(FX_COMM | FX_CONV)) || ++n > FEW)
			return false;
	return true;
}

static uint32_t pred_of(const struct ir_fn *fn, uint32_t block, uint32_t from)
{
	uint32_t k = 0;

	while (fn->block[block].pred[k] != from)
		k++;
	return k;
}

/* Can a select stand for what the phis of `both` take from a and from b? Handles and vectors are left alone. */
static bool joins(struct ir_fn *fn, uint32_t both, uint32_t a, uint32_t b)
{
	uint32_t pa = pred_of(fn, both, a), pb = pred_of(fn, both, b);

	for (ir_id id = fn->block[both].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next) {
		ir_type t = fn->inst[id].type;
		if ((ir_elems(t) > 1 || t == IR_RES) && ir_args(fn, id)[pa] != ir_args(fn, id)[pb])
			return false;
	}
	return true;
}

/* May `a` take over b's choice? Then *both is the place that either may go to, at once. */
static bool foldable(struct ir_fn *fn, uint32_t a, uint32_t b, uint32_t *both)
{
	const struct ir_block *x = &fn->block[a], *y = &fn->block[b];
	uint32_t other = x->succ[0] == b ? x->succ[1] : x->succ[0];

	if (b == a || other == b || !cheap(fn, b) || y->succ[0] == y->succ[1] || (y->succ[0] != other && y->succ[1] != other))
		return false;
	*both = other;
	return y->succ[0] != b && y->succ[1] != b && joins(fn, other, a, b);
}

static void fold(struct ir_fn *fn, uint32_t a, uint32_t b, uint32_t both)
{
	ir_id end = fn->block[a].last, end_b = fn->block[b].last, ca = fn->inst[end].a[0], cb = fn->inst[end_b].a[0];
	bool on_true = fn->block[a].succ[0] == both; /* a goes there at once when its condition is true */
	uint32_t kb = fn->block[b].succ[0] == both ? 0 : 1;

	for (ir_id id = fn->block[b].first, next; id != end_b; id = next) {
		next = fn->inst[id].next;
		ir_insert_before(fn, id, end);
	}
	fn->before = end;
	fn->flags = 0;
	fn->addr = fn->inst[end].addr;
	/* b's condition in the sense that a's has */
	if ((kb == 0) != on_true)
		cb = ir_op1(fn, IR_inot, IR_B1, cb);
	ir_id cond = ir_op2(fn, on_true ? IR_ior : IR_iand, IR_B1, ca, cb);
	/* what comes to `both` from b now comes from a, when a's own condition does not send it there */
	uint32_t pa = pred_of(fn, both, a), pb = pred_of(fn, both, b);
	for (ir_id id = fn->block[both].first; id && fn->inst[id].op == IR_phi; id = fn->inst[id].next) {
		ir_id va = ir_args(fn, id)[pa], vb = ir_args(fn, id)[pb];
		if (va == vb)
			continue;
		va = ir_op3(fn, IR_select, fn->inst[id].type, ca, on_true ? va : vb, on_true ? vb : va);
		ir_args(fn, id)[pa] = va;
	}
	fn->before = 0;
	cfg_edge_remove(fn, b, kb);
	/* a -> b becomes a -> b's other successor, in place */
	uint32_t rest = fn->block[b].succ[0], k = on_true ? 1 : 0;
	fn->block[rest].pred[pred_of(fn, rest, b)] = a;
	fn->block[a].succ[k] = rest;
	fn->inst[fn->block[a].last].a[0] = cond;
	fn->block[b].nsucc = fn->block[b].npred = 0;
	fn->block[b].dead = true;
	ir_remove(fn, end_b);
}

void sz_conditions(struct sz *s)
{
	struct ir_fn *fn = s->fn;
	uint32_t both;

	/* later blocks first: chains fold from their end */
	for (uint32_t i = fn->norder; i-- > 0;) {
		uint32_t a = fn->order[i];
		for (bool again = true; again && !fn->block[a].dead && fn->inst[fn->block[a].last].op == IR_brc;) {
			again = false;
			for (unsigned k = 0; k < 2 && !again; k++)
				if (foldable(fn, a, fn->block[a].succ[k], &both)) {
					fold(fn, a, fn->block[a].succ[k], both);
					s->stale = true;
					again = fn->block[a].succ[0] != fn->block[a].succ[1];
				}
		}
	}
}
