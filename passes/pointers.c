/* pointers.c - addresses that lanes compute in two registers become 64-bit values that can be followed.
 *
 *     %4 = phi %lo, %6                              %4 = phi %p0, %5          (i64)
 *     %5 = phi %hi, %7                              %5 = iadd %4, 16
 *     %6 = iadd %4, 16                      =>      ldptr %m, %4
 *     %7 = iadd %5, zext (carry %4, 16)
 *     ldptr %m, pack64 %4, %5
 *
 * Guests without a 64-bit adder move pointers word by word, under the mask of the lanes that are on, round loops.
 * Two phis of one block that are ever packed become one, with both words taken from it; the masks that the accesses
 * imply go (demand); folding then finds the sums. Programs whose every pointer is scalar have no need of it and are
 * left alone.
 */
#include "restrack.h"

enum pass_result demand_run(struct pass_ctx *);
enum pass_result fold_run(struct pass_ctx *);

static bool two_ways(const struct ir_fn *fn, ir_id id)
{
	return fn->inst[id].op == IR_phi || fn->inst[id].op == IR_select;
}

/* Do the words of some address come by two ways? */
static bool some_two_ways(const struct ir_fn *fn)
{
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			const struct ir_inst *i = &fn->inst[id];
			if (i->op == IR_pack64 && (two_ways(fn, i->a[0]) || two_ways(fn, i->a[1])))
				return true;
		}
	return false;
}

static ir_id after_phis(const struct ir_fn *fn, uint32_t block)
{
	ir_id id = fn->block[block].first;
	while (fn->inst[id].op == IR_phi)
		id = fn->inst[id].next;
	return id;
}

/* One phi of both words. The words of its values are packed at the ends of the blocks that they come from. */
static void join(struct ir_fn *fn, ir_id *map, ir_id lo, ir_id hi)
{
	uint32_t b = fn->inst[lo].block;
	ir_id wide = ir_phi(fn, b, IR_I64);
	for (unsigned k = 0; k < fn->block[b].npred; k++) {
		fn->at = fn->block[b].pred[k];
		fn->before = fn->block[fn->at].last;
		ir_phi_add(fn, wide, ir_op2(fn, IR_pack64, IR_I64, ir_args(fn, lo)[k], ir_args(fn, hi)[k]));
	}
	fn->at = b;
	fn->before = after_phis(fn, b);
	map[lo] = ir_op1(fn, IR_lo64, IR_I32, wide);
	map[hi] = ir_op1(fn, IR_hi64, IR_I32, wide);
}

/* Packing at a phi's edges may pack further phis: instructions made on the way are looked at, too. */
static void join_phis(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	ir_id *map = ir_map_new(ctx->scratch, fn), known = fn->ninst;
	for (ir_id id = 1; id < fn->ninst; id++) {
		const struct ir_inst *i = &fn->inst[id];
		ir_id lo = i->a[0], hi = i->a[1];
		if (i->op == IR_pack64 && lo != hi && lo < known && hi < known && fn->inst[lo].op == IR_phi && fn->inst[hi].op == IR_phi &&
		    fn->inst[lo].block == fn->inst[hi].block && !map[lo] && !map[hi])
			join(fn, map, lo, hi);
	}
	fn->before = 0;
	ir_map_apply(fn, map);
}

bool pointers_run(struct pass_ctx *ctx)
{
	if (!some_two_ways(ctx->fn))
		return false;
	demand_run(ctx);
	join_phis(ctx);
	fold_run(ctx);
	return true;
}
