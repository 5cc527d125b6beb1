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
 * needs of the code already walked is followed.
 */
#include "pass.h"

enum pass_result dce_run(struct pass_ctx *ctx);
enum pass_result dce_compact_run(struct pass_ctx *ctx);

struct dce {
	struct ir_fn *fn;
	uint8_t *live;  /* per id, constants too: 1 when something that must stay needs it */
	ir_id *work;    /* live and walked past, but their operands were not looked at */
};

static bool must_stay(const struct ir_inst *in)
{
	return (ir_ops[in->op].fx & (FX_WRITE | FX_SYNC | FX_TERM | FX_MARKER)) ||
		(in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

/* The walk is in block `at` of the order. A loop's phi needs values from behind it, where it will not come again. */
static void follow_phi(struct dce *d, ir_id phi, uint32_t at)
{
	struct ir_fn *fn = d->fn;
	uint32_t n = 0;

	d->work[n++] = phi;
	while (n) {
		ir_id id = d->work[--n];
		const ir_id *a = ir_args(fn, id);
		unsigned count = ir_nargs(fn, id);
		for (unsigned i = 0; i < count; i++) {
			uint32_t b = fn->inst[a[i]].block;
			if (b != IR_NO_BLOCK && fn->block[b].rpo >= at && !d->live[a[i]])
				d->work[n++] = a[i];
			d->live[a[i]] = 1;
		}
	}
}

static inline void need_operands(const struct ir_inst *in, uint8_t *live)
{
	switch (in->nargs8) {
	case 4: live[in->a[3]] = 1; /* fall through */
	case 3: live[in->a[2]] = 1; /* fall through */
	case 2: live[in->a[1]] = 1; /* fall through */
	case 1: live[in->a[0]] = 1; /* fall through */
	case 0: return;
	}
	for (unsigned i = 0; i < in->x.count; i++)
		live[in->x.ext[i]] = 1;
}

/* False when nothing is dead. */
static bool mark(struct dce *d, struct arena *scratch)
{
	const struct ir_fn *fn = d->fn;
	const struct ir_inst *inst = fn->inst;
	uint8_t *live = d->live = arena_array(scratch, uint8_t, fn->ninst);
	bool dead = false;

	d->work = arena_array_raw(scratch, ir_id, fn->ninst);
	for (uint32_t i = fn->norder; i-- > 0;)
		for (ir_id id = fn->block[fn->order[i]].last; id; id = inst[id].prev) {
			const struct ir_inst *in = &inst[id];
			if (!live[id]) {
				if (!must_stay(in)) {
					dead = true;
					continue;
				}
				live[id] = 1;
			}
			if (in->op == IR_phi)
				follow_phi(d, id, i);
			else
				need_operands(in, live);
		}
	live[0] = 0; /* an absent operand */
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
	struct dce d = { .fn = ctx->fn };

	mark(&d, ctx->scratch);
	ir_compact(ctx->fn, d.live, arena_array_raw(ctx->scratch, ir_id, n));
	return n == ctx->fn->ninst ? PASS_SAME : PASS_CHANGED;
}
