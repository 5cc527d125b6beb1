/* fold_misc.c - folding that the rule language cannot say: phis, vectors, undefined values, compares of selects, byte offsets.
 * Results are as those of fold_rules_apply: 0 nothing, the id itself rewritten, else the replacement.
 */
#include "fold.h"

/* A value that is defined on every way to the block, and not by the block itself: a phi of the same block would be the value
 * of another trip around the loop. */
static bool available(const struct ir_fn *fn, ir_id id, uint32_t block)
{
	uint32_t b = fn->inst[id].block;

	return b == IR_NO_BLOCK || (b != block && cfg_dominates(fn, b, block));
}

/* phi of one value and itself: that value. An undefined operand may be chosen to be the value too. */
static ir_id fold_phi(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const ir_id *a = ir_args(fn, id);
	unsigned n = ir_nargs(fn, id);
	ir_id only = 0;
	bool undef = false;

	for (unsigned i = 0; i < n; i++) {
		if (a[i] == id || a[i] == only)
			continue;
		if (fn->inst[a[i]].op == IR_undef)
			undef = true;
		else if (only)
			return 0;
		else
			only = a[i];
	}
	if (!only)
		return ir_undef(fn, fn->inst[id].type);
	return !undef || available(fn, only, fn->inst[id].block) ? only : 0;
}

/* elem #i (vec a b c): the element. elem of a scalar: the scalar. */
static ir_id fold_elem(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id], *v = &fn->inst[in->a[0]];

	if (v->op == IR_vec && in->imm < ir_nargs(fn, in->a[0]))
		return ir_args(fn, in->a[0])[in->imm];
	if (v->op == IR_undef)
		return ir_undef(fn, in->type);
	return v->type == in->type ? in->a[0] : 0;
}

/* shl 1, (ctz n), where n is a number of samples: n, which is a power of two up to 64. The descriptor has the
 * logarithm. */
static ir_id fold_samples(struct fold *f, ir_id id)
{
	const struct ir_inst *inst = f->fn->inst, *log = &inst[inst[id].a[1]];
	uint64_t k;

	if (!ir_is_const(f->fn, inst[id].a[0], &k) || k != 1)
		return 0;
	if (log->op == IR_iand && ir_is_const(f->fn, log->a[1], &k) && (k & 7) == 7)
		log = &inst[log->a[0]];
	const struct ir_inst *query = &inst[log->a[0]];
	if (log->op != IR_ctz || query->op != IR_iquery || query->sub != 2 || query->type != inst[id].type)
		return 0;
	return log->a[0];
}

/* vec of all elements of one vector, in order: that vector. */
static ir_id fold_vec(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const ir_id *a = ir_args(fn, id);
	unsigned n = ir_nargs(fn, id);
	ir_id from = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct ir_inst *e = &fn->inst[a[i]];
		if (e->op != IR_elem || e->imm != i || (from && from != e->a[0]))
			return 0;
		from = e->a[0];
	}
	return from && fn->inst[from].type == fn->inst[id].type ? from : 0;
}

/* The two constants that a value chooses between by one condition. */
static bool two_constants(const struct ir_fn *fn, ir_id id, ir_id *cond, uint64_t k[2])
{
	const struct ir_inst *in = &fn->inst[id];

	if (in->op == IR_select && ir_is_const(fn, in->a[1], &k[1]) && ir_is_const(fn, in->a[2], &k[0])) {
		*cond = in->a[0];
		return true;
	}
	if ((in->op != IR_zext && in->op != IR_sext) || fn->inst[in->a[0]].type != IR_B1)
		return false;
	*cond = in->a[0];
	k[0] = 0;
	k[1] = in->op == IR_zext ? 1 : fold_mask(in->type);
	return true;
}

/* A compare of (c ? constant : constant) with a constant: true, false, c or not c. */
static ir_id fold_compare(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];
	ir_id cond;
	uint64_t k[2], other, out[2];

	if (in->flags & IR_F_FTZ)
		return 0;
	for (unsigned side = 0; side < 2; side++) {
		if (!ir_is_const(fn, in->a[1 - side], &other) || !two_constants(fn, in->a[side], &cond, k))
			continue;
		ir_type t[2] = { fn->inst[in->a[0]].type, fn->inst[in->a[1]].type };
		for (unsigned i = 0; i < 2; i++) {
			uint64_t args[2] = { side ? other : k[i], side ? k[i] : other };
			if (!ir_eval_op(in->op, IR_B1, in->sub, in->imm, t, args, &out[i]))
				return 0;
		}
		if (out[0] == out[1])
			return ir_const(fn, IR_B1, out[0]);
		return out[1] ? cond : fold_make(f, id, IR_inot, IR_B1, in->flags, 1, &cond);
	}
	return 0;
}

/* offset x + c, immediate i: offset x, immediate i + c. A 64-bit address wraps in both forms alike; a 32-bit offset must not
 * wrap, or the sum would be another one. */
ir_id fold_offset(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	unsigned at = fold_offsets[fn->inst[id].op];
	ir_id off = ir_args(fn, id)[at];
	const struct ir_inst *o = &fn->inst[off];
	uint64_t c;

	if (o->op != IR_iadd || !ir_is_const(fn, o->a[1], &c))
		return 0;
	int64_t imm = (int64_t)fn->inst[id].imm;
	if (ir_bits(o->type) == 64) {
		int64_t sum = (int64_t)((uint64_t)imm + c);
		if (sum < INT32_MIN || sum > INT32_MAX)
			return 0;
		fn->inst[id].imm = (uint64_t)sum;
	} else {
		if (c > INT32_MAX || imm < 0 || imm > INT32_MAX - (int64_t)c || fold_maybe(f, o->a[0], 6) > fold_mask(o->type) - c)
			return 0;
		fn->inst[id].imm = (uint64_t)imm + c;
	}
	ir_args(fn, id)[at] = fn->inst[off].a[0];
	return id;
}

/* Bits of an undefined value are undefined. */
static ir_id fold_undef(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];

	return fn->inst[in->a[0]].op == IR_undef ? ir_undef(fn, in->type) : 0;
}

/* A cast to the same type is none. (Not a rule, which would be tried for every cast.) */
static ir_id fold_cast(struct fold *f, ir_id id)
{
	const struct ir_inst *in = &f->fn->inst[id];

	return f->fn->inst[in->a[0]].type == in->type ? in->a[0] : fold_undef(f, id);
}

static ir_id fold_pair(struct fold *f, ir_id id)
{
	const struct ir_inst *in = &f->fn->inst[id];

	return f->fn->inst[in->a[1]].op == IR_undef ? fold_undef(f, id) : 0;
}

/* Of x: c ? -1 : (clz x), where c says that x is zero; then x, else 0. */
static ir_id zeros_or_none(const struct ir_fn *fn, ir_id v)
{
	const struct ir_inst *in = &fn->inst[v];
	uint64_t k;

	if (in->op != IR_select || fn->inst[in->a[2]].op != IR_clz || !ir_is_const(fn, in->a[1], &k) || k != UINT32_MAX)
		return 0;
	ir_id x = fn->inst[in->a[2]].a[0];
	return ir_is_zero_test(fn, in->a[0], x) ? x : 0;
}

/* borrow 31, n ? n : 31 - n, of leading zeros n or -1 for none: 31 - (clz x), which is -1 for zero without being asked. */
static ir_id fold_top_bit(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id], *under = &fn->inst[in->a[0]], *diff = &fn->inst[in->a[2]];
	ir_id n = in->a[1], x = zeros_or_none(fn, n);
	uint64_t k;

	if (!x || ir_bits(fn->inst[x].type) != 32 || diff->op != IR_isub || diff->a[1] != n || !ir_is_const(fn, diff->a[0], &k) || k != 31 ||
	    under->op != IR_borrow || under->a[0] != diff->a[0] || under->a[1] != n)
		return 0;
	ir_id zeros = fn->inst[n].a[2], top = diff->a[0];
	return fold_make(f, id, IR_isub, IR_I32, in->flags, 2, (ir_id[]){ top, zeros });
}

/* A choice between a value and nothing is the value. */
static ir_id fold_choice(struct fold *f, ir_id id)
{
	const struct ir_inst *inst = f->fn->inst, *in = &inst[id];

	if (inst[in->a[1]].op == IR_undef)
		return in->a[2];
	if (inst[in->a[2]].op == IR_isub && inst[in->a[0]].op == IR_borrow)
		return fold_top_bit(f, id);
	return inst[in->a[2]].op == IR_undef ? in->a[1] : 0;
}

/* What is equal in all lanes by definition needs no reading of a lane, and is set in any lane when in this one. */
static ir_id fold_uniform(struct fold *f, ir_id id, ir_id value)
{
	const struct ir_inst *in = &f->fn->inst[value];

	return ir_ops[in->op].div == DIV_NEVER && in->op != IR_undef && fold_in_step(f, value, id) ? value : 0;
}

/* Lanes that are the first one's equals, out of a mask: `m & (x == readfirst m, x)`. Is `v` that, of which m? The first lane was found
 * in the block of `id`: on the way to another it may have left the others. */
static ir_id waterfall_mask(struct fold *f, ir_id id, ir_id v)
{
	const struct ir_inst *in = &f->fn->inst[v];

	for (unsigned k = 0; k < 2 && in->op == IR_iand; k++) {
		const struct ir_inst *eq = &f->fn->inst[in->a[k]];
		ir_id mask = in->a[!k];
		for (unsigned j = 0; j < 2 && eq->op == IR_ieq; j++) {
			const struct ir_inst *first = &f->fn->inst[eq->a[j]];
			if (first->op == IR_readfirst && fold_find(f, first->a[0]) == mask && fold_find(f, first->a[1]) == eq->a[!j])
				return first->block == f->fn->inst[id].block ? mask : 0;
		}
	}
	return 0;
}

/* Does every way into the phi's block bring a mask that has a bit set? It is all ones, or the way depends on it, which is asked of the
 * lanes that stand there. */
static bool never_empty(struct fold *f, ir_id phi)
{
	struct ir_fn *fn = f->fn;
	const struct ir_block *b = &fn->block[fn->inst[phi].block];

	for (uint32_t k = 0; k < b->npred; k++) {
		ir_id mask = ir_args(fn, phi)[k];
		const struct ir_block *from = &fn->block[b->pred[k]];
		const struct ir_inst *br = &fn->inst[from->last];
		uint64_t c;
		if (ir_is_const(fn, mask, &c) && c)
			continue;
		if (br->op != IR_brc || from->succ[0] == from->succ[1] || &fn->block[from->succ[0]] != b)
			return false;
		const struct ir_inst *any = &fn->inst[br->a[0]];
		if (any->op != IR_any || any->a[0] != mask || any->block != b->pred[k])
			return false;
	}
	return true;
}

/* The first lane of a mask is always its own equal; what a loop of such turns goes on with is not empty. */
static ir_id fold_any(struct fold *f, ir_id id)
{
	const struct ir_inst *inst = f->fn->inst;
	ir_id mask = inst[id].a[0], wide = waterfall_mask(f, id, mask), whole;

	if ((whole = fold_uniform(f, id, mask)) != 0)
		return whole;
	if (!wide)
		return 0;
	if (inst[wide].op == IR_phi && inst[wide].block == inst[id].block && never_empty(f, wide))
		return ir_const(f->fn, IR_B1, 1);
	f->fn->inst[id].a[0] = wide;
	return id;
}

static ir_id fold_lane(struct fold *f, ir_id id)
{
	return fold_uniform(f, id, f->fn->inst[id].a[1]);
}

/* What is asked of a whole quad is the same in its four lanes, too. */
static ir_id fold_quad(struct fold *f, ir_id id)
{
	ir_id value = f->fn->inst[id].a[1];

	return f->fn->inst[value].op == IR_quadany && fold_in_step(f, value, id) ? value : fold_uniform(f, id, value);
}

const uint8_t fold_offsets[IR_OP_COUNT] = {
#define SPECIAL(op, function, at, where) [IR_##op] = at,
#include "fold_specials.def"
#undef SPECIAL
};

fold_special *const fold_specials[IR_OP_COUNT] = {
#define SPECIAL(op, function, at, where) [IR_##op] = function,
#include "fold_specials.def"
#undef SPECIAL
};
