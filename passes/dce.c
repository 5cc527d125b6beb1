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
 * needs of the code already walked is followed. Operands that a map replaces are replaced on the way.
 */
#include "dce.h"

enum pass_result dce_run(struct pass_ctx *ctx);
enum pass_result dce_compact_run(struct pass_ctx *ctx);

static bool must_stay(const struct dce *d, const struct ir_inst *in)
{
	uint32_t fx = ir_ops[in->op].fx;

	if (fx & FX_MARKER)
		return d->registers;
	return (fx & (FX_WRITE | FX_SYNC | FX_TERM)) || (in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

static void put_in_place(struct dce *d, struct ir_inst *in, unsigned i, ir_id *arg)
{
	if (d->asked && in->op != IR_phi && !(in->op == IR_select && i == 2))
		d->asked[*arg] = 1;
	*arg = ir_map_end(d->map, *arg);
	in->flags &= (uint16_t)~IR_F_SETTLED;
}

static inline void settle(struct dce *d, struct ir_inst *in)
{
	ir_id *a = in->nargs8 == 255 ? in->x.ext : in->a;
	unsigned n = in->nargs8 == 255 ? in->x.count : in->nargs8;

	for (unsigned i = 0; i < n; i++)
		if (ir_map_has(d->map, a[i]))
			put_in_place(d, in, i, &a[i]);
}

/* The walk is in block `at` of the order. A loop's phi needs values from behind it, where it will not come again. */
static void follow_phi(struct dce *d, ir_id phi, uint32_t at)
{
	struct ir_fn *fn = d->fn;
	uint32_t n = 0;

	d->work[n++] = phi;
	while (n) {
		ir_id id = d->work[--n];
		if (d->map)
			settle(d, &fn->inst[id]);
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

static inline void mark_block(struct dce *d, uint32_t at, bool mapped)
{
	struct ir_fn *fn = d->fn;
	struct ir_inst *inst = fn->inst;
	uint8_t *live = d->live;

	for (ir_id id = fn->block[fn->order[at]].last; id; id = inst[id].prev) {
		struct ir_inst *in = &inst[id];
		if (!live[id]) {
			if (!must_stay(d, in)) {
				d->dead[d->ndead++] = id;
				continue;
			}
			live[id] = 1;
		}
		if (in->op == IR_phi) {
			follow_phi(d, id, at);
			continue;
		}
		if (mapped)
			settle(d, in);
		need_operands(in, live);
	}
}

void dce_mark(struct dce *d, struct arena *scratch)
{
	uint32_t n = d->fn->ninst;

	d->live = arena_array(scratch, uint8_t, n);
	d->work = arena_array_raw(scratch, ir_id, n);
	d->dead = arena_array_raw(scratch, ir_id, n);
	for (uint32_t i = d->fn->norder; i-- > 0;)
		if (d->map)
			mark_block(d, i, true);
		else
			mark_block(d, i, false);
	d->live[0] = 0; /* an absent operand */
}

void dce_compact(struct dce *d, struct arena *scratch)
{
	ir_compact(d->fn, d->live, arena_array_raw(scratch, ir_id, d->fn->ninst));
}

bool dce_remove(struct dce *d)
{
	bool changed = false;

	for (uint32_t i = 0; i < d->ndead; i++)
		if (!d->live[d->dead[i]]) { /* no phi of a loop came to need it */
			ir_remove(d->fn, d->dead[i]);
			changed = true;
		}
	return changed;
}

enum pass_result dce_run(struct pass_ctx *ctx)
{
	struct dce d = { .fn = ctx->fn, .registers = true };

	dce_mark(&d, ctx->scratch);
	return dce_remove(&d) ? PASS_CHANGED : PASS_SAME;
}

/* Where many ids are dead: those left are made dense, as every later pass pays for the largest. */
enum pass_result dce_compact_run(struct pass_ctx *ctx)
{
	uint32_t n = ctx->fn->ninst;
	struct dce d = { .fn = ctx->fn, .registers = true };

	dce_mark(&d, ctx->scratch);
	dce_compact(&d, ctx->scratch);
	return n == ctx->fn->ninst ? PASS_SAME : PASS_CHANGED;
}
