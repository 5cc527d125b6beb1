/* fold_new.c - has `fold` anything to do? Where it ran before it mostly has not: what it left is marked (IR_F_SETTLED), and few passes
 * change anything but masks, branches and the handles of resources.
 *
 * Leaving the run out is always exact. What is looked for here is what it would find.
 */
#include "fold.h"

enum { MAX_ALIKE = 32, MAX_PHIS = 256 };

/* Values that may have become one, and how many more phis may be compared. */
struct alike {
	ir_id id[MAX_ALIKE];
	unsigned n, phis;
};

/* A value that the machine or the stage before provides, of any bits. (One in the place of user data says no more than that did.) */
static bool is_given(const struct ir_inst *in)
{
	if (in->op == IR_sysval)
		return in->sub != SYSVAL_lane_id && in->sub != SYSVAL_local_id && in->sub != SYSVAL_local_index;
	return in->op == IR_ldin;
}

/* A phi of several values, which none of its block is, too. */
static bool is_plain_phi(struct fold *f, struct alike *a, ir_id id)
{
	const struct ir_fn *fn = f->fn;

	if (fold_specials[IR_phi](f, id))
		return false;
	for (ir_id other = fn->block[fn->inst[id].block].first; fn->inst[other].op == IR_phi; other = fn->inst[other].next)
		if (other != id && (!a->phis-- || fold_same(&fn->inst[other], &fn->inst[id])))
			return false;
	return true;
}

/* Has an instruction that is not settled nothing to improve, in itself and for its users? (Of casts only casts look for more.) What has
 * effects or reads memory is of interest to none of them, and is itself done with unless a condition or an offset can be taken apart. */
static bool is_plain(struct fold *f, struct alike *a, ir_id id)
{
	const struct ir_inst *inst = f->fn->inst, *in = &inst[id];
	const ir_id *arg = in->nargs8 > IR_INLINE_ARGS ? in->x.ext : in->a;
	unsigned traits = fold_traits[in->op];

	if (in->op == IR_phi)
		return is_plain_phi(f, a, id);
	if (traits & FOLD_PURE)
		return in->op == IR_bind || is_given(in) ||
		       (in->op == IR_bitcast && is_given(&inst[in->a[0]]) && inst[in->a[0]].type != in->type);
	if (traits & (FOLD_NUMBER | FOLD_AROUND) || fold_filters[in->op]->rules || (traits & FOLD_MASK && inst[arg[0]].op != IR_const))
		return false;
	return !(traits & FOLD_SPECIAL) || (fold_specials[in->op] == fold_offset && inst[arg[fold_offsets[in->op]]].op != IR_iadd);
}

/* Has a settled one something to improve, for what became of others? */
static inline bool is_open(const struct ir_fn *fn, const struct ir_inst *in)
{
	if (in->op == IR_bitcast)
		return fn->inst[in->a[0]].op == IR_bitcast;
	const struct fold_filter *of = fold_filters[IR_inot];
	return in->op == IR_inot && of->kinds[0][fold_kind_of(&fn->inst[in->a[0]])] & of->rules;
}

/* May it have become the equal of another? Loads do when their buffer turns out to be constant. */
static inline bool may_equal(const struct ir_fn *fn, const struct ir_inst *in)
{
	if (fold_traits[in->op] & FOLD_LOADS)
		return fold_constant_load(fn, in);
	return is_given(in) || (in->op == IR_bitcast && !(in->flags & IR_F_SETTLED));
}

/* Are they one value, when equal handles are one? */
static bool same_but_handles(const struct ir_fn *fn, const struct ir_inst *p, const struct ir_inst *q)
{
	if (p->op != q->op || p->op != IR_ldbuf)
		return fold_same(p, q);
	struct ir_inst as = *q;
	if (fold_same(&fn->inst[p->a[1]], &fn->inst[q->a[1]]))
		as.a[1] = p->a[1];
	return fold_same(p, &as);
}

static bool is_alike(const struct ir_fn *fn, struct alike *a, ir_id id)
{
	if (a->n == MAX_ALIKE)
		return true;
	for (unsigned k = 0; k < a->n; k++)
		if (same_but_handles(fn, &fn->inst[a->id[k]], &fn->inst[id]))
			return true;
	a->id[a->n++] = id;
	return false;
}

bool fold_nothing_new(struct fold *f)
{
	const struct ir_fn *fn = f->fn;
	struct alike a;

	a.n = 0;
	a.phis = MAX_PHIS;
	if (fn->has[IR_any])
		return false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *in = &fn->inst[id];
			if (in->flags & IR_F_SETTLED && !(fold_traits[in->op] & FOLD_OPEN))
				continue;
			if (!(in->flags & IR_F_SETTLED) ? !is_plain(f, &a, id) : is_open(fn, in))
				return false;
			if (may_equal(fn, in) && is_alike(fn, &a, id))
				return false;
		}
	return true;
}
