/* turns.c - registers of a loop that takes the lanes of a mask in turns.
 *
 *     loop: %m = phi true, %rest
 *           %x = phi %in, %next             in the lanes of %m: %in
 *           %next = select %act, %new, %x
 *           %rest = iand %m, (inot %act)
 *
 * A guest has few registers: the result takes the place of what chose the turn. A lane that has got it is no longer in the mask.
 */
#include "turns.h"

/* Is `m` clear in every lane where `q` is set, by their form? */
static bool set_where(const struct ir_fn *fn, ir_id m, ir_id c, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[m];
	return m == c || (depth && i->op == IR_iand && (set_where(fn, i->a[0], c, depth - 1) || set_where(fn, i->a[1], c, depth - 1)));
}

static bool clear_where(const struct ir_fn *fn, ir_id q, ir_id m, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[q];
	if (i->op == IR_inot)
		return set_where(fn, m, i->a[0], 4);
	return depth && i->op == IR_iand && (clear_where(fn, i->a[0], m, depth - 1) || clear_where(fn, i->a[1], m, depth - 1));
}

/* What `v` is in the lanes of mask `q`: writes that they are not under fall away. `head`: a value to stop at. */
static ir_id among(struct ir_fn *fn, ir_id v, ir_id q, ir_id head, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v];
	while (i->op == IR_select && clear_where(fn, q, i->a[0], 4)) {
		v = i->a[2];
		i = &fn->inst[v];
	}
	if (v == head || i->op != IR_phi || !depth)
		return v;
	ir_id one = 0;
	bool both = fn->inst[q].op == IR_phi && fn->inst[q].block == i->block; /* the mask of the way that the value came */
	for (unsigned k = 0, n = ir_nargs(fn, v); k < n; k++) {
		ir_id a = among(fn, ir_args(fn, v)[k], both ? ir_args(fn, q)[k] : q, head, depth - 1);
		if (one && a != one)
			return v;
		one = a;
	}
	return one;
}

ir_id turns_left(struct ir_fn *fn, ir_id mask, ir_id v)
{
	const struct ir_inst *i = &fn->inst[v], *m = &fn->inst[mask];
	const struct ir_block *b = &fn->block[i->block];
	ir_id in = 0;
	if (i->op != IR_phi || m->op != IR_phi || m->block != i->block)
		return v;
	for (uint32_t k = 0; k < b->npred; k++) {
		ir_id w = among(fn, ir_args(fn, v)[k], ir_args(fn, mask)[k], v, 3);
		bool back = cfg_dominates(fn, i->block, b->pred[k]);
		if (back ? w != v : in && in != w)
			return v;
		if (!back)
			in = w;
	}
	return in ? in : v;
}
