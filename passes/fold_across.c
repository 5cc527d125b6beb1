/* fold_across.c - a lane of another row, where all lanes of that row have the same.
 *
 *     %b = umin %a, (shuffle %a, lane ^ 1)          the same in lanes l and l ^ 1
 *     %c = umin %b, (shuffle %b, lane ^ 2)          in those that differ in bits 0 and 1, and so on
 *     ...
 *     %r = shuffle %e, (lane & -16) ^ 16      =>    %r = shuffle %e, lane ^ 16
 *
 * That is how compilers sum over a wave whose rows have no direct way to each other but from one lane to all. Hosts have a form
 * for lanes that differ in some bits.
 */
#include "fold.h"

bool fold_in_step(struct fold *f, ir_id v, ir_id at)
{
	struct ir_fn *fn = f->fn;
	uint32_t home = fn->inst[v].block, here = fn->inst[at].block;

	if (home == here || home == IR_NO_BLOCK || fn->inst[v].op == IR_root)
		return true;
	if (!f->loops)
		f->loops = cfg_loops(fn) ? 1 : 2;
	for (uint32_t h = fn->block[home].loop; h != IR_NO_BLOCK && f->loops == 1; h = fn->block[h].loop_parent) {
		uint32_t l = fn->block[here].loop;
		while (l != IR_NO_BLOCK && l != h)
			l = fn->block[l].loop_parent;
		if (l != h)
			return false;
	}
	return f->loops == 1;
}

enum { BITS = 6, DEPTH = 8 };
struct span { uint64_t of[BITS]; }; /* sums (without carry) of these; each by its highest bit */

static uint64_t rest(const struct span *s, uint64_t c)
{
	for (unsigned k = BITS; k-- > 0;)
		if (c >> k & 1)
			c ^= s->of[k];
	return c;
}

static void add(struct span *s, uint64_t c)
{
	c = c >> BITS ? 0 : rest(s, c);
	for (unsigned k = BITS; k-- > 0 && c;)
		if (c >> k & 1) {
			s->of[k] = c;
			return;
		}
}

/* Is v what `x` is in the lane whose number differs in bits *c? */
static bool across(const struct ir_fn *fn, ir_id v, ir_id x, uint64_t *c)
{
	const struct ir_inst *i = &fn->inst[v], *l;
	uint64_t all;

	if ((i->op != IR_shuffle && i->op != IR_quad) || i->a[1] != x || !ir_is_const(fn, i->a[0], &all) || !all)
		return false;
	if (i->op == IR_quad) { /* lanes 1 0 3 2, 2 3 0 1, 3 2 1 0 */
		*c = i->imm == 0xb1 ? 1 : i->imm == 0x4e ? 2 : i->imm == 0x1b ? 3 : 0;
		return *c != 0;
	}
	l = &fn->inst[i->a[2]];
	return l->op == IR_ixor && fn->inst[l->a[0]].op == IR_sysval && fn->inst[l->a[0]].sub == SYSVAL_lane_id &&
	       ir_is_const(fn, l->a[1], c);
}

/* Between which lanes v does not differ, by its form. */
static void same_in(struct fold *f, ir_id id, ir_id v, struct span *s, unsigned depth)
{
	const struct ir_fn *fn = f->fn;
	const struct ir_inst *i = &fn->inst[v];
	uint64_t c;

	for (unsigned k = 0; k < 2 && depth && ir_ops[i->op].fx & FX_COMM && i->nargs8 == 2; k++)
		if (across(fn, i->a[k], i->a[!k], &c) && fold_in_step(f, i->a[k], id)) {
			same_in(f, id, i->a[!k], s, depth - 1);
			add(s, c);
			return;
		}
}

ir_id fold_across(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *i = &fn->inst[id], *x = &fn->inst[i->a[2]], *a = &fn->inst[x->a[0]];
	struct span s = { { 0 } };
	uint64_t all, bits, keep;

	if (x->op != IR_ixor || a->op != IR_iand || fn->inst[a->a[0]].op != IR_sysval || fn->inst[a->a[0]].sub != SYSVAL_lane_id ||
	    !ir_is_const(fn, i->a[0], &all) || !all || !ir_is_const(fn, x->a[1], &bits) || !ir_is_const(fn, a->a[1], &keep))
		return 0;
	same_in(f, id, i->a[1], &s, DEPTH);
	for (unsigned k = 0; k < BITS; k++)
		if (!(keep >> k & 1) && rest(&s, 1ull << k))
			return 0;
	if (~keep & UINT32_MAX & ~((1u << BITS) - 1))
		return 0; /* (which a lane's number does not have) */
	ir_id lane[2] = { a->a[0], x->a[1] }, to = fold_make(f, id, IR_ixor, IR_I32, 0, 2, lane);
	fn->inst[id].a[2] = to;
	return id;
}
