/* pass.h - what every pass sees, and the pipeline.
 *
 * A pass is `enum pass_result name_run(struct pass_ctx *)` in a file of its name. It reads the function and the facts, uses
 * `scratch` freely (reset after each pass), reports through `diag` and refuses only after a diagnostic. What it requires and
 * breaks stands in passes.def and is checked by the pipeline.
 */
#ifndef XL_PASS_H
#define XL_PASS_H

#include "../ir/ir.h"

enum pass_result { PASS_SAME, PASS_TIDY /* changed, and nothing became dead */, PASS_CHANGED, PASS_REFUSED };

struct pass_ctx {
	struct ir_fn *fn;
	const struct facts *facts;
	struct arena *scratch;
	struct diag_sink *diag;
	bool *divergent; /* per value, filled by `divergence`, arena of fn; NULL before */
	uint32_t ndivergent;
	ir_id *asks; uint32_t nasks; /* with that: what was there of `any`, `ballot`, `readfirst` and `bind`, in order, arena of fn */
	const uint32_t *ipdom; /* per block: immediate post-dominator, with it (NULL where there is one block); until the graph changes */
	bool reducible;   /* with that: the loops are known, and each has one way in */
	bool tangled;     /* with it: lanes may be in different turns of loops that are not known */
	bool unmasked;    /* `fold` found selects alone that choose by masks: it looked at their operands under these */
	bool whole_group; /* divergence: between all lanes of a workgroup, not of a wave */
	uint32_t have;    /* HAS_* below, as the pipeline knows them before the pass */
	uint32_t kept;    /* those that passes.def says the pass breaks, and which it left alone this time: the pass says so */
};

/* Invariants that passes need, give or break. */
enum { HAS_SSA = 1, HAS_ORDER = 2, HAS_DOM = 4, HAS_DIV = 8, HAS_RES = 16, HAS_STRUCT = 32, HAS_LANES = 64 /* no wave-wide `any` is left */,
	HAS_LIVE = 128 /* nothing is dead */, HAS_NEED = 256 /* no branch says more about masks than when `demand` ran */,
	/* A pass that only gives these is left out when they hold. */
	HAS_SETTLED = HAS_LIVE | HAS_NEED };

/* For a pass that makes branches say more: it is of phis alone that `demand` hears that. */
static inline uint32_t need_kept(const struct ir_fn *fn) { return fn->has[IR_phi] ? 0 : HAS_NEED; }

/* Programs that a pass is about; elsewhere it would find nothing to do. */
enum pass_where { IN_ALL, IN_HELPED /* system values */, IN_BRANCHES,
	IN_WAVES /* what looks at other lanes, or depends on whether lanes differ */, IN_SHARED /* writes of shared memory */,
	IN_INTERP /* interpolation by hand */, IN_CAPTURED /* vertex programs that write buffers */ };

struct pass {
	const char *name;
	enum pass_result (*run)(struct pass_ctx *);
	uint32_t requires, gives, breaks;
	enum pass_where where;
	const char *what; /* one line, for `xlate ir --list-passes` */
};
extern const struct pass passes[]; /* in pipeline order, ends with name == NULL */

#define PASS(name, fn, req, gives, breaks, where, what) enum pass_result fn(struct pass_ctx *);
#include "passes.def"
#undef PASS

struct pipeline_options {
	bool verify;            /* run the verifier after each pass; on in debug builds */
	const char *stop_after; /* pass name, or NULL: run all */
	/* Called after each pass that ran, for dumps and tests; may be NULL. */
	void (*after)(void *user, const struct pass *, struct ir_fn *);
	void *user;
};
/* Runs passes.def over ctx->fn. PASS_REFUSED after a diagnostic, else PASS_CHANGED. */
enum pass_result pipeline_run(struct pass_ctx *, const struct pipeline_options *);
const struct pass *pass_find(const char *name);

/* ssa.c, for passes that break dominance: markers of their own become values; ids stay what they are. */
enum pass_result ssa_repair(struct pass_ctx *);

#endif
