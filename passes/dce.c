/* dce.c - remove what nothing demands.
 *
 * Aggressive: everything is dead until something that must stay needs it. What must stay: writes, barriers, terminators,
 * markers and witnesses of a later pass. A cycle of phis that only feed each other is dead, and so is a load nobody uses.
 *
 * Before                              After
 *   %1 = ldbuf ...   (no use)           (gone)
 *   %2 = phi %0, %3                     (gone)
 *   %3 = iadd %2, 1  (only for %2)      (gone)
 *
 * Users stand after what they use, but for phis: one walk from the end to the start finds what is needed, and only what a phi
 * needs is followed at once.
 */
#include "pass.h"

enum pass_result dce_run(struct pass_ctx *ctx);
enum pass_result dce_compact_run(struct pass_ctx *ctx);

struct dce {
	struct ir_fn *fn;
	uint8_t *live;      /* per id, constants too: 1 when something that must stay needs it */
	ir_id *work;        /* live, but their operands were not looked at */
	uint32_t nwork;
	bool through;       /* operands that only stand for another value become that value */
};

static bool must_stay(const struct ir_inst *in)
{
	return (ir_ops[in->op].fx & (FX_WRITE | FX_SYNC | FX_TERM | FX_MARKER)) ||
		(in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

/* A choice that is made: that value. */
static ir_id chosen(const struct ir_fn *fn, ir_id id)
{
	uint64_t k;

	while (fn->inst[id].op == IR_select && ir_is_const(fn, fn->inst[id].a[0], &k))
		id = fn->inst[id].a[k ? 1 : 2];
	return id;
}

/* The value that `id` stands for. A register of bits, written under a mask that is known to be true and read as a float, is
 * the float that was written. */
static ir_id stands_for(const struct ir_fn *fn, ir_id id)
{
	for (;;) {
		id = chosen(fn, id);
		if (fn->inst[id].op != IR_bitcast)
			return id;
		ir_id bits = chosen(fn, fn->inst[id].a[0]);
		if (fn->inst[bits].op != IR_bitcast || fn->inst[fn->inst[bits].a[0]].type != fn->inst[id].type)
			return id;
		id = fn->inst[bits].a[0];
	}
}

static void need_operands(struct dce *d, ir_id id, bool follow)
{
	struct ir_fn *fn = d->fn;
	ir_id *a = ir_args(fn, id);
	unsigned n = ir_nargs(fn, id);

	for (unsigned i = 0; i < n; i++) {
		if (d->through)
			a[i] = stands_for(fn, a[i]);
		if (d->live[a[i]])
			continue;
		d->live[a[i]] = 1;
		if (follow)
			d->work[d->nwork++] = a[i];
	}
}

/* False when nothing is dead. */
static bool mark(struct dce *d, struct arena *scratch)
{
	struct ir_fn *fn = d->fn;
	bool dead = false;

	d->live = arena_array(scratch, uint8_t, fn->ninst);
	d->work = arena_array_raw(scratch, ir_id, fn->ninst);
	d->live[0] = 1; /* an absent operand is not followed */
	for (uint32_t i = fn->norder; i-- > 0;)
		for (ir_id id = fn->block[fn->order[i]].last; id; id = fn->inst[id].prev) {
			if (!d->live[id] && !must_stay(&fn->inst[id])) {
				dead = true;
				continue;
			}
			d->live[id] = 1;
			need_operands(d, id, fn->inst[id].op == IR_phi);
			while (d->nwork)
				need_operands(d, d->work[--d->nwork], true);
		}
	return dead;
}

enum pass_result dce_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct dce d = { .fn = fn };
	bool changed = false;

	if (!mark(&d, ctx->scratch))
		return PASS_SAME;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (!d.live[id]) {
				ir_remove(fn, id);
				changed = true;
			}
	return changed ? PASS_CHANGED : PASS_SAME;
}

/* Where many ids are dead: those left are made dense, as every later pass pays for the largest. */
enum pass_result dce_compact_run(struct pass_ctx *ctx)
{
	uint32_t n = ctx->fn->ninst;
	struct dce d = { .fn = ctx->fn, .through = true };

	mark(&d, ctx->scratch);
	ir_compact(ctx->fn, d.live, arena_array_raw(ctx->scratch, ir_id, n));
	return n == ctx->fn->ninst ? PASS_SAME : PASS_CHANGED;
}
