/* lanes_alone.c - a vertex program runs as if its wave had one lane.
 *
 * Which vertices share a wave is the machine's choice, and a wave of one vertex is among what it may choose. There each
 * question about the wave answers itself:
 *
 *     %1 = ballot %m        =>   %1 = zext %m           any %m              =>   %m
 *     %2 = sysval.lane_id   =>   0                      readfirst %m, %v    =>   %v
 *     %3 = lanebit %1       =>   %3 = ine (iand %1, 1), 0
 *
 * Every mask is of lanes that the wave has: programs that count others, too, do not come here (lifters refuse them).
 * So what one elected lane does for all, an atomic operation with the count of them say, every lane does for itself. Programs that
 * name another lane, or another lane of the quad, are left as they are.
 */
#include "proof.h"

enum { CHOICES = 4 }; /* on the way to a number */

/* Is this the number of the first lane, in the choice of which another may say (-1) that there is none? */
static bool first_number(const struct ir_fn *fn, ir_id v, bool choice, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v];
	uint64_t k;
	if (ir_is_const(fn, v, &k))
		return k == 0 || (choice && (uint32_t)k == UINT32_MAX);
	if (i->op == IR_select && depth)
		return first_number(fn, i->a[1], true, depth - 1) && first_number(fn, i->a[2], true, depth - 1);
	return i->op == IR_ctz && fn->inst[i->a[0]].op == IR_ballot;
}

/* Is there something to answer, and nothing that has no answer? */
static bool can_answer(const struct ir_fn *fn)
{
	bool some = false;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			switch (i->op) {
			case IR_any: case IR_ballot: case IR_readfirst:
				some = true;
				break;
			case IR_readlane:
				if (!first_number(fn, i->a[2], false, CHOICES))
					return false;
				some = true;
				break;
			case IR_shuffle: case IR_quad: case IR_quadany: case IR_ddx: case IR_ddy: case IR_ldshared: case IR_stshared:
			case IR_atshared: case IR_barrier:
				return false;
			default:
				break;
			}
		}
	return some;
}

static ir_id answer(struct ir_fn *fn, const struct ir_inst *i)
{
	switch (i->op) {
	case IR_any: return i->a[0];
	case IR_ballot: return ir_op1(fn, IR_zext, i->type, i->a[0]);
	case IR_readfirst: case IR_readlane: return i->a[1];
	case IR_lanebit: {
		ir_type t = fn->inst[i->a[0]].type;
		ir_id low = ir_opk(fn, IR_iand, t, i->a[0], 1);
		return ir_op2(fn, IR_ine, IR_B1, low, ir_const(fn, t, 0));
	}
	case IR_sysval: return i->sub == SYSVAL_lane_id ? ir_const(fn, i->type, 0) : 0;
	default: return 0;
	}
}

bool lanes_alone_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	if (fn->stage != STAGE_VERTEX || !can_answer(fn))
		return false;
	uint32_t n = fn->ninst;
	ir_id *map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			struct ir_inst i = fn->inst[id];
			fn->before = id;
			fn->at = b;
			fn->addr = i.addr;
			fn->flags = 0;
			map[id] = answer(fn, &i);
			if (map[id])
				diag_say(ctx->diag, "lanes", i.addr, "the answer is that of a wave of one lane");
		}
	fn->before = 0;
	ir_map_apply(fn, map);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			if (id < n && map[id])
				ir_remove(fn, id);
	return true;
}
