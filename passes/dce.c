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

#include <string.h>

enum { IF_NEEDED, ANYWAY = 1, AS_REGISTER = 2 };
static const uint8_t stays[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = (fx) & FX_MARKER ? AS_REGISTER : \
	(fx) & (FX_WRITE | FX_SYNC | FX_TERM) ? ANYWAY : IF_NEEDED,
#include "../ir/ops.def"
#undef OP
};

/* `stay`: those of the above that do. */
static inline bool must_stay(const struct ir_inst *in, unsigned stay)
{
	return (stays[in->op] & stay) | (in->flags & (IR_F_WITNESS | IR_F_VOLATILE));
}

static inline void put_in_place(struct dce *d, struct ir_inst *in, ir_id *arg)
{
	if (d->asked && in->op != IR_phi && !(in->op == IR_select && arg == &in->a[2]))
		d->asked[*arg] = 1;
	*arg = ir_map_end(d->map, *arg);
	in->flags &= (uint16_t)~IR_F_SETTLED;
}

static __attribute__((noinline)) void put_in_places(struct dce *d, struct ir_inst *in)
{
	ir_id *a = in->nargs8 == 255 ? in->x.ext : in->a;
	ir_id *end = a + (in->nargs8 == 255 ? in->x.count : in->nargs8);

	for (; a < end; a++)
		if (d->map[*a])
			put_in_place(d, in, a);
}

/* Of those operands that stand there in the end. Those that it does not have are 0: that costs less than to foresee how
 * many it has. */
static inline void need_operands(struct dce *d, struct ir_inst *in, const ir_id *map, uint8_t *live)
{
	if (map && (in->nargs8 > IR_INLINE_ARGS || ir_map_has_any(map, in->a)))
		put_in_places(d, in);
	if (in->nargs8 <= IR_INLINE_ARGS) {
		live[in->a[0]] = live[in->a[1]] = live[in->a[2]] = live[in->a[3]] = 1;
		return;
	}
	for (unsigned i = 0; i < in->x.count; i++)
		live[in->x.ext[i]] = 1;
}

/* The walk is in block `at` of the order. A loop's phi needs values from behind it, where it will not come again. */
static void follow_phi(struct dce *d, ir_id phi, uint32_t at)
{
	struct ir_fn *fn = d->fn;
	uint32_t n = 0;

	d->work[n++] = phi;
	while (n) {
		ir_id id = d->work[--n], *a = ir_args(fn, id);
		unsigned count = ir_nargs(fn, id);
		fn->has[fn->inst[id].op] = 1;
		for (unsigned i = 0; i < count; i++) {
			if (d->map && ir_map_has(d->map, a[i]))
				put_in_place(d, &fn->inst[id], &a[i]);
			uint32_t b = fn->inst[a[i]].block;
			if (d->live[a[i]])
				continue;
			d->live[a[i]] = 1;
			if (b == IR_NO_BLOCK || fn->block[b].rpo < at)
				continue;
			d->work[n++] = a[i];
			d->revived = true;
		}
	}
}

static bool heads_loop(const struct ir_fn *fn, const struct ir_block *b)
{
	for (uint32_t p = 0; p < b->npred; p++)
		if (fn->block[b->pred[p]].rpo >= b->rpo)
			return true;
	return false;
}

static __attribute__((noinline)) void mark_phis(struct dce *d, uint32_t at, ir_id id)
{
	struct ir_fn *fn = d->fn;
	bool loop = heads_loop(fn, &fn->block[fn->order[at]]);

	for (; id; id = fn->inst[id].prev) {
		if (!d->live[id]) {
			d->dead[d->ndead++] = id;
		} else if (loop) {
			follow_phi(d, id, at);
		} else {
			fn->has[IR_phi] = 1;
			need_operands(d, &fn->inst[id], d->map, d->live);
		}
	}
}

static inline __attribute__((always_inline)) void mark_block(struct dce *d, uint32_t at, ir_id *map)
{
	struct ir_fn *fn = d->fn;
	struct ir_inst *inst = fn->inst, *in;
	uint8_t *live = d->live, *has = fn->has;
	unsigned stay = d->registers ? ANYWAY | AS_REGISTER : ANYWAY;
	ir_id *dead = d->dead + d->ndead, id;

	for (id = fn->block[fn->order[at]].last; id; id = in->prev) {
		in = &inst[id];
		if (in->op == IR_phi)
			break;
		if (!live[id]) {
			if (!must_stay(in, stay)) {
				*dead++ = id;
				continue;
			}
			live[id] = 1;
		}
		has[in->op] = 1;
		need_operands(d, in, map, live);
	}
	d->ndead = (uint32_t)(dead - d->dead);
	if (id)
		mark_phis(d, at, id);
}

/* Each by itself: what they hold in registers is enough for one. */
static __attribute__((noinline)) void mark_plain(struct dce *d, uint32_t at)
{
	mark_block(d, at, NULL);
}

static __attribute__((noinline)) void mark_mapped(struct dce *d, uint32_t at)
{
	mark_block(d, at, d->map);
}

static void keep_dead(struct dce *d)
{
	uint32_t n = d->ndead, kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		ir_id id = d->dead[i];
		d->dead[kept] = id;
		kept += !d->live[id];
	}
	d->ndead = kept;
}

void dce_mark(struct dce *d, struct arena *scratch)
{
	uint32_t n = d->fn->ninst;

	d->live = arena_array(scratch, uint8_t, n);
	d->work = arena_array_raw(scratch, ir_id, n);
	d->dead = arena_array_raw(scratch, ir_id, n);
	memset(d->fn->has, 0, sizeof d->fn->has);
	if (d->map)
		d->map = ir_map_cover(scratch, d->fn, d->map);
	for (uint32_t i = d->fn->norder; i-- > 0;)
		if (d->map)
			mark_mapped(d, i);
		else
			mark_plain(d, i);
	d->live[0] = 0; /* an absent operand */
	if (d->revived)
		keep_dead(d);
}

bool dce_remove(struct dce *d)
{
	struct ir_fn *fn = d->fn;
	struct ir_inst *inst = fn->inst;
	const ir_id *dead = d->dead, *end = dead + d->ndead;

	for (; dead < end; dead++) {
		struct ir_inst *in = &inst[*dead];
		ir_id prev = in->prev, next = in->next;
		*(prev ? &inst[prev].next : &fn->block[in->block].first) = next;
		*(next ? &inst[next].prev : &fn->block[in->block].last) = prev;
		in->op = IR_nop;
		in->type = IR_VOID;
		in->nargs8 = 0;
		in->prev = in->next = 0;
		in->block = IR_NO_BLOCK;
	}
	return d->ndead != 0;
}

enum pass_result dce_run(struct pass_ctx *ctx)
{
	struct dce d = { .fn = ctx->fn, .registers = true };

	dce_mark(&d, ctx->scratch);
	return dce_remove(&d) ? PASS_CHANGED : PASS_SAME;
}
