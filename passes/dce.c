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

static bool must_stay(const struct ir_inst *in)
{
	return (ir_ops[in->op].fx & (FX_WRITE | FX_SYNC | FX_TERM | FX_MARKER)) ||
		(in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

enum pass_result dce_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	bool *live = arena_array(ctx->scratch, bool, fn->ninst), changed = false;
	ir_id *work = arena_array(ctx->scratch, ir_id, fn->ninst);
	uint32_t n = 0;

	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->block[b].dead)
			continue;
		ir_for_insts(fn, b, id)
			if (must_stay(&fn->inst[id])) {
				live[id] = true;
				work[n++] = id;
			}
	}
	while (n) {
		ir_id id = work[--n];
		const ir_id *a = ir_args(fn, id);
		unsigned count = ir_nargs(fn, id);
		for (unsigned i = 0; i < count; i++)
			if (!live[a[i]]) {
				live[a[i]] = true;
				work[n++] = a[i];
			}
	}
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
