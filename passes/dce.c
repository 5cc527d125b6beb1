/* dce.c - remove what nothing demands.
 *
 * Aggressive: everything is dead until something that must stay needs it. What must stay: writes, barriers, terminators,
 * markers and witnesses of a later pass. A cycle of phis that only feed each other is dead, and so is a load nobody uses.
 *
 * Before                              After
 *   %1 = ldbuf ...   (no use)           (gone)
 *   %2 = phi %0, %3                     (gone)
 *   %3 = iadd %2, 1  (only for %2)      (gone)
 */
#include "pass.h"

enum pass_result dce_run(struct pass_ctx *ctx);
enum pass_result dce_compact_run(struct pass_ctx *ctx);

static bool must_stay(const struct ir_inst *in)
{
	return (ir_ops[in->op].fx & (FX_WRITE | FX_SYNC | FX_TERM | FX_MARKER)) ||
		(in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

/* Ids of what something that must stay needs: non-zero. Instructions and constants alike. */
static ir_id *mark(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	ir_id *live = arena_array(ctx->scratch, ir_id, fn->ninst), *work = arena_array_raw(ctx->scratch, ir_id, fn->ninst);
	uint32_t n = 0;

	live[0] = 1; /* an absent operand needs no visit */
	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->block[b].dead)
			continue;
		ir_for_insts(fn, b, id)
			if (must_stay(&fn->inst[id])) {
				live[id] = 1;
				work[n++] = id;
			}
	}
	while (n) {
		ir_id id = work[--n];
		const ir_id *a = ir_args(fn, id);
		unsigned count = ir_nargs(fn, id);
		for (unsigned i = 0; i < count; i++)
			if (!live[a[i]]) {
				live[a[i]] = 1;
				work[n++] = a[i];
			}
	}
	live[0] = 0;
	return live;
}

enum pass_result dce_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	ir_id *live = mark(ctx);
	bool changed = false;

	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->block[b].dead)
			continue;
		ir_for_insts(fn, b, id)
			if (!live[id]) {
				ir_remove(fn, id);
				changed = true;
			}
	}
	return changed ? PASS_CHANGED : PASS_SAME;
}

/* The first time, when most ids are registers' reads and writes that have become values: the ids left are made dense, as every
 * later pass pays for the largest. */
enum pass_result dce_compact_run(struct pass_ctx *ctx)
{
	uint32_t n = ctx->fn->ninst;

	ir_compact(ctx->fn, mark(ctx));
	return n == ctx->fn->ninst ? PASS_SAME : PASS_CHANGED;
}
