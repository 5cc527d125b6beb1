/* restrack_index.c - resource tracking: which element of an array of descriptors does an offset mean?
 *
 *     %o = iadd (shl %k, 5), 96         the array starts at 32, an element is 32 bytes:  element %k + 2
 *     %o = iadd (shl %k, 5), (shl %k, 4)     an element is 48 bytes:  element %k
 *     %o = readfirst %m, %o2            the first lane's:  readfirst %m, (element of %o2)
 *
 * The offset must be a multiple of the element's size by its form, so that the division is exact; what is not is refused.
 */
#include "restrack.h"
#include "turns.h"

/* Is there no way over this edge? The branch's condition is constant, and it is not cut off yet. */
static bool dead_edge(const struct ir_fn *fn, uint32_t from, uint32_t to)
{
	const struct ir_inst *i = &fn->inst[fn->block[from].last];
	uint64_t k;
	return i->op == IR_brc && ir_is_const(fn, i->a[0], &k) && fn->block[from].succ[!k] != to;
}

ir_id track_through_phis(struct track *t, ir_id v)
{
	struct ir_fn *fn = t->fn;
	ir_id seen[16] = {v}, one = 0;
	unsigned n = 1;
	for (unsigned k = 0; k < n; k++) {
		const struct ir_inst *i = &fn->inst[seen[k]];
		if (i->op == IR_undef)
			continue;
		if (i->op == IR_root || i->op == IR_const) {
			if (one && one != seen[k])
				return v;
			one = seen[k];
			continue;
		}
		if (i->op != IR_phi)
			return v;
		for (unsigned j = 0, m = ir_nargs(fn, seen[k]); j < m; j++) {
			ir_id a = ir_args(fn, seen[k])[j];
			unsigned old = 0;
			if (dead_edge(fn, fn->block[i->block].pred[j], i->block))
				continue;
			while (old < n && seen[old] != a)
				old++;
			if (old == n && n == sizeof seen / sizeof *seen)
				return v;
			if (old == n)
				seen[n++] = a;
		}
	}
	return one ? one : v;
}

/* What the first lane is asked for, as the lanes of the mask have it. A loop that goes round without any reads lane 0, which has done
 * with it; where all come in with the same value, lane 0 has it, too. */
static ir_id asked_for(struct track *t, ir_id first)
{
	struct ir_fn *fn = t->fn;
	ir_id mask = fn->inst[first].a[0], v = fn->inst[first].a[1], in = turns_left(fn, mask, v);
	uint32_t h = fn->inst[v].block;

	for (uint32_t k = 0; in != v && k < fn->block[h].npred; k++) {
		uint32_t from = fn->block[h].pred[k];
		if (ir_args(fn, v)[k] != in && !some_lane_goes(&t->some, fn, t->scratch, ir_args(fn, mask)[k], from, h))
			return v;
	}
	return in;
}

ir_id track_first(struct track *t, ir_id v, uint32_t *c)
{
	struct ir_fn *fn = t->fn;
	const struct ir_inst *i = &fn->inst[v], *sum = &fn->inst[asked_for(t, v)];
	uint64_t k;
	unsigned n = sizeof t->split / sizeof *t->split;
	if (i->type != IR_I32 || sum->op != IR_iadd || !ir_is_const(fn, sum->a[1], &k))
		return v;
	*c = (uint32_t)k;
	for (unsigned j = 0; j < t->nsplit; j++)
		if (t->split[j].from == v)
			return t->split[j].to;
	if (t->nsplit == n) {
		*c = 0;
		return v;
	}
	ir_id part = sum->a[0];
	track_at(t, v);
	t->split[t->nsplit].from = v;
	return t->split[t->nsplit++].to = ir_op2(fn, IR_readfirst, IR_I32, fn->inst[v].a[0], part);
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* How many low bits of `v` are zero by its form, 32 for 0. What comes round to the phi `assume` has what the other ways have. */
static unsigned zero_bits(struct ir_fn *fn, ir_id v, ir_id assume, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v];
	const ir_id *a = ir_args(fn, v);
	unsigned n = ir_nargs(fn, v), first = 0, zeros = 32;
	uint64_t k;

	if (ir_is_const(fn, v, &k))
		return k ? (unsigned)__builtin_ctzll(k) : 32;
	if (v == assume || i->op == IR_undef)
		return 32;
	if (!depth || i->type != IR_I32)
		return 0;
	switch (i->op) {
	case IR_shl:
		zeros = zero_bits(fn, a[0], assume, depth - 1);
		return ir_is_const(fn, a[1], &k) ? least(zeros + (k & 31), 32) : zeros;
	case IR_imul: return least(zero_bits(fn, a[0], assume, depth - 1) + zero_bits(fn, a[1], assume, depth - 1), 32);
	case IR_iand: return ir_is_const(fn, a[1], &k) && k ? (unsigned)__builtin_ctzll(k) : 0;
	case IR_phi:
		if (assume)
			return 0;
		assume = v;
		break;
	case IR_readfirst: n = 2; /* fallthrough */
	case IR_select: first = 1; break;
	case IR_iadd: case IR_isub: case IR_ior: case IR_umin: case IR_umax: break;
	default: return 0;
	}
	for (unsigned j = first; j < n && zeros; j++)
		zeros = least(zeros, zero_bits(fn, a[j], assume, depth - 1));
	return zeros;
}

static ir_id divide(struct track *t, ir_id term, uint32_t stride, ir_id where, unsigned depth);

/* x * k / stride. */
static ir_id divide_factor(struct track *t, ir_id x, uint64_t k, uint32_t stride, ir_id where, unsigned depth)
{
	struct ir_fn *fn = t->fn;

	if (k && k % stride == 0) {
		track_at(t, where);
		return k == stride ? x : ir_op2(fn, IR_imul, IR_I32, x, ir_const(fn, IR_I32, k / stride));
	}
	return k && stride % k == 0 ? divide(t, x, (uint32_t)(stride / k), where, depth) : 0;
}

/* term is x * k: shifts, products with numbers, and sums of such of the same x. */
static ir_id times(const struct ir_fn *fn, ir_id term, uint64_t *k, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[term];
	uint64_t c, d = 0;
	ir_id x;

	*k = 1;
	if (!depth || i->type != IR_I32)
		return term;
	if (i->op == IR_shl && ir_is_const(fn, i->a[1], &c)) {
		x = times(fn, i->a[0], k, depth - 1);
		*k <<= c & 31;
	} else if (i->op == IR_imul && ir_is_const(fn, i->a[1], &c)) {
		x = times(fn, i->a[0], k, depth - 1);
		*k *= c;
	} else if (i->op == IR_iadd && (x = times(fn, i->a[0], k, depth - 1)) == times(fn, i->a[1], &d, depth - 1)) {
		*k += d;
	} else {
		*k = 1;
		return term;
	}
	if (*k <= UINT32_MAX)
		return x;
	*k = 1;
	return term;
}

static ir_id divide(struct track *t, ir_id term, uint32_t stride, ir_id where, unsigned depth)
{
	struct ir_fn *fn = t->fn;
	struct ir_inst i = fn->inst[term];
	uint64_t k;
	ir_id x = 0, y;

	if (ir_is_const(fn, term, &k))
		return (int32_t)k % (int32_t)stride ? 0 : ir_const(fn, IR_I32, (uint32_t)((int32_t)k / (int32_t)stride));
	if (!depth)
		return 0;
	if (i.op == IR_shl && ir_is_const(fn, i.a[1], &k))
		x = divide_factor(t, i.a[0], 1ull << (k & 31), stride, where, depth - 1);
	else if (i.op == IR_imul)
		for (unsigned j = 0; j < 2 && !x; j++)
			x = ir_is_const(fn, i.a[j], &k) ? divide_factor(t, i.a[!j], k, stride, where, depth - 1) : 0;
	else if (i.op == IR_iadd && (y = times(fn, term, &k, 4)) != term)
		x = divide_factor(t, y, k, stride, where, depth - 1);
	else if (i.op == IR_iadd && (x = divide(t, i.a[0], stride, where, depth - 1)) != 0) {
		y = divide(t, i.a[1], stride, where, depth - 1);
		track_at(t, where);
		x = y ? ir_op2(fn, IR_iadd, IR_I32, x, y) : 0;
	} else if (i.op == IR_readfirst && (x = divide(t, asked_for(t, term), stride, term, depth - 1)) != 0) {
		track_at(t, term);
		x = ir_op2(fn, IR_readfirst, IR_I32, i.a[0], x);
	}
	if (x || stride & (stride - 1) || zero_bits(fn, term, 0, 6) < (unsigned)__builtin_ctz(stride))
		return x;
	track_at(t, where);
	return ir_op2(fn, IR_lshr, IR_I32, term, ir_const(fn, IR_I32, (unsigned)__builtin_ctz(stride)));
}

ir_id track_multiple(struct track *t, ir_id term, uint32_t *factor)
{
	struct ir_fn *fn = t->fn;
	uint64_t k, inner = 1;
	ir_id x = times(fn, term, &k, 4);
	if (fn->inst[x].op == IR_readfirst) /* each lane's, or the first one's: as far apart */
		x = times(fn, asked_for(t, x), &inner, 4);
	*factor = (uint32_t)(k * inner);
	return x;
}

unsigned track_zero_bits(struct track *t, ir_id v)
{
	return zero_bits(t->fn, v, 0, 6);
}

ir_id track_divide(struct track *t, ir_id term, uint32_t stride, ir_id where)
{
	return divide(t, term, stride, where, 6);
}
