/* helpers.c - helper lanes that help nobody are lanes like any other.
 *
 *     %1 = sysval.helper
 *     %2 = inot %1                    where no lane looks at another (no derivative, implicit level of detail, quad or wave
 *     %3 = iand %2, %x         =>     operation but `any`, which is asked per lane later):   %3 = %x
 *
 * A guest's entry mask leaves helper lanes out. On the host what they write has no effect, and what they compute nobody sees; they
 * walk the graph as the other lanes do. So the mask is all lanes, and with it go masked writes and questions about it.
 */
#include "pass.h"

enum pass_result helpers_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *t = ctx->facts ? ctx->facts->target : NULL;
	bool helper = false;

	if (fn->stage != STAGE_FRAGMENT || !t || t->subgroup_size == fn->wave) /* there `any` may ask the host's wave */
		return PASS_SAME;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			if (ir_ops[i->op].fx & FX_CROSS && i->op != IR_any && !(i->op == IR_isample && i->sub & (IMG_LOD | IMG_GRAD)))
				return PASS_SAME;
			if (i->op == IR_atptr || i->op == IR_atbuf || i->op == IR_iatomic) /* no results there: it could wait for ever */
				return PASS_SAME;
			helper |= i->op == IR_sysval && i->sub == SYSVAL_helper;
		}
	if (!helper)
		return PASS_SAME;
	ir_id *map = ir_map_new(ctx->scratch, fn), no = ir_const(fn, IR_B1, 0), yes = ir_const(fn, IR_B1, 1);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			if (i->op == IR_sysval && i->sub == SYSVAL_helper)
				map[id] = no;
			else if (i->op == IR_inot && map[i->a[0]] == no)
				map[id] = yes;
		}
	ir_map_apply(fn, map);
	return PASS_CHANGED;
}
