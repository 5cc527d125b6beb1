/* guard.c - branch around memory effects whose mask is not known to be true.
 *
 * Before                                After
 *   b0: %1 = ldbuf %m, %h, %o, -          b0: brc %m, b1, b2
 *       %2 = iadd %1, i32:1               b1: %3 = ldbuf b1:1, %h, %o, -
 *       stbuf %m, %h, %o, -, %2               %4 = iadd %3, i32:1
 *       ret                                   stbuf b1:1, %h, %o, -, %4
 *                                             br b2
 *                                         b2: %1 = phi b0 undef:i32, b1 %3
 *                                             ret
 *
 * SPIR-V has no predicated accesses, so an op that happens only in lanes of a mask goes under a branch. Ops with one mask that
 * follow each other share the branch; what stands between them stays in front of it when it does not depend on them, is copied
 * into it when they need it, and follows it otherwise (dead copies and originals are left to `dce`). A masked load's result is
 * undef where the mask is false.
 *
 * Samples with implicit derivatives keep their mask and their place: they need the whole quad, and reading in other lanes is
 * harmless for images.
 */
#include "pass.h"

#include <string.h>

struct group {
	ir_id first, last; /* masked ops of one mask and one block, and what stands between */
	ir_id mask;
};

struct guard {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	uint32_t n;         /* ids below were there at the start */
	uint32_t *mark;     /* per id: group number when it is a result of the group's ops or depends on one */
	uint8_t *kind;      /* for marked ids */
	uint32_t *need;     /* per id: group number when the group needs it inside */
	ir_id *inside;      /* per id with `need`: its copy under the branch */
	struct group *group;
	uint32_t ngroup;
	size_t cap;
	bool left;          /* something may be dead */
};
enum { K_RESULT = 1, K_COPYABLE, K_FIXED }; /* fixed: depends on a cross-lane op that cannot go under the branch */

static bool implicit_lod(const struct ir_inst *in)
{
	return in->op == IR_isample && !(in->sub & (IMG_LOD | IMG_GRAD));
}

/* The mask that a fragment wave starts with. The host drops what helper invocations write, so that it needs no branch. */
static bool not_helper(const struct ir_fn *fn, ir_id mask)
{
	const struct ir_inst *in = &fn->inst[mask];

	if (in->op != IR_inot || fn->stage != STAGE_FRAGMENT)
		return false;
	in = &fn->inst[in->a[0]];
	return in->op == IR_sysval && in->sub == SYSVAL_helper;
}

static const bool has_mask[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = ((fx) & FX_MASK) != 0,
#include "../ir/ops.def"
#undef OP
};

/* The mask of an op that has one. */
static inline ir_id mask_of(const struct ir_inst *in)
{
	return in->nargs8 == 255 ? in->x.ext[0] : in->a[0];
}

/* An op that may be left out in some lanes: most have a mask that is known to be true. */
static inline bool lanes_off(const struct guard *g, const struct ir_inst *in)
{
	uint64_t bits;

	return has_mask[in->op] && !(ir_is_const(g->fn, mask_of(in), &bits) && bits);
}

/* One of those, without a result, that no lane does. */
static bool never(const struct guard *g, const struct ir_inst *in)
{
	return in->type == IR_VOID && ir_is_const(g->fn, mask_of(in), NULL);
}

static bool guarded(const struct guard *g, const struct ir_inst *in)
{
	return lanes_off(g, in) && !implicit_lod(in) && !not_helper(g->fn, mask_of(in));
}

/* What an op inherits from operands that depend on group k. */
static unsigned inherits(struct guard *g, ir_id id, uint32_t k)
{
	const ir_id *a = ir_args(g->fn, id);
	unsigned n = ir_nargs(g->fn, id), worst = 0;

	for (unsigned i = 0; i < n; i++)
		if (a[i] < g->n && g->mark[a[i]] == k && g->kind[a[i]] > worst)
			worst = g->kind[a[i]];
	return worst;
}

/* May stand between the ops of a group: nothing that orders memory. ldtab reads what nobody writes. */
static bool passable(const struct ir_inst *in)
{
	unsigned fx = ir_ops[in->op].fx;

	return in->op == IR_ldtab || !(fx & (FX_READ | FX_WRITE | FX_SYNC | FX_TERM | FX_PHI | FX_MARKER | FX_MASK));
}

static void mark(struct guard *g, ir_id id, uint32_t k, unsigned kind)
{
	g->mark[id] = k;
	g->kind[id] = (uint8_t)kind;
}

/* Extends the group that starts at `id` and returns where to look on. */
static ir_id find_group(struct guard *g, ir_id id)
{
	struct ir_fn *fn = g->fn;
	uint32_t k = g->ngroup + 1;

	if (k == 1) {
		g->mark = arena_array(g->ctx->scratch, uint32_t, g->n);
		g->kind = arena_array_raw(g->ctx->scratch, uint8_t, g->n);
		g->need = arena_array(g->ctx->scratch, uint32_t, g->n);
		g->inside = arena_array_raw(g->ctx->scratch, ir_id, g->n);
	}
	g->group = arena_grow(g->ctx->scratch, g->group, g->ngroup, &g->cap, k, sizeof *g->group);
	struct group *gr = &g->group[g->ngroup++];
	gr->first = gr->last = id;
	gr->mask = mask_of(&fn->inst[id]);
	mark(g, id, k, K_RESULT);
	for (id = fn->inst[id].next; id; id = fn->inst[id].next) {
		const struct ir_inst *in = &fn->inst[id];
		unsigned from = inherits(g, id, k);
		if (guarded(g, in) && mask_of(in) == gr->mask && from != K_FIXED) {
			gr->last = id;
			mark(g, id, k, K_RESULT);
			continue;
		}
		if (!passable(in))
			break;
		if (from)
			mark(g, id, k, from == K_FIXED || (ir_ops[in->op].fx & FX_CROSS) ? K_FIXED : K_COPYABLE);
	}
	return fn->inst[gr->last].next;
}

/* Backwards from the last op: which of the dependent values between are needed under the branch. */
static void find_needs(struct guard *g, const struct group *gr, uint32_t k)
{
	for (ir_id id = gr->last;; id = g->fn->inst[id].prev) {
		bool in_group = g->mark[id] == k && g->kind[id] == K_RESULT;
		if (in_group || g->need[id] == k) {
			const ir_id *a = ir_args(g->fn, id);
			for (unsigned i = 0; i < ir_nargs(g->fn, id); i++)
				if (a[i] < g->n && g->mark[a[i]] == k) {
					g->need[a[i]] = k;
					g->left = true; /* out there perhaps nobody needs it */
				}
		}
		if (id == gr->first)
			return;
	}
}

/* Copies `id` to the builder's place, operands as they are under the branch. */
static ir_id copy(struct guard *g, ir_id id, uint32_t k, bool masked)
{
	struct ir_fn *fn = g->fn;
	unsigned n = ir_nargs(fn, id);
	ir_id *args = arena_array(g->ctx->scratch, ir_id, n + 1u);

	if (n)
		memcpy(args, ir_args(fn, id), n * sizeof *args);
	for (unsigned i = 0; i < n; i++)
		if (args[i] < g->n && g->mark[args[i]] == k)
			args[i] = g->inside[args[i]];
	if (masked)
		args[0] = ir_const(fn, IR_B1, 1);
	ir_id neu = ir_new(fn, fn->inst[id].op, fn->inst[id].type, n, args);
	fn->inst[neu].flags = fn->inst[id].flags;
	fn->inst[neu].sub = fn->inst[id].sub;
	fn->inst[neu].imm = fn->inst[id].imm;
	fn->inst[neu].addr = fn->inst[id].addr;
	return neu;
}

/* The id of a masked op becomes the phi after the branch, so that its uses need no change. */
static void to_phi(struct ir_fn *fn, ir_id id, ir_id value, ir_id where)
{
	ir_id undef = ir_undef(fn, fn->inst[id].type);
	struct ir_inst *in = &fn->inst[id];

	ir_set_op(fn, id, IR_phi);
	in->nargs8 = 2;
	memset(in->a, 0, sizeof in->a);
	in->a[0] = undef;
	in->a[1] = value;
	in->flags = in->sub = 0;
	in->imm = 0;
	ir_insert_before(fn, id, where);
}

static void apply(struct guard *g, uint32_t k)
{
	struct ir_fn *fn = g->fn;
	const struct group gr = g->group[k - 1];
	uint32_t from = fn->inst[gr.first].block;
	ir_id rest = fn->inst[gr.last].next, moved = 0;

	find_needs(g, &gr, k);
	uint32_t join = ir_split(fn, rest), under = ir_block_new(fn);
	fn->block[under].addr = fn->inst[gr.first].addr;
	fn->addr = fn->inst[gr.first].addr;
	fn->flags = 0;
	fn->before = 0;
	fn->at = under;
	for (ir_id id = gr.first, next; id; id = next) {
		next = id == gr.last ? 0 : fn->inst[id].next;
		if (g->mark[id] != k)
			continue; /* stays in front of the branch */
		if (g->kind[id] == K_RESULT) {
			ir_id neu = copy(g, id, k, true);
			g->inside[id] = neu;
			if (fn->inst[id].type == IR_VOID) {
				ir_remove(fn, id);
				continue;
			}
			/* what an atomic or a volatile access brings perhaps nobody looks at */
			g->left |= ir_ops[fn->inst[id].op].fx & FX_WRITE || fn->inst[id].flags & IR_F_VOLATILE;
			to_phi(fn, id, neu, moved ? moved : rest);
			continue;
		}
		if (g->need[id] == k)
			g->inside[id] = copy(g, id, k, false);
		ir_insert_before(fn, id, rest);
		if (!moved)
			moved = id; /* phis go in front of it */
	}
	ir_br(fn, join);
	fn->at = from;
	ir_brc(fn, gr.mask, under, join);
	/* the join's predecessors in the phis' order: the branch, then the guarded block */
	fn->block[join].pred[0] = from;
	fn->block[join].pred[1] = under;
}

enum pass_result guard_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct guard g = { .ctx = ctx, .fn = fn, .n = fn->ninst };
	const struct ir_inst *inst = fn->inst; /* looking makes none */
	uint32_t addr = fn->addr;

	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->block[b].dead)
			continue;
		for (ir_id id = fn->block[b].first; id;) {
			const struct ir_inst *in = &inst[id];
			ir_id next = in->next;
			if (lanes_off(&g, in)) {
				if (never(&g, in)) {
					ir_remove(fn, id);
					g.left = true;
				} else if (guarded(&g, in)) {
					next = find_group(&g, id);
				}
			}
			id = next;
		}
	}
	/* From the last: what is split off a block is then never split again. */
	for (uint32_t k = g.ngroup; k > 0; k--)
		apply(&g, k);
	fn->addr = addr;
	if (!g.ngroup)
		ctx->kept = HAS_ORDER | HAS_DOM;
	return !g.ngroup && !g.left ? PASS_SAME : g.left ? PASS_CHANGED : PASS_TIDY;
}
