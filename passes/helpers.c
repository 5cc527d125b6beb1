/* helpers.c - helper lanes that help nobody are lanes like any other.
 *
 *     %1 = sysval.helper              where no lane looks at another (no derivative, implicit level of detail, quad or wave
 *     %2 = inot %1             =>     operation but `any`, which is asked per lane later):   %1 = inot b1:1
 *
 * A guest's entry mask leaves helper lanes out. On the host what they write has no effect, and what they compute nobody sees; they
 * walk the graph as the other lanes do. So the mask is all lanes, and with it go masked writes and questions about it.
 */
#include "pass.h"

/* Does a lane look at another here, or wait for what another writes? No results there: it could wait for ever. */
static bool needs_lanes(const struct ir_inst *i)
{
	switch (i->op) {
	case IR_any: return false;
	case IR_isample: return !(i->sub & (IMG_LOD | IMG_GRAD));
	case IR_atptr: case IR_atbuf: case IR_iatomic: return true;
	default: return ir_ops[i->op].fx & FX_CROSS;
	}
}

enum pass_result helpers_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *t = ctx->facts ? ctx->facts->target : NULL;
	ir_id *list = NULL; /* the system value, wherever it is read */
	uint32_t n = 0;
	size_t cap = 0;

	if (fn->stage != STAGE_FRAGMENT || !t || t->subgroup_size == fn->wave) /* there `any` may ask the host's wave */
		return PASS_SAME;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			if (needs_lanes(i))
				return PASS_SAME;
			if (i->op == IR_sysval && i->sub == SYSVAL_helper) {
				list = arena_grow_raw(ctx->scratch, list, n, &cap, n + 1u, sizeof *list);
				list[n++] = id;
			}
		}
	if (!n)
		return PASS_SAME;
	ir_id yes = ir_const(fn, IR_B1, 1);
	for (uint32_t k = 0; k < n; k++) { /* folding puts it in the place of what reads it */
		struct ir_inst *i = &fn->inst[list[k]];
		ir_set_op(fn, list[k], IR_inot);
		i->nargs8 = 1;
		i->a[0] = yes;
		i->sub = 0;
		i->imm = 0;
	}
	return PASS_CHANGED;
}
