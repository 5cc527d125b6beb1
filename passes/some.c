/* some.c - masks that are known to have a lane where the code runs.
 *
 *     %5 = any %m
 *     brc %5, region, join          in region, and what only it leads to: %m has a lane
 *
 * So has the mask that the program starts with, and a phi of such masks. Lanes must never part for that: what is asked is asked of those
 * that stand there.
 */
#include "some.h"

enum { FAR = 64 /* blocks looked at */, DEEP = 4, DEPTH = 64 };

/* Lane by lane, is b set wherever a is? */
static bool implies(const struct ir_fn *fn, ir_id a, ir_id b, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[a], *j = &fn->inst[b];

	if (a == b)
		return true;
	if (!depth || i->type != IR_B1)
		return false;
	if (i->op == IR_iand && (implies(fn, i->a[0], b, depth - 1) || implies(fn, i->a[1], b, depth - 1)))
		return true;
	return j->op == IR_ior && (implies(fn, a, j->a[0], depth - 1) || implies(fn, a, j->a[1], depth - 1));
}

/* The mask that the wave asked about where it branched from block `from` to `to`, and has a lane: 0 none. */
static ir_id asked(const struct ir_fn *fn, uint32_t from, uint32_t to)
{
	const struct ir_block *b = &fn->block[from];
	const struct ir_inst *i = &fn->inst[b->last];
	bool yes = b->nsucc == 2 && b->succ[0] == to;

	if (i->op != IR_brc || b->succ[0] == b->succ[1])
		return 0;
	i = &fn->inst[i->a[0]];
	for (unsigned n = 0; n < DEEP && i->op == IR_inot; n++, yes = !yes)
		i = &fn->inst[i->a[0]];
	return yes && i->op == IR_any && i->block == from ? i->a[0] : 0;
}

/* ---- do lanes ever part? */
struct alike { const struct ir_fn *fn; bool *seen; };

/* Is the value the same in all lanes, by its form? What is being asked already is taken to be. */
static bool is_alike(const struct alike *a, ir_id v, unsigned depth)
{
	struct ir_fn *fn = (struct ir_fn *)(uintptr_t)a->fn;
	const struct ir_inst *i = &fn->inst[v];
	unsigned fx = ir_ops[i->op].fx, div = ir_ops[i->op].div;
	bool load = i->op == IR_ldbuf || i->op == IR_ldptr || i->op == IR_ldtab, pure = !(fx & ~(unsigned)(FX_COMM | FX_CONV));

	if (!v || a->seen[v] || (div == DIV_NEVER && i->op != IR_undef))
		return true;
	if (!depth || !(i->op == IR_phi || (div == DIV_ANY && (load || pure))))
		return false;
	a->seen[v] = true;
	for (unsigned k = 0, n = ir_nargs(fn, v); k < n; k++)
		if (!is_alike(a, ir_args(fn, v)[k], depth - 1))
			return false;
	return true;
}

static bool find_alike(struct ir_fn *fn, struct arena *scratch)
{
	struct alike a = { fn, arena_array(scratch, bool, fn->ninst) };

	ir_for_order(fn, b) {
		const struct ir_inst *i = &fn->inst[fn->block[b].last];
		if (fn->block[b].nsucc > 1 && !is_alike(&a, i->a[0], DEPTH))
			return false;
	}
	return true;
}

/* ---- masks */
/* By its form, if it is made where all lanes of the wave are. */
static bool full(const struct ir_fn *fn, ir_id mask)
{
	const struct ir_inst *i = &fn->inst[mask], *x = &fn->inst[i->a[0]];
	uint64_t k;

	if (ir_is_const(fn, mask, &k))
		return k;
	if (i->op == IR_inot) /* one lives */
		return x->op == IR_sysval && x->sub == SYSVAL_helper;
	return i->op == IR_ult && x->op == IR_sysval && x->sub == SYSVAL_local_index && ir_is_const(fn, i->a[1], &k) && /* of a workgroup filled up */
	       fn->wave && k && (k + fn->wave - 1) / fn->wave * fn->wave == (uint64_t)fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
}

static bool goes(const struct ir_fn *fn, ir_id mask, uint32_t from, uint32_t to)
{
	ir_id q = asked(fn, from, to);

	return q && implies(fn, q, mask, DEEP);
}

static bool on_ways(struct ir_fn *fn, ir_id phi, uint32_t at)
{
	const struct ir_block *b = &fn->block[at];

	for (uint32_t k = 0; k < b->npred; k++) {
		ir_id m = ir_args(fn, phi)[k];
		if (!full(fn, m) && !goes(fn, m, b->pred[k], at))
			return false;
	}
	return true;
}

static bool never_part(struct some *s, struct ir_fn *fn, struct arena *scratch)
{
	if (!s->alike)
		s->alike = find_alike(fn, scratch) ? 1 : 2;
	return s->alike == 1;
}

bool some_lane_goes(struct some *s, struct ir_fn *fn, struct arena *scratch, ir_id mask, uint32_t from, uint32_t to)
{
	return goes(fn, mask, from, to) && never_part(s, fn, scratch);
}

bool some_lane(struct some *s, struct ir_fn *fn, struct arena *scratch, ir_id mask, uint32_t at)
{
	if (!never_part(s, fn, scratch))
		return false;
	if (full(fn, mask))
		return true;
	for (unsigned n = 0; n < FAR && at != fn->entry; n++) {
		const struct ir_block *b = &fn->block[at];
		const struct ir_inst *m = &fn->inst[mask];
		if (m->op == IR_phi && m->block == at)
			return on_ways(fn, mask, at);
		if (b->npred == 1 && goes(fn, mask, b->pred[0], at))
			return true;
		at = b->idom;
	}
	return false;
}
