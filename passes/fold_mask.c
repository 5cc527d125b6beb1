/* fold_mask.c - what a value is worth to an instruction that looks at it only where a condition holds.
 *
 * Guest vector instructions write under a mask and keep the old register in inactive lanes, so lifted code is chains of
 *
 *   %2 = select %m, %1, %old          %5 = select %m, (fadd %1, %1), %old2      (before: fadd %2, %2)
 *   %4 = fadd %2, %2             ->
 *   %5 = select %m, %4, %old2
 *
 * The true side of a select, the operands of a masked memory op, the value of a first-lane read and the second operand of an
 * `iand` matter only where the mask is set: there an inner select by the same mask is its true side, and the mask and all its
 * conjuncts are true. The old values then die unless something outside of the mask reads them. The tree below the operand is
 * rebuilt where that changes something, through pure ops of one lane only: what another lane reads (FX_CROSS) sees the value
 * as it is. Each id has one memo entry, so chains are not walked again and again.
 */
#include "fold.h"

enum { MAX_TREE = 48, MAX_NODES = 256, IMPLIES_DEPTH = 6 };

struct under {
	ir_id cond, before;
	bool val;
	unsigned nodes;
	uint64_t told;
};

static int implies(const struct ir_fn *fn, ir_id c, bool val, ir_id x, unsigned depth)
{
	const struct ir_inst *in = &fn->inst[c];
	int k;

	if (c == x)
		return val;
	if (!depth)
		return -1;
	if (in->op == IR_inot)
		return implies(fn, in->a[0], !val, x, depth - 1);
	if (in->op != (val ? IR_iand : IR_ior))
		return -1;
	k = implies(fn, in->a[0], val, x, depth - 1);
	return k >= 0 ? k : implies(fn, in->a[1], val, x, depth - 1);
}

int fold_implies(const struct ir_fn *fn, ir_id c, bool val, ir_id x)
{
	return implies(fn, c, val, x, IMPLIES_DEPTH);
}

/* ---- which conditions occur below a value: a set of 64 buckets, so that most trees need no walk */
static uint64_t bucket(ir_id id)
{
	return 1ull << (id * 0x9e3779b9u >> 26);
}

void fold_note_tree(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];
	uint64_t clear = ~0ull;

	if (in->type == IR_VOID)
		return;
	if (in->type == IR_B1)
		clear &= ~bucket(id);
	/* The walk goes no further than pure ops of one lane; a value's condition is a value of the tree. */
	if (!(ir_ops[in->op].fx & ~(FX_COMM | FX_CONV))) {
		const ir_id *a = ir_args(fn, id);
		unsigned n = ir_nargs(fn, id);
		for (unsigned i = 0; i < n; i++)
			if (fn->inst[a[i]].block != IR_NO_BLOCK)
				clear &= a[i] < f->ninfo ? f->info[a[i]].clear : 0;
	}
	fold_info(f, id)->clear = clear;
}

/* All that the condition says something of. */
static uint64_t told(const struct ir_fn *fn, ir_id c, bool val, unsigned depth)
{
	const struct ir_inst *in = &fn->inst[c];
	uint64_t set = bucket(c);

	if (!depth)
		return set;
	if (in->op == IR_inot)
		return set | told(fn, in->a[0], !val, depth - 1);
	if (in->op != (val ? IR_iand : IR_ior))
		return set;
	return set | told(fn, in->a[0], val, depth - 1) | told(fn, in->a[1], val, depth - 1);
}

/* The condition says nothing of the value, nor of any below it. */
static inline bool untold(const struct fold *f, const struct under *u, ir_id id)
{
	return f->fn->inst[id].block == IR_NO_BLOCK || (id < f->ninfo && !(u->told & ~f->info[id].clear));
}

static ir_id under(struct fold *f, struct under *u, ir_id id, unsigned depth);

/* Rebuild with operands as they are under the condition. */
static ir_id rebuild(struct fold *f, struct under *u, ir_id id, unsigned depth)
{
	struct ir_fn *fn = f->fn;
	unsigned n = ir_nargs(fn, id);
	ir_id args[8];
	bool changed = false;

	if (n == 0 || n > 8)
		return id;
	for (unsigned i = 0; i < n; i++) {
		ir_id a = fold_find(f, ir_args(fn, id)[i]);
		args[i] = a && !untold(f, u, a) ? under(f, u, a, depth + 1) : a;
		changed |= args[i] != a;
	}
	return changed ? fold_copy(f, u->before, id, args) : id;
}

static ir_id under(struct fold *f, struct under *u, ir_id id, unsigned depth)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];
	uint32_t key = u->cond * 2 + u->val;

	if (untold(f, u, id))
		return id;
	if (in->type == IR_B1) {
		int k = fold_implies(fn, u->cond, u->val, id);
		if (k >= 0)
			return ir_const(fn, IR_B1, (uint64_t)k);
	}
	if ((ir_ops[in->op].fx & ~(FX_COMM | FX_CONV)) || depth >= MAX_TREE || ++u->nodes > MAX_NODES)
		return id;
	const struct fold_info *m = fold_info(f, id);
	if (m->under == key) {
		/* It was made for a use elsewhere: it must be there on the way here too. */
		ir_id is = fold_find(f, m->is);
		uint32_t b = fn->inst[is].block, here = fn->inst[u->before].block;
		if (is == id || b == IR_NO_BLOCK || cfg_dominates(fn, b, here))
			return is;
	}
	ir_id is;
	int k = in->op == IR_select ? fold_implies(fn, u->cond, u->val, in->a[0]) : -1;
	if (k >= 0)
		is = under(f, u, fold_find(f, in->a[k ? 1 : 2]), depth + 1);
	else
		is = rebuild(f, u, id, depth);
	struct fold_info *note = fold_info(f, id);
	note->under = key;
	note->is = is;
	return is;
}

static bool operand(struct fold *f, ir_id id, unsigned i, ir_id cond, bool val)
{
	struct under u = { cond, id, val, 0, told(f->fn, cond, val, IMPLIES_DEPTH) };
	ir_id old = ir_args(f->fn, id)[i];

	if (!old)
		return false;
	ir_id now = under(f, &u, old, 0);
	ir_args(f->fn, id)[i] = now;
	return now != old;
}

bool fold_under_mask(struct fold *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	enum ir_op op = fn->inst[id].op;
	uint32_t fx = ir_ops[op].fx;
	bool changed = false;

	if (op != IR_select && op != IR_readfirst && !(fx & FX_MASK) &&
	    (fn->inst[id].type != IR_B1 || (op != IR_iand && op != IR_ior)))
		return false;
	ir_id cond = ir_args(fn, id)[0];
	if (fn->inst[cond].block == IR_NO_BLOCK || fn->ninst > f->most)
		return false;
	if (op == IR_select) {
		changed = operand(f, id, 1, cond, true);
		return operand(f, id, 2, cond, false) || changed;
	}
	if (op == IR_iand || op == IR_ior || op == IR_readfirst)
		return operand(f, id, 1, cond, op != IR_ior);
	if (fx & FX_CROSS)
		return false;
	unsigned n = ir_nargs(fn, id);
	for (unsigned i = 1; i < n; i++)
		changed |= operand(f, id, i, cond, true);
	return changed;
}
