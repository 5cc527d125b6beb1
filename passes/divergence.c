/* divergence.c - which values may differ between the lanes of a wave that execute them together.
 *
 * Result: ctx->divergent[id]. Later passes decide NonUniform, scalar reads and branch forms by it, so a value is called uniform
 * only with proof. Sources are the `div` column of ops.def and the system values below; then it spreads:
 *
 *   data   an op of a divergent operand is divergent, but for what is uniform by definition (any, ballot, readfirst, root);
 *   sync   where two paths from a divergent branch meet, lanes arrive by different ones: every phi there is divergent;
 *   time   lanes leave a loop with a divergent exit in different rounds: what the loop defines is divergent outside of it, and what
 *          is looked at there, but by phis, is called so everywhere.
 *
 * One sweep over the order sees operands before their users, and branches before the joins behind them. What comes round a loop
 * it sees when it goes through the loop again, a few times; what is left then goes on from use to use.
 *
 * A load from a uniform address is uniform: the wave makes one access (a scalar load), or all lanes the same. Memory that lanes
 * keep apart (scratch) and atomics are divergent, by their row.
 *
 * Example: b1 and b2 are the arms of `brc %lane_bit`; in their join %p = phi b1 i32:0, b2 i32:1 is divergent although the
 * operands are constants.
 */
#include "pass.h"

enum pass_result divergence_run(struct pass_ctx *ctx);

enum { AGAIN = 2 }; /* blocks swept once more, for each there is: beyond it users are looked up */

struct div {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	bool *is;              /* per value */
	bool *join;            /* per block: lanes may arrive by different ways */
	bool *split;           /* per block: its branch is divergent */
	bool cyclic, reducible;
	uint32_t at;               /* place in the order that the sweep has come to */
	uint32_t seen;             /* how far it has come yet */
	size_t asks_cap;
	struct ir_users users;     /* found when they are needed */
	ir_id *work;               /* divergent values whose users the sweep may have passed: only of cyclic graphs */
	uint32_t nwork;
	uint32_t *branch, nbranch; /* blocks whose branch is to be spread */
	uint32_t *label, *stack;   /* of spread_branch, clear between calls */
	bool *region;
	const uint32_t *ipdom;
	bool all;                  /* everything is divergent, see diverge_all */
	bool *adrift, *exited;     /* per loop header: diverge_loop, spread_exit were here */
};

/* What the sweep has still to come to, it sees by itself. */
static void set(struct div *d, ir_id id)
{
	if (d->is[id])
		return;
	d->is[id] = true;
	if (d->cyclic && d->fn->block[d->fn->inst[id].block].rpo <= d->at)
		d->work[d->nwork++] = id;
}

/* ---- where it starts */
static bool local_id_varies(const struct div *d, unsigned comp)
{
	const struct ir_fn *fn = d->fn;
	const uint32_t *g = fn->workgroup;

	if (comp > 2 || !g[0] || !g[1] || !g[2] || !fn->wave)
		return true;
	if (d->ctx->facts)
		facts_read(d->ctx->facts, STATE_WORKGROUP);
	if (g[comp] == 1 || d->ctx->whole_group)
		return g[comp] != 1;
	/* Lanes count x first: a wave lies in one row when a row is a whole number of waves. */
	uint64_t below = 1;
	for (unsigned i = 0; i < comp; i++)
		below *= g[i];
	return comp == 0 || below % fn->wave != 0;
}

static bool sysval_varies(const struct div *d, const struct ir_inst *in)
{
	bool compute = d->fn->stage == STAGE_COMPUTE || d->fn->stage == STAGE_TASK || d->fn->stage == STAGE_MESH;

	switch (in->sub) {
	case SYSVAL_num_workgroups: case SYSVAL_base_vertex: case SYSVAL_base_instance:
		return false;
	case SYSVAL_workgroup_id:
		return !compute;
	case SYSVAL_wave_in_group:
		return !compute || d->ctx->whole_group;
	case SYSVAL_draw_id: case SYSVAL_view_index:
		return false;
	case SYSVAL_local_id:
		return local_id_varies(d, (unsigned)in->imm);
	default:
		return true;
	}
}

/* local_index >> n is the wave's number (or more of it cut off) when 2^n is a multiple of the wave size. */
static bool wave_number(const struct div *d, const struct ir_inst *in)
{
	const struct ir_fn *fn = d->fn;
	uint64_t k;

	if (d->ctx->whole_group || in->op != IR_lshr || !ir_is_const(fn, in->a[1], &k) || k > 31 || !fn->wave)
		return false;
	const struct ir_inst *v = &fn->inst[in->a[0]];
	return v->op == IR_sysval && v->sub == SYSVAL_local_index && (1u << k) % fn->wave == 0;
}

/* Waves read at different times: memory that the program itself writes may have changed in between. */
static bool read_between(const struct div *d, const struct ir_inst *in)
{
	if (!(ir_ops[in->op].fx & FX_READ) || in->op == IR_ldtab || (in->op == IR_ldptr && in->sub))
		return false;
	if (in->op == IR_ldbuf && d->fn->inst[in->a[1]].op == IR_bind)
		return d->fn->res[d->fn->inst[in->a[1]].imm].written;
	return true;
}

static bool seed(const struct div *d, const struct ir_inst *in)
{
	if (d->ctx->whole_group && read_between(d, in))
		return true;
	switch (ir_ops[in->op].div) {
	case DIV_ALWAYS:
		return true;
	case DIV_SPECIAL:
		if (in->op == IR_sysval)
			return sysval_varies(d, in);
		return in->op == IR_mget;
	default:
		return false;
	}
}

/* Does a divergent operand `of` make the user divergent? */
static bool passes_on(const struct div *d, ir_id user, ir_id of)
{
	const struct ir_inst *in = &d->fn->inst[user];

	if (ir_ops[in->op].div == DIV_NEVER)
		return d->ctx->whole_group; /* each wave has its own answer */
	if (in->op == IR_readlane && !d->ctx->whole_group) /* the same lane for all: whatever the value is there */
		return in->a[2] == of;
	return !wave_number(d, in);
}

/* ---- how a divergent branch spreads */
static void divergent_join(struct div *d, uint32_t b)
{
	struct ir_fn *fn = d->fn;

	if (d->join[b])
		return;
	d->join[b] = true;
	ir_for_insts(fn, b, id) {
		if (fn->inst[id].op != IR_phi)
			break;
		set(d, id);
	}
}

static bool inside(const struct ir_fn *fn, uint32_t b, uint32_t header)
{
	for (uint32_t l = fn->block[b].loop; l != IR_NO_BLOCK; l = fn->block[l].loop_parent)
		if (l == header)
			return true;
	return false;
}

static void diverge_loop(struct div *d, uint32_t header)
{
	struct ir_fn *fn = d->fn;

	if (d->adrift[header])
		return;
	d->adrift[header] = true;
	ir_for_order(fn, b)
		if (inside(fn, b, header))
			ir_for_insts(fn, b, id)
				if (ir_ops[fn->inst[id].op].div != DIV_NEVER)
					set(d, id);
}

/* The blocks between a branch and its post-dominator `stop`; their range in the order is lo to hi. */
static void find_region(struct div *d, uint32_t branch, uint32_t stop, uint32_t *lo, uint32_t *hi)
{
	struct ir_fn *fn = d->fn;
	uint32_t n = 0;

	*lo = fn->norder;
	*hi = 0;
	d->stack[n++] = branch;
	while (n) {
		const struct ir_block *blk = &fn->block[d->stack[--n]];
		for (uint32_t i = 0; i < blk->nsucc; i++) {
			uint32_t s = blk->succ[i];
			if (d->region[s])
				continue;
			d->region[s] = true;
			if (fn->block[s].rpo < *lo)
				*lo = fn->block[s].rpo;
			if (fn->block[s].rpo > *hi)
				*hi = fn->block[s].rpo;
			if (s != stop)
				d->stack[n++] = s;
		}
	}
}

/* The last join on the ways from the branch to `b`, + 1; 0 none known yet. */
static uint32_t label_of(const struct div *d, uint32_t b, uint32_t branch, uint32_t stop)
{
	const struct ir_block *blk = &d->fn->block[b];
	uint32_t label = 0;

	for (uint32_t i = 0; i < blk->npred; i++) {
		uint32_t p = blk->pred[i], l = p == branch ? b + 1 : p == stop || !d->region[p] ? 0 : d->label[p];
		if (!l || l == label)
			continue;
		if (label)
			return b + 1;
		label = l;
	}
	return label;
}

/* Where ways of different labels meet, lanes meet that took different ways: sweep until the labels stand, then mark. */
static void spread_branch(struct div *d, uint32_t branch, uint32_t stop)
{
	struct ir_fn *fn = d->fn;
	uint32_t lo, hi;

	find_region(d, branch, stop, &lo, &hi);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = lo; i <= hi && i < fn->norder; i++) {
			uint32_t b = fn->order[i];
			if (!d->region[b] || d->label[b] == b + 1)
				continue;
			uint32_t l = label_of(d, b, branch, stop);
			changed |= l != d->label[b];
			d->label[b] = l;
		}
	}
	for (uint32_t i = lo; i <= hi && i < fn->norder; i++) {
		uint32_t b = fn->order[i], first = 0;
		if (!d->region[b])
			continue;
		for (uint32_t k = 0; k < fn->block[b].npred; k++) {
			uint32_t p = fn->block[b].pred[k], l = p == branch ? b + 1 : p == stop || !d->region[p] ? 0 : d->label[p];
			if (l && first && l != first)
				divergent_join(d, b);
			if (l)
				first = l;
		}
	}
	/* Some lanes start another round before the others reach `stop` in this one: nothing of the loop is in step. */
	for (uint32_t l = fn->block[branch].loop; l != IR_NO_BLOCK && stop != IR_NO_BLOCK; l = fn->block[l].loop_parent)
		if (d->region[l] && stop != l && inside(fn, stop, l))
			diverge_loop(d, l);
	for (uint32_t i = lo; i <= hi && i < fn->norder; i++)
		d->region[fn->order[i]] = false, d->label[fn->order[i]] = 0;
}

/* A divergent value (as seen there) reaches a user. */
static void reach(struct div *d, ir_id id, ir_id user)
{
	const struct ir_inst *in = &d->fn->inst[user];

	if (!(ir_ops[in->op].fx & FX_TERM)) {
		if (passes_on(d, user, id))
			set(d, user);
		return;
	}
	if (d->fn->block[in->block].nsucc < 2 || d->split[in->block])
		return;
	d->split[in->block] = true;
	d->branch[d->nbranch++] = in->block;
}

/* Lanes leave the loop of `header` in different rounds: its values differ outside. What looks at one of them there, but for a phi, cannot
 * tell that from the value unless that counts as divergent everywhere: a branch, a question to the wave, who compares operands. */
static void spread_exit(struct div *d, uint32_t header)
{
	struct ir_fn *fn = d->fn;

	ir_users_find(&d->users, fn, d->ctx->scratch);
	/* A loop's blocks stand behind its header in the order. */
	for (uint32_t i = fn->block[header].rpo; i < fn->norder; i++) {
		uint32_t b = fn->order[i];
		if (!inside(fn, b, header))
			continue;
		ir_for_insts(fn, b, id)
			ir_for_users(&d->users, id, user)
				if (!inside(fn, fn->inst[user].block, header)) {
					if (fn->inst[user].op != IR_phi)
						set(d, id);
					reach(d, id, user);
				}
	}
}

static bool used_elsewhere(struct div *d, ir_id id)
{
	ir_for_users(&d->users, id, user)
		if (d->fn->inst[user].block != d->fn->inst[id].block)
			return true;
	return false;
}

/* The loops are not known: any value may cross rounds, and so may what all lanes of one have in common, looked at behind it. */
static void diverge_all(struct div *d)
{
	struct ir_fn *fn = d->fn;
	uint32_t back = IR_NO_BLOCK; /* the first place that something from here on goes back to */

	ir_users_find(&d->users, fn, d->ctx->scratch);
	for (uint32_t i = fn->norder; i-- > 0;) {
		const struct ir_block *b = &fn->block[fn->order[i]];
		for (uint32_t k = 0; k < b->nsucc; k++)
			if (fn->block[b->succ[k]].rpo < back)
				back = fn->block[b->succ[k]].rpo;
		ir_for_insts(fn, fn->order[i], id)
			if (ir_ops[fn->inst[id].op].div != DIV_NEVER || (back <= i && used_elsewhere(d, id)))
				set(d, id);
	}
	d->all = true;
}

static void spread(struct div *d, uint32_t branch)
{
	struct ir_fn *fn = d->fn;
	uint32_t stop = d->ipdom[branch];

	if (!d->reducible) {
		if (!d->all)
			diverge_all(d);
		return;
	}
	spread_branch(d, branch, stop);
	/* Loops within which the lanes do not meet again. */
	for (uint32_t l = fn->block[branch].loop; l != IR_NO_BLOCK; l = fn->block[l].loop_parent) {
		if (stop != IR_NO_BLOCK && inside(fn, stop, l))
			break;
		if (d->exited[l])
			continue;
		d->exited[l] = true;
		spread_exit(d, l);
	}
}

/* ---- the sweep */
/* How an op comes to vary between the lanes of a wave. */
enum way { BY_OPERANDS, ALWAYS, NEVER, ASK, LISTED = 1 << 2 /* besides: in ctx->asks */ };
static const uint8_t ways[IR_OP_COUNT] = {
#define IS(name, op) (IR_##name == IR_##op)
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = ((div) == DIV_ALWAYS ? ALWAYS : (div) == DIV_NEVER ? NEVER : \
	((div) == DIV_SPECIAL && !((fx) & FX_PHI)) || IS(name, lshr) ? ASK : BY_OPERANDS) | \
	(IS(name, any) || IS(name, ballot) || IS(name, readfirst) || IS(name, bind) ? LISTED : 0),
#include "../ir/ops.def"
#undef OP
#undef IS
};

static bool asked(const struct div *d, ir_id id)
{
	const struct ir_inst *in = &d->fn->inst[id];
	const ir_id *a = ir_args(d->fn, id);

	if (seed(d, in))
		return true;
	if (ir_ops[in->op].div == DIV_NEVER && !d->ctx->whole_group)
		return false;
	for (unsigned i = 0, n = ir_nargs(d->fn, id); i < n; i++)
		if (d->is[a[i]] && ((in->op != IR_lshr && in->op != IR_readlane) || passes_on(d, id, a[i])))
			return true;
	return false;
}

static bool varies(const struct div *d, ir_id id, enum way way)
{
	if (way == ASK)
		return asked(d, id);
	if (way != BY_OPERANDS)
		return way == ALWAYS;
	for (unsigned i = 0, n = ir_nargs(d->fn, id); i < n; i++)
		if (d->is[ir_args(d->fn, id)[i]])
			return true;
	return false;
}

/* What is for the branches of several blocks only. */
static void prepare(struct div *d)
{
	struct ir_fn *fn = d->fn;
	struct arena *a = d->ctx->scratch;

	d->reducible = cfg_loops(fn);
	if (!d->ctx->whole_group)
		d->ctx->ipdom = cfg_postdominators(fn, fn->arena);
	d->ctx->reducible = d->reducible;
	d->ipdom = d->ctx->ipdom;
	d->join = arena_array(a, bool, fn->nblock);
	d->split = arena_array(a, bool, fn->nblock);
	d->branch = arena_array(a, uint32_t, fn->nblock);
	d->adrift = arena_array(a, bool, fn->nblock);
	d->exited = arena_array(a, bool, fn->nblock);
	d->region = arena_array(a, bool, fn->nblock);
	d->label = arena_array(a, uint32_t, fn->nblock);
	d->stack = arena_array(a, uint32_t, fn->nblock + 1);
	ir_for_order(fn, b)
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++)
			d->cyclic |= fn->block[fn->block[b].succ[k]].rpo <= b_i;
	if (d->cyclic)
		d->work = arena_array_raw(a, ir_id, fn->ninst);
}

/* What the phis of a loop's header get from block b. True: lanes differ in more of them than it seemed. */
static bool come_round(struct div *d, uint32_t b, uint32_t header)
{
	struct ir_fn *fn = d->fn;
	bool news = false;

	ir_for_insts(fn, header, id) {
		if (fn->inst[id].op != IR_phi)
			break;
		for (uint32_t k = 0; k < fn->block[header].npred; k++)
			if (fn->block[header].pred[k] == b && d->is[ir_args(fn, id)[k]] && !d->is[id]) {
				set(d, id);
				news = true;
			}
	}
	return news;
}

/* Where to go on behind block i of the order: with the loop again that it ends, when its header has news for what follows and there
 * are steps left. */
static uint32_t next_of(struct div *d, uint32_t i, uint64_t *steps)
{
	struct ir_fn *fn = d->fn;
	uint32_t b = fn->order[i], next = i + 1;

	for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
		uint32_t h = fn->block[b].succ[k], to = fn->block[h].rpo;
		if (to > i)
			continue;
		bool again = to && *steps > i - to;
		d->at = again ? to - 1 : i;
		if (!come_round(d, b, h) || !again || next <= to)
			continue;
		*steps -= i - to + 1;
		next = to;
	}
	return next;
}

static void list(struct div *d, ir_id id)
{
	struct pass_ctx *ctx = d->ctx;

	ctx->asks = arena_grow_raw(d->fn->arena, ctx->asks, ctx->nasks, &d->asks_cap, ctx->nasks + 1u, sizeof *ctx->asks);
	ctx->asks[ctx->nasks++] = id;
}

/* All but the branch at the end. news: the sweep was not here before. */
static void sweep_block(struct div *d, ir_id first, ir_id last, bool news)
{
	const struct ir_inst *inst = d->fn->inst, *in;
	bool *is = d->is;
	unsigned other = d->ctx->whole_group ? ASK : 0;

	for (ir_id id = first; id != last; id = in->next) {
		in = &inst[id];
		unsigned way = ways[in->op] | other;
		if (!way && in->nargs8 <= IR_INLINE_ARGS) { /* those that it does not have are 0, which does not vary */
			is[id] |= is[in->a[0]] | is[in->a[1]] | is[in->a[2]] | is[in->a[3]];
			continue;
		}
		if (way & LISTED && news)
			list(d, id);
		is[id] = is[id] || varies(d, id, way & ~LISTED);
	}
}

static void sweep(struct div *d)
{
	struct ir_fn *fn = d->fn;
	uint64_t steps = (uint64_t)fn->norder * AGAIN;

	for (uint32_t i = 0; i < fn->norder; i = next_of(d, i, &steps)) {
		const struct ir_block *bl = &fn->block[fn->order[i]];
		d->at = i;
		sweep_block(d, bl->first, bl->last, i >= d->seen);
		d->seen = i >= d->seen ? i + 1 : d->seen;
		if (bl->nsucc > 1 && d->is[fn->inst[bl->last].a[0]] && !d->split[fn->order[i]]) {
			d->split[fn->order[i]] = true;
			spread(d, fn->order[i]);
		}
	}
	d->at = fn->norder; /* past all, wherever it would have gone on */
}

enum pass_result divergence_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct div d = { .ctx = ctx, .fn = fn };

	if (ctx->whole_group)
		d.seen = fn->norder; /* they are listed */
	else
		ctx->asks = NULL, ctx->nasks = 0;
	d.is = arena_array(ctx->whole_group ? ctx->scratch : fn->arena, bool, fn->ninst);
	if (fn->block[fn->entry].nsucc)
		prepare(&d);
	sweep(&d);
	while (d.nwork || d.nbranch) {
		if (!d.nwork) {
			spread(&d, d.branch[--d.nbranch]);
			continue;
		}
		ir_users_find(&d.users, fn, ctx->scratch);
		ir_id id = d.work[--d.nwork];
		ir_for_users(&d.users, id, user)
			reach(&d, id, user);
	}
	ctx->divergent = d.is;
	ctx->ndivergent = fn->ninst;
	ctx->tangled = d.all;
	return PASS_SAME;
}
