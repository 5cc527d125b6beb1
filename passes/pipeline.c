/* pipeline.c - run passes.def in order over one function.
 *
 * The table says what each pass requires, gives and breaks; this file checks it. Order and dominators are cheap to
 * recompute, so a pass that needs them simply gets them; anything else that is missing is a mistake in the table and is
 * reported, never guessed. The verifier's complaint names the pass that ran last, because that is the pass that broke
 * the rule.
 */
#include "dce.h"

#include <string.h>

#define PASS(name, fn, req, gives, breaks, where, what) enum pass_result fn(struct pass_ctx *);
#include "passes.def"
#undef PASS

const struct pass passes[] = {
#define PASS(name, fn, req, gives, breaks, where, what) { #name, fn, req, gives, breaks, where, what },
#include "passes.def"
#undef PASS
	{ NULL, NULL, 0, 0, 0, IN_ALL, NULL },
};

const struct pass *pass_find(const char *name)
{
	for (const struct pass *p = passes; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

static uint32_t initial_state(const struct ir_fn *fn)
{
	return (fn->ssa ? HAS_SSA : 0u) | (fn->structured ? HAS_STRUCT : 0u);
}

/* Give the pass what it requires. False after a diagnostic when that cannot be had. */
static bool prepare(struct pass_ctx *ctx, const struct pass *p, uint32_t *have)
{
	static const char *const names[] = { "SSA form", "block order", "dominators", "divergence", "resources",
		"structured control flow", "per-lane masks", "dead code gone", "masked writes" };
	uint32_t missing = p->requires & ~*have;

	if (missing & (HAS_ORDER | HAS_DOM)) {
		cfg_order(ctx->fn);
		cfg_dominators(ctx->fn);
		*have |= HAS_ORDER | HAS_DOM;
		missing &= ~(uint32_t)(HAS_ORDER | HAS_DOM);
	}
	if (!missing)
		return true;
	unsigned bit = 0;
	while (!(missing >> bit & 1))
		bit++;
	diag_emit(ctx->diag, DIAG_VERIFY, DIAG_NO_ADDR, "pass %s requires %s, which no earlier pass gives", p->name, names[bit]);
	return false;
}

/* May the function have something that the pass is about? */
static inline bool concerned(const struct ir_fn *fn, enum pass_where where)
{
	const uint8_t *has = fn->has;

	switch (where) {
	case IN_HELPED: return has[IR_sysval];
	case IN_CAPTURED: return fn->stage == STAGE_VERTEX && has[IR_stbuf];
	case IN_SHARED: return has[IR_stshared] | has[IR_atshared];
	case IN_BRANCHES: return has[IR_br] | has[IR_brc] | has[IR_sw];
	case IN_INTERP: return has[IR_interp_p1] | has[IR_interp_p2] | has[IR_interp_mov] | has[IR_sysval];
	case IN_WAVES:
		for (uint32_t k = 0; k < fn->nres; k++)
			if (fn->res[k].count != 1)
				return true;
		return has[IR_any] | has[IR_ballot] | has[IR_readfirst] | has[IR_readlane] | has[IR_shuffle] | has[IR_quad] |
		       concerned(fn, IN_SHARED);
	default: return true;
	}
}

/* Is there dead code? Looks, and leaves everything as it is. */
static bool some_dead(struct pass_ctx *ctx)
{
	struct dce d = { .fn = ctx->fn, .registers = true };
	uint8_t has[IR_OP_COUNT];

	memcpy(has, d.fn->has, sizeof has);
	dce_mark(&d, ctx->scratch);
	memcpy(d.fn->has, has, sizeof has);
	return d.ndead != 0;
}

/* Ways against the order to blocks that do not dominate where they come from. */
static bool tangled(const struct ir_fn *fn, const struct cfg_tree *t)
{
	ir_for_order(fn, b)
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
			uint32_t s = fn->block[b].succ[k];
			if (fn->block[s].rpo <= fn->block[b].rpo && (t->in[b] < t->in[s] || t->in[b] > t->out[s]))
				return true;
		}
	return false;
}

/* Is it another order than there could be? Where loops have one way in, no other way leads back; else a new order has such ways, too. */
static bool out_of_order(struct pass_ctx *ctx, const struct cfg_tree *t)
{
	struct ir_fn *fn = ctx->fn;
	uint32_t *was = arena_array_raw(ctx->scratch, uint32_t, fn->norder);

	if (!tangled(fn, t))
		return false;
	memcpy(was, fn->order, fn->norder * sizeof *was);
	cfg_order(fn);
	bool wrong = !tangled(fn, t);
	memcpy(fn->order, was, fn->norder * sizeof *was);
	for (uint32_t i = 0; i < fn->norder; i++)
		fn->block[was[i]].rpo = i;
	return wrong;
}

/* What passes say they left alone: order and dominators, as they would be found anew. NULL: they are. */
static const char *stale(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	bool *taken = arena_array(ctx->scratch, bool, fn->nblock);
	uint32_t reached = 0;
	struct cfg_tree t;

	cfg_tree(fn, ctx->scratch, false, &t);
	for (uint32_t b = 0; b < fn->nblock; b++)
		reached += t.idom[b] != IR_NO_BLOCK;
	if (reached != fn->norder)
		return "the order has not the blocks that there are";
	for (uint32_t i = 0; i < fn->norder; i++) {
		uint32_t b = fn->order[i];
		const struct ir_block *at = &fn->block[b];
		if (at->rpo != i || t.idom[b] == IR_NO_BLOCK)
			return "the order has not the blocks that there are";
		const struct ir_block *up = &fn->block[t.idom[b]];
		if (at->idom != t.idom[b] || at->dom_in >= reached || taken[at->dom_in] || at->dom_out - at->dom_in != t.out[b] - t.in[b] ||
		    (at != up && (at->dom_in < up->dom_in || at->dom_out > up->dom_out || at->dom_depth != up->dom_depth + 1)))
			return "the dominators are not those of the graph";
		taken[at->dom_in] = true;
	}
	return out_of_order(ctx, &t) ? "the order is not that of the graph" : NULL;
}

static bool verified(struct pass_ctx *ctx, const struct pass *p, uint32_t have)
{
	const char *broken = ir_verify(ctx->fn, ctx->scratch);

	if (!broken && (have & (HAS_ORDER | HAS_DOM | HAS_STRUCT)) == (HAS_ORDER | HAS_DOM)) /* structured order has blocks that none leads to */
		broken = stale(ctx);
	if (!broken && !(~have & (HAS_LIVE | HAS_ORDER)) && some_dead(ctx))
		broken = "there is dead code";
	arena_reset(ctx->scratch);
	if (!broken)
		return true;
	diag_emit(ctx->diag, DIAG_VERIFY, DIAG_NO_ADDR, "after pass %s: %s", p->name, broken);
	return false;
}

/* What may be asked of a pass that ran, or was left out. False: it ends there; after a diagnostic where *broken. */
static __attribute__((noinline)) bool asked(struct pass_ctx *ctx, const struct pipeline_options *opt, const struct pass *p, uint32_t have,
                                            bool *broken)
{
	*broken = opt->verify && !verified(ctx, p, have);
	if (*broken)
		return false;
	if (opt->after)
		opt->after(opt->user, p, ctx->fn);
	return !opt->stop_after || strcmp(opt->stop_after, p->name);
}

/* One pass. Its row's columns are constants where this is expanded: each pass has tests of its own, and few. False: it refused. */
static inline __attribute__((always_inline)) bool step(struct pass_ctx *ctx, enum pass_result (*run)(struct pass_ctx *), uint32_t requires,
	uint32_t gives, uint32_t breaks, enum pass_where where, const struct pass *p, uint32_t *have)
{
	if (requires & ~*have && !prepare(ctx, p, have))
		return false;
	if ((!gives || gives & ~(*have & HAS_SETTLED)) && concerned(ctx->fn, where)) {
		ctx->have = *have;
		ctx->kept = 0;
		enum pass_result r = run(ctx);
		arena_reset(ctx->scratch);
		if (r == PASS_REFUSED)
			return false;
		if (r != PASS_SAME)
			*have &= ~((breaks & ~ctx->kept) | (r == PASS_CHANGED ? HAS_LIVE : 0u));
	}
	*have |= gives;
	return true;
}

enum pass_result pipeline_run(struct pass_ctx *ctx, const struct pipeline_options *opt)
{
	uint32_t have = initial_state(ctx->fn);
	bool asks = opt->verify || opt->after || opt->stop_after, broken;
	const struct pass *p = passes;

	if (opt->stop_after && !pass_find(opt->stop_after)) {
		diag_emit(ctx->diag, DIAG_NOT_FOUND, DIAG_NO_ADDR, "no pass named %s", opt->stop_after);
		return PASS_REFUSED;
	}
#define PASS(name, fn, req, gives, breaks, where, what) \
	if (!step(ctx, fn, req, gives, breaks, where, p, &have)) \
		return PASS_REFUSED; \
	if (asks && !asked(ctx, opt, p, have, &broken)) \
		return broken ? PASS_REFUSED : PASS_CHANGED; \
	p++;
#include "passes.def"
#undef PASS
	return PASS_CHANGED;
}
