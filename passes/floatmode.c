/* floatmode.c - the guest's denormal rule under --float strict: by the host's execution modes where the profile offers them, by
 * code where it does not, and only where a denormal can arise and be seen.
 *
 * IR_F_FTZ on an operation means flush(op(flush operands)). Two analyses over the function, both monotone:
 *
 *	maybe   the value's bits, read as a float of the value's width, may be a denormal (from the operands to the result)
 *	seen    somebody can tell a denormal in this value from a zero of its sign (from the uses to the value): SEEN; and
 *	        does not flush it himself: KEPT
 *
 * Integers are judged like floats of their width, because registers are integers and bitcasts stand between. Moves, selects,
 * minima, maxima and sign changes commute with a flush: they pass `seen` on to their operands instead of seeing themselves.
 *
 * Before                              After, on a host without a flush mode
 *   %3 = fmul %1, %2 ftz                %3 = fflush %1   (%1 was loaded)
 *   %4 = ftrunc %3 ftz                  %4 = fflush %2
 *                                       %5 = fmul %3, %4 (ftrunc cannot tell: no flush of the product)
 *                                       %6 = ftrunc %5
 *
 * After this pass IR_F_FTZ is left only where emission is to declare the host's flush mode for the width. An operation that
 * keeps denormals needs a host that keeps them: by mode, or as the profile's measured habit; else code that does
 * (floatkeep.h), or the program is refused. Minima, clamps and comparisons are always left to that code, so that one of
 * them (the guest's may keep what its arithmetic flushes) does not cost all others the host's mode.
 */
#include "dce.h"
#include "floatkeep.h"

enum { ROUNDS = 8, WIDTHS = 4 };
enum { SEEN = 1, KEPT = 2 };

struct fm {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	const struct fact_target *t;
	uint32_t n;               /* values at the start: later ones are ours */
	uint8_t *maybe, *seen;
	ir_id *flushed, *instead; /* flush of a value; what its uses get instead */
	struct floatkeep code;
	uint32_t inputs, outputs, signs, coded, keep[WIDTHS], flush[WIDTHS];
	ir_id keeper[WIDTHS];     /* first operation that needs denormals kept */
	bool mode[WIDTHS];
};

static unsigned width_of(ir_type t) /* index: 8 << i bits; 0: none that floats have */
{
	unsigned b = ir_bits(t);

	return b == 16 ? 1 : b == 32 ? 2 : b == 64 ? 3 : 0;
}

static unsigned mantissa(ir_type t)
{
	return ir_bits(t) == 16 ? 10 : ir_bits(t) == 64 ? 52 : 23;
}

static uint64_t sign_bit(ir_type t)
{
	return 1ull << (ir_bits(t) - 1);
}

static bool constant(const struct fm *f, ir_id v, uint64_t *bits)
{
	if (ir_is_const(f->fn, v, bits))
		return true;
	if (f->fn->inst[v].op == IR_bitcast && ir_elems(f->fn->inst[v].type) == 1)
		return ir_is_const(f->fn, f->fn->inst[v].a[0], bits);
	return false;
}

static bool is_denormal(ir_type t, uint64_t bits)
{
	uint64_t m = bits & (sign_bit(t) - 1);

	return m && m < 1ull << mantissa(t);
}

/* A finite constant of magnitude at least 2^(e of the smallest normal + more). */
static bool at_least(const struct fm *f, ir_id v, unsigned more)
{
	ir_type t = f->fn->inst[v].type;
	uint64_t k, inf = (sign_bit(t) - 1) >> mantissa(t) << mantissa(t);

	return constant(f, v, &k) && (k &= sign_bit(t) - 1) < inf && k >> mantissa(t) >= 1u + more;
}

/* |v| <= 1, whatever runs: times a denormal it stays one. */
static bool at_most_one(const struct fm *f, ir_id v)
{
	const struct ir_inst *i = &f->fn->inst[v];
	uint64_t k, one = ((sign_bit(i->type) - 1) >> (mantissa(i->type) + 1)) << mantissa(i->type);

	if (constant(f, v, &k))
		return (k & (sign_bit(i->type) - 1)) <= one;
	if (i->op == IR_fneg || i->op == IR_fabs || (i->op == IR_bitcast && ir_is_float(f->fn->inst[i->a[0]].type)))
		return at_most_one(f, i->a[0]);
	return i->op == IR_fsat;
}

/* 0, or at least 1. */
static bool whole(const struct fm *f, ir_id v)
{
	unsigned op = f->fn->inst[v].op;

	return op == IR_u2f || op == IR_s2f || op == IR_ffloor || op == IR_fceil || op == IR_ftrunc || op == IR_frndne;
}

/* So large that times a whole number it is no denormal: the reciprocal of a constant, too. */
static bool large(const struct fm *f, ir_id v)
{
	const struct ir_inst *i = &f->fn->inst[v];
	uint64_t k, low = sign_bit(i->type) >> 1; /* below 4 */

	if (i->op != IR_frcp)
		return at_least(f, v, 0);
	return at_least(f, i->a[0], 0) && constant(f, i->a[0], &k) && (k & (sign_bit(i->type) - 1)) < low + (low >> 2);
}

static bool moves(unsigned op)
{
	return op == IR_bitcast || op == IR_elem || op == IR_vec || op == IR_phi || op == IR_select || op == IR_readfirst ||
		op == IR_readlane || op == IR_shuffle || op == IR_quad || op == IR_fneg || op == IR_fabs;
}

/* Integer operations that only touch the sign of a float. */
static bool sign_only(const struct fm *f, const struct ir_inst *i)
{
	uint64_t k;

	if ((i->op != IR_iand && i->op != IR_ior && i->op != IR_ixor) || !width_of(i->type) || !ir_is_const(f->fn, i->a[1], &k))
		return false;
	return k == (i->op == IR_iand ? sign_bit(i->type) - 1 : sign_bit(i->type));
}

static bool reshapes(const struct fm *f, const struct ir_inst *i) /* a bitcast between widths */
{
	return i->op == IR_bitcast && ir_bits(f->fn->inst[i->a[0]].type) != ir_bits(i->type);
}

static bool passes_on(const struct fm *f, const struct ir_inst *i)
{
	return (moves(i->op) && !reshapes(f, i)) || i->op == IR_fmin || i->op == IR_fmax || i->op == IR_fsat || sign_only(f, i);
}

static bool any_maybe(const struct fm *f, ir_id id)
{
	const ir_id *a = ir_args(f->fn, id);
	unsigned n = ir_nargs(f->fn, id);

	for (unsigned k = 0; k < n; k++)
		if (a[k] && width_of(f->fn->inst[a[k]].type) && f->maybe[a[k]] && f->fn->inst[a[k]].type != IR_B1)
			return true;
	return false;
}

static bool arithmetic(unsigned op)
{
	return (op >= IR_fadd && op <= IR_fclass) || (op >= IR_s2f && op <= IR_f2f_rtz);
}

enum sight { BLIND, PASSES, SEES };
static enum sight sight(const struct fm *f, const struct ir_inst *i, unsigned k);

static bool flagged(const struct ir_inst *i)
{
	return ((i->flags & IR_F_FTZ) != 0) & arithmetic(i->op);
}

static bool flush_operand(const struct fm *f, const struct ir_inst *i, unsigned k)
{
	return ir_is_float(f->fn->inst[i->a[k]].type) && f->maybe[i->a[k]] && sight(f, i, k) == SEES;
}

/* The operand as the operation gets it. */
static bool arrives(const struct fm *f, const struct ir_inst *i, unsigned k)
{
	return f->maybe[i->a[k]] && !(flagged(i) && flush_operand(f, i, k));
}

/* The result may be a denormal, before its own flush. */
static bool can(const struct fm *f, ir_id id)
{
	const struct ir_inst *i = &f->fn->inst[id], *a = &f->fn->inst[i->a[0]];

	switch (i->op) {
	case IR_const: return is_denormal(i->type, i->imm);
	case IR_frcp: return !large(f, id);
	case IR_undef: case IR_s2f: case IR_u2f: case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_frndne: case IR_fsqrt:
	case IR_frsq: case IR_flog2: case IR_fflush: case IR_ffrexpm:
		return false;
	case IR_phi: case IR_vec: return any_maybe(f, id);
	case IR_select: return f->maybe[i->a[1]] || f->maybe[i->a[2]];
	case IR_readfirst: case IR_readlane: case IR_shuffle: case IR_quad: return f->maybe[i->a[1]];
	case IR_bitcast: return reshapes(f, i) || f->maybe[i->a[0]];
	case IR_elem: case IR_fneg: case IR_fabs: case IR_fsat: case IR_ffract: return arrives(f, i, 0);
	case IR_fmin: case IR_fmax: return f->maybe[i->a[0]] || f->maybe[i->a[1]];
	case IR_f2f: case IR_f2f_rtz: return ir_bits(i->type) < ir_bits(a->type) && !whole(f, i->a[0]);
	case IR_fadd: case IR_fsub: /* next to a constant nothing is left that is small */
		return !at_least(f, i->a[0], mantissa(i->type) + 3) && !at_least(f, i->a[1], mantissa(i->type) + 3);
	case IR_fmul: {
		unsigned bias = (1u << (ir_bits(i->type) - 2 - mantissa(i->type))) - 1;
		if ((whole(f, i->a[0]) && large(f, i->a[1])) || (whole(f, i->a[1]) && large(f, i->a[0])))
			return false;
		if (at_least(f, i->a[1], bias - 1))
			return arrives(f, i, 0);
		return !at_least(f, i->a[0], bias - 1) || arrives(f, i, 1);
	}
	case IR_iand: case IR_ior: case IR_ixor: return !sign_only(f, i) || f->maybe[i->a[0]];
	default: return true;
	}
}

/* What the k-th operand's denormal is to the instruction. */
static enum sight sight(const struct fm *f, const struct ir_inst *i, unsigned k)
{
	bool ftz = i->flags & IR_F_FTZ;

	if (passes_on(f, i))
		return PASSES;
	switch (i->op) {
	case IR_ftrunc: case IR_frndne: case IR_f2s: case IR_f2u: case IR_fexp2: case IR_fcos: case IR_fflush: return BLIND;
	case IR_fsin: return ftz ? BLIND : SEES;
	case IR_f2f: case IR_f2f_rtz: return ir_bits(i->type) < ir_bits(f->fn->inst[i->a[0]].type) ? BLIND : SEES;
	case IR_fadd: case IR_fsub: return at_least(f, i->a[!k], mantissa(i->type) + 3) ? BLIND : SEES;
	case IR_fmul: return ftz && (at_most_one(f, i->a[!k]) || i->a[0] == i->a[1]) ? BLIND : SEES;
	case IR_feq: case IR_flt: case IR_fle: case IR_flg: case IR_fequ: case IR_fltu: case IR_fleu: case IR_fneu:
		return at_least(f, i->a[!k], 0) ? BLIND : SEES;
	case IR_funo: return BLIND;
	default: return SEES;
	}
}

/* Operations that are good to the host's stated error, which says nothing of denormals. */
static bool host_precision(unsigned op)
{
	enum { EXACT, HOST, EMULATED };
	static const uint8_t guarantee[IR_OP_COUNT] = {
#define FLOAT(name, what, note) [IR_##name] = what,
#include "../ir/float.def"
	};

	return guarantee[op] == HOST;
}

/* Width that an operation's flush is about: a conversion's operand, else the operands' and the result's. */
static unsigned op_width(const struct fm *f, const struct ir_inst *i)
{
	return width_of(ir_ops[i->op].fx & FX_CONV || i->type == IR_B1 ? f->fn->inst[i->a[0]].type : i->type);
}

static bool flush_result(const struct fm *f, ir_id id)
{
	const struct ir_inst *i = &f->fn->inst[id];

	return ir_is_float(i->type) && !(ir_ops[i->op].fx & FX_CONV) && f->seen[id] && can(f, id);
}

static bool keeps(const struct fm *f, unsigned w)
{
	unsigned stage = f->fn->stage == STAGE_COMPUTE ? 2 : f->fn->stage == STAGE_FRAGMENT ? 1 : 0;

	return f->t->preserve_mode[w] || f->t->denorm_keep >> (stage * 4 + w) & 1;
}

static bool has_code(const struct fm *f, ir_id id)
{
	return floatkeep_by_bits(f->fn, id) || (!keeps(f, 1) && floatkeep_by_width(f->fn, id));
}

/* Does it keep denormals of operands, of the result? */
static bool keeps_operand(const struct fm *f, const struct ir_inst *i, unsigned n)
{
	for (unsigned k = 0; k < n && !flagged(i); k++)
		if (flush_operand(f, i, k))
			return true;
	return false;
}

static bool keeps_result(const struct fm *f, ir_id id)
{
	const struct ir_inst *i = &f->fn->inst[id];

	return ir_is_float(i->type) && (!flagged(i) || (ir_ops[i->op].fx & FX_CONV)) && (f->seen[id] & KEPT) && can(f, id);
}

/* ---- the analyses */
static bool forward(struct fm *f)
{
	bool changed = false;

	ir_for_order(f->fn, b)
		ir_for_insts(f->fn, b, id) {
			const struct ir_inst *i = &f->fn->inst[id];
			if (f->maybe[id] || !width_of(i->type) || (flagged(i) && !(ir_ops[i->op].fx & FX_CONV)) || !can(f, id))
				continue;
			f->maybe[id] = 1;
			changed = true;
		}
	return changed;
}

static bool backward(struct fm *f)
{
	bool changed = false;

	for (uint32_t o = f->fn->norder; o-- > 0;) {
		for (ir_id id = f->fn->block[f->fn->order[o]].last; id; id = f->fn->inst[id].prev) {
			const struct ir_inst *i = &f->fn->inst[id];
			const ir_id *a = ir_args(f->fn, id);
			unsigned n = ir_nargs(f->fn, id);
			for (unsigned k = 0; k < n; k++) {
				if (!a[k] || f->seen[a[k]] == (SEEN | KEPT) || !width_of(f->fn->inst[a[k]].type))
					continue;
				enum sight s = sight(f, i, k);
				uint8_t is = s == SEES ? SEEN | KEPT : s == PASSES ? f->seen[id] : 0;
				if (flagged(i) && ir_is_float(f->fn->inst[a[k]].type))
					is &= SEEN;
				changed |= (is & ~f->seen[a[k]]) != 0;
				f->seen[a[k]] |= is;
			}
		}
	}
	return changed;
}

/* What is not settled after some rounds is taken as it is worst: hostile graphs must not make this slow. */
static void analyse(struct fm *f)
{
	struct ir_fn *fn = f->fn;
	unsigned round = 0;

	for (ir_id id = 1; id < f->n; id++)
		if (fn->inst[id].block == IR_NO_BLOCK && width_of(fn->inst[id].type))
			f->maybe[id] = can(f, id);
	while (forward(f) && ++round < ROUNDS)
		;
	for (ir_id id = 1; id < f->n && round == ROUNDS; id++)
		f->maybe[id] |= fn->inst[id].op == IR_phi;
	if (round == ROUNDS)
		while (forward(f))
			;
	for (round = 0; backward(f) && ++round < ROUNDS;)
		;
	for (ir_id id = 1; id < f->n && round == ROUNDS; id++)
		f->seen[id] = SEEN | KEPT;
}

/* ---- what the function asks of each width */
static void count(struct fm *f, ir_id id)
{
	const struct ir_inst *i = &f->fn->inst[id];
	unsigned n = ir_nargs(f->fn, id), w = arithmetic(i->op) ? op_width(f, i) : 0, out = width_of(i->type);
	bool any = false;

	if (!w || i->op == IR_fflush || i->op == IR_fclass)
		return;
	for (unsigned k = 0; k < n; k++)
		any |= flush_operand(f, i, k);
	if (flagged(i))
		f->flush[w] += any || flush_result(f, id);
	/* By bits, or without a promise. */
	if (has_code(f, id) || i->op == IR_ffrexpm || i->op == IR_ffrexpe || host_precision(i->op))
		return;
	if (keeps_operand(f, i, n) && !f->keep[w]++)
		f->keeper[w] = id;
	if (keeps_result(f, id) && !f->keep[out]++)
		f->keeper[out] = id;
}

static bool choose(struct fm *f)
{
	for (unsigned w = 1; w < WIDTHS; w++) { /* hosts set 16 and 64 bits together */
		unsigned other = w == 2 ? 2 : 4 - w;
		f->mode[w] = f->flush[w] && f->t->ftz_mode[w] && !f->keep[w] && !f->keep[other];
		if (!f->keep[w] || keeps(f, w))
			continue;
		diag_emit(f->ctx->diag, DIAG_MISSING_FEATURE, f->fn->inst[f->keeper[w]].addr,
		          "%u-bit denormals are kept here, and nothing says that the target keeps them", 8u << w);
		return false;
	}
	return true;
}

/* ---- the code */
static void before_next(struct fm *f, ir_id v)
{
	struct ir_fn *fn = f->fn;
	ir_id at = fn->inst[v].next;

	while (fn->inst[at].op == IR_phi)
		at = fn->inst[at].next;
	fn->at = fn->inst[v].block;
	fn->before = at;
	fn->addr = fn->inst[v].addr;
}

static ir_id flush_of(struct fm *f, ir_id v)
{
	uint64_t k;

	if (f->flushed[v])
		return f->flushed[v];
	if (ir_is_const(f->fn, v, &k)) {
		ir_type t = f->fn->inst[v].type;
		return f->flushed[v] = ir_const(f->fn, t, k & sign_bit(t));
	}
	if (f->fn->inst[v].block == IR_NO_BLOCK)
		return v;
	before_next(f, v);
	return f->flushed[v] = ir_op1(f->fn, IR_fflush, f->fn->inst[v].type, v);
}

/* Where the host may flush what is to be kept, and there is code for that. */
static bool kept_by_code(struct fm *f, ir_id id, unsigned w, unsigned n)
{
	const struct ir_inst *i = &f->fn->inst[id];
	unsigned out = width_of(i->type);
	bool sign = i->op == IR_fneg || i->op == IR_fabs;
	bool flushes = f->mode[w] || !keeps(f, w), out_flushes = f->mode[out] || !keeps(f, out);

	if (!has_code(f, id))
		return false;
	if (!(flushes && keeps_operand(f, i, n)) && !(out_flushes && keeps_result(f, id)))
		return false;
	f->instead[id] = floatkeep_make(&f->code, id);
	f->signs += sign;
	f->coded += !sign;
	return true;
}

static void rewrite(struct fm *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	unsigned op = fn->inst[id].op, n = ir_nargs(fn, id), w;

	if (id >= f->n || !arithmetic(op) || n > IR_INLINE_ARGS) /* what this sweep made is as it should be */
		return;
	w = op_width(f, &fn->inst[id]);
	if (kept_by_code(f, id, w, n))
		return;
	if (op == IR_fflush && (!f->maybe[fn->inst[id].a[0]] || !f->seen[id]))
		f->instead[id] = fn->inst[id].a[0];
	if (!flagged(&fn->inst[id]) || (f->mode[w] && op != IR_ffrexpm && op != IR_ffrexpe))
		return;
	bool result = flush_result(f, id); /* before operands are replaced by values that the analyses do not know */
	for (unsigned k = 0; k < n; k++)
		if (flush_operand(f, &fn->inst[id], k)) {
			ir_id v = flush_of(f, fn->inst[id].a[k]);
			f->inputs += v != fn->inst[id].a[k];
			fn->inst[id].a[k] = v;
		}
	fn->inst[id].flags &= (uint16_t)~IR_F_FTZ;
	if (result) {
		f->instead[id] = flush_of(f, id);
		f->outputs++;
	}
}

static void replace_uses(struct fm *f)
{
	ir_for_order(f->fn, b)
		ir_for_insts(f->fn, b, id) {
			ir_id *a = ir_args(f->fn, id);
			unsigned n = ir_nargs(f->fn, id);
			for (unsigned k = 0; k < n; k++)
				while (a[k] && a[k] < f->n && f->instead[a[k]] && f->instead[a[k]] != id)
					a[k] = f->instead[a[k]];
		}
}

static bool some_arithmetic(const struct ir_fn *fn)
{
	uint8_t some = 0;

	for (unsigned op = IR_fadd; op <= IR_fclass; op++)
		some |= fn->has[op];
	for (unsigned op = IR_s2f; op <= IR_f2f_rtz; op++)
		some |= fn->has[op];
	return some;
}

/* The first operation that flushes, NULL: there is none. It mostly is near. */
static const struct ir_inst *first_flush(const struct ir_fn *fn)
{
	const struct ir_inst *inst = fn->inst, *i;

	if (!some_arithmetic(fn))
		return NULL;
	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; id; id = i->next) {
			i = &inst[id];
			if (flagged(i) || i->op == IR_fflush)
				return i;
		}
	return NULL;
}

static const struct ir_inst *first_fused(const struct ir_fn *fn)
{
	if (!fn->has[IR_ffma])
		return NULL;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_ffma)
				return &fn->inst[id];
	return NULL;
}

/* Under --float host the guest's rules give way to the host's: no flush by code, and a remark where that first can matter. */
static enum pass_result give_way(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *t = ctx->facts->target;
	const struct ir_inst *flush = first_flush(fn), *fused = t && t->fma_fused ? NULL : first_fused(fn);

	if (flush)
		diag_say(ctx->diag, "floatmode", flush->addr, "operations flush denormals on the guest, and follow the host's rule");
	if (fused)
		diag_say(ctx->diag, "floatmode", fused->addr, "fused multiply-adds may round twice");
	if (!fn->has[IR_fflush])
		return PASS_SAME;
	ir_id *map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (fn->inst[id].op == IR_fflush)
				map[id] = fn->inst[id].a[0];
	ir_map_apply(fn, map);
	return PASS_CHANGED;
}

enum pass_result floatmode_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct fm f = {.ctx = ctx, .fn = fn, .t = ctx->facts->target, .n = fn->ninst};
	uint32_t modes = 0;

	if (ctx->facts->floats != FLOAT_STRICT || !f.t)
		return give_way(ctx);
	f.maybe = arena_array(ctx->scratch, uint8_t, fn->ninst);
	f.seen = arena_array(ctx->scratch, uint8_t, fn->ninst);
	f.flushed = arena_array(ctx->scratch, ir_id, fn->ninst);
	f.instead = arena_array(ctx->scratch, ir_id, fn->ninst);
	f.code = (struct floatkeep){ .fn = fn, .wide = arena_array(ctx->scratch, ir_id, fn->ninst), .n = fn->ninst };
	analyse(&f);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			count(&f, id);
	if (!choose(&f))
		return PASS_REFUSED;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (id < f.n)
				rewrite(&f, id);
	fn->before = 0;
	replace_uses(&f);
	dce_run(ctx);
	for (unsigned w = 1; w < WIDTHS; w++)
		modes |= f.mode[w] ? 8u << w : 0;
	if (modes)
		diag_remark(ctx->diag, "floatmode", DIAG_NO_ADDR, "the host's flush mode for%s%s%s", modes & 16 ? " 16-bit" : "",
		            modes & 32 ? " 32-bit" : "", modes & 64 ? " 64-bit" : "");
	if (f.inputs + f.outputs + f.signs)
		diag_remark(ctx->diag, "floatmode", DIAG_NO_ADDR, "%u operands and %u results flushed by code, %u signs changed by bits",
		            f.inputs, f.outputs, f.signs);
	if (f.coded)
		diag_remark(ctx->diag, "floatmode", DIAG_NO_ADDR, "%u operations keep denormals by code", f.coded);
	return PASS_CHANGED;
}
