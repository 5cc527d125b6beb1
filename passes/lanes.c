/* lanes.c - wave-wide questions become questions about this lane, where that is proven to give every lane the same result.
 *
 * A scalar branch on a lane mask asks whether *any* lane of the wave has its bit set. Each lane walks the graph by itself
 * here, so it may take the branch on its own bit alone if, for a lane whose bit is 0, both ways act alike:
 *
 *     %5 = any %m                         the region has no effect under a mask that is false when %m is,
 *     brc %5, region, join       =>       and every value that leaves it is what it was before, when %m is false:
 *                                         brc %m, region, join
 *
 *     loop: ... %5 = any %m               a lane that is off stays off, without effects, and every value that it
 *     brc %5, loop, exit         =>       uses afterwards no longer changes:  brc %m, loop, exit
 *
 * Where the lanes of a one-wave workgroup exchange shared memory in such a region, all of them walk it, effects masked, so that
 * `lockstep` can put barriers there.
 *
 * Also: `any` and `readfirst` of a value that is the same in all lanes is the value; a `bind` whose element differs
 * between lanes is marked NonUniform. What cannot be proven is refused, since a host whose subgroup is not the guest's wave
 * cannot ask the question at all.
 */
#include "proof.h"

#include <string.h>

/* ---- forward regions */

/* Mark the blocks reachable from `from` without entering `stop`. Returns false when `avoid` is among them. */
static bool reach(struct proof *p, uint32_t from, uint32_t stop, uint32_t avoid, uint8_t *mark)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	memset(mark, 0, fn->nblock);
	if (from == stop)
		return true;
	p->stack[top++] = from;
	mark[from] = 1;
	while (top) {
		uint32_t b = p->stack[--top];
		if (b == avoid)
			return false;
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
			uint32_t s = fn->block[b].succ[k];
			if (s != stop && !mark[s]) {
				mark[s] = 1;
				p->stack[top++] = s;
			}
		}
	}
	return true;
}

static void shared_use(const struct ir_fn *fn, uint32_t b, unsigned *reads, unsigned *writes)
{
	ir_for_insts(fn, b, id) {
		*reads += fn->inst[id].op == IR_ldshared;
		*writes += fn->inst[id].op == IR_stshared || fn->inst[id].op == IR_atshared;
	}
}

/* Whatever `v` is in this lane, nothing that uses it depends on it: its users have other values under the assumptions. */
static bool undemanded(struct proof *p, ir_id v)
{
	struct ir_fn *fn = p->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id)
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				if (ir_args(fn, id)[k] != v)
					continue;
				ir_id r = proof_value(p, id);
				if (fn->inst[id].op == IR_phi || r == id || r == v)
					return false;
			}
	return true;
}

static bool prove_skip(struct proof *p, uint32_t b, ir_id m, uint32_t yes, uint32_t no, const char **why)
{
	struct ir_fn *fn = p->fn;
	uint32_t join = p->ipdom[b];
	uint8_t *demotes = p->demote_marks;
	unsigned reads = 0, writes = 0;
	memset(demotes, 0, fn->nblock);
	p->demotes = demotes;
	proof_start(p);
	proof_assume(p, m);
	for (unsigned side = 0; side < 2; side++) {
		if (!reach(p, side ? no : yes, join, b, p->mark[side])) {
			*why = "the region leads back to the branch";
			return false;
		}
		for (uint32_t x = 0; x < fn->nblock; x++) {
			if (!p->mark[side][x])
				continue;
			if (!proof_quiet(p, x, why))
				return false;
			shared_use(fn, x, &reads, &writes);
		}
	}
	if (p->in_step && writes && reads + writes > 1)
		p->wide = true;

	for (uint32_t x = 0; x < fn->nblock; x++)
		if (demotes[x] && x != yes && x != no)
			demotes[yes] = 2; /* under a condition: not followed */
	if (demotes[yes] != demotes[no]) {
		*why = "lanes are discarded on one side only";
		return false;
	}
	if (join == IR_NO_BLOCK)
		return true;
	const struct ir_block *j = &fn->block[join];
	ir_for_insts(fn, join, phi) {
		if (fn->inst[phi].op != IR_phi)
			break;
		ir_id same = 0;
		for (uint32_t k = 0; k < j->npred; k++) {
			uint32_t q = j->pred[k];
			if (q != b && !p->mark[0][q] && !p->mark[1][q])
				continue;
			ir_id v = proof_value(p, ir_args(fn, phi)[k]);
			if (fn->inst[v].op == IR_undef) /* whatever the lane gets, it is right */
				continue;
			if (same && same != v) {
				if (undemanded(p, phi))
					break;
				*why = "a value set in the region is used behind it";
				p->where = fn->inst[ir_args(fn, phi)[k]].addr;
				return false;
			}
			same = v;
		}
	}
	return true;
}

/* ---- loop exits */

/* Back-edge operands of a header phi all simplify to `want` (0: returns the common value in *common). */
static bool back_value(struct proof *p, ir_id phi, uint32_t header, ir_id *common)
{
	const struct ir_block *h = &p->fn->block[header];
	*common = 0;
	for (uint32_t k = 0; k < h->npred; k++) {
		if (!proof_in_loop(p, h->pred[k], header))
			continue;
		ir_id v = proof_value(p, ir_args(p->fn, phi)[k]);
		if (*common && *common != v)
			return false;
		*common = v;
	}
	return *common != 0;
}

static bool defined_in(const struct proof *p, ir_id v, uint32_t header)
{
	uint32_t b = p->fn->inst[v].block;
	return b != IR_NO_BLOCK && proof_in_loop(p, b, header);
}

struct exit_proof {
	ir_id mask, off[PROOF_ASSUMES]; /* off: header phis that are false in all later turns */
	unsigned noff;
	uint32_t header, exit;
};

static void assume_off(struct proof *p, const struct exit_proof *e)
{
	proof_start(p);
	for (unsigned k = 0; k < e->noff; k++)
		proof_assume(p, e->off[k]);
}

/* A lane went off at the branch, where the value behind the loop would have been `v`. The wave leaves later, perhaps by
 * another exit, with `w`: is that the same? now: assumption m; later turns: the masks off[] are false from their start. */
static bool stays(struct proof *p, const struct exit_proof *e, ir_id v, ir_id w)
{
	proof_start(p);
	proof_assume(p, e->mask);
	ir_id now = proof_value(p, v);
	if (p->fn->inst[now].op == IR_undef)
		return true;
	assume_off(p, e);
	ir_id later = proof_value(p, w);
	if (!defined_in(p, later, e->header))
		return later == now;
	if (p->fn->inst[later].op != IR_phi || p->fn->inst[later].block != e->header)
		return false;
	ir_id c;
	if (!back_value(p, later, e->header, &c) || c != later) /* from the second turn on */
		return false;
	proof_start(p);
	proof_assume(p, e->mask);
	return back_value(p, later, e->header, &c) && c == now;
}

/* Operands of a phi behind the loop: every exit edge must bring what the edge of this branch brings now. */
static bool phi_stays(struct proof *p, const struct exit_proof *e, ir_id phi)
{
	struct ir_fn *fn = p->fn;
	const struct ir_block *x = &fn->block[e->exit];
	ir_id now = 0;
	for (uint32_t k = 0; k < x->npred; k++)
		if (x->pred[k] == p->branch)
			now = ir_args(fn, phi)[k];
	for (uint32_t k = 0; k < x->npred; k++) {
		if (!proof_in_loop(p, x->pred[k], e->header) && !p->mark[1][x->pred[k]])
			continue;
		ir_id w = ir_args(fn, phi)[k];
		if (!stays(p, e, now, w))
			return false;
		if (x->pred[k] == p->branch || !p->mark[0][x->pred[k]])
			continue;
		proof_start(p); /* an exit further on in this turn */
		proof_assume(p, e->mask);
		if (proof_value(p, w) != proof_value(p, now))
			return false;
	}
	return true;
}

static bool live_out_stays(struct proof *p, const struct exit_proof *e, const char **why)
{
	struct ir_fn *fn = p->fn;
	*why = "a value set in the loop is used behind it and may differ from what the last lane leaves";
	ir_for_order(fn, x) {
		if (proof_in_loop(p, x, e->header) || p->mark[1][x])
			continue;
		ir_for_insts(fn, x, id) {
			p->where = fn->inst[id].addr;
			if (x == e->exit && fn->inst[id].op == IR_phi) {
				if (!phi_stays(p, e, id))
					return false;
				continue;
			}
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				ir_id v = ir_args(fn, id)[k];
				if (v && defined_in(p, v, e->header) && !stays(p, e, v, v))
					return false;
			}
		}
	}
	return true;
}

/* mark[1]: blocks between the loop's other exits and the place where this one leads. */
static void ways_out(struct proof *p, const struct exit_proof *e)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	memset(p->mark[1], 0, fn->nblock);
	ir_for_order(fn, x) {
		if (!proof_in_loop(p, x, e->header))
			continue;
		for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
			uint32_t y = fn->block[x].succ[k];
			if (y != e->exit && !proof_in_loop(p, y, e->header) && !p->mark[1][y]) {
				p->mark[1][y] = 1;
				p->stack[top++] = y;
			}
		}
	}
	while (top) {
		uint32_t x = p->stack[--top];
		for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
			uint32_t y = fn->block[x].succ[k];
			if (y != e->exit && !p->mark[1][y]) {
				p->mark[1][y] = 1;
				p->stack[top++] = y;
			}
		}
	}
}

static bool prove_exit(struct proof *p, ir_id m, uint32_t header, uint32_t exit, const char **why)
{
	struct ir_fn *fn = p->fn;
	struct exit_proof e = {.mask = m, .header = header, .exit = exit};
	proof_start(p);
	proof_assume(p, m);
	ir_for_insts(fn, header, phi) {
		ir_id c;
		if (fn->inst[phi].op != IR_phi)
			break;
		if (fn->inst[phi].type == IR_B1 && e.noff < PROOF_ASSUMES && back_value(p, phi, header, &c) && c == p->no)
			e.off[e.noff++] = phi;
	}
	/* the rest of this turn */
	const struct ir_block *b = &fn->block[p->branch];
	reach(p, b->succ[b->succ[0] == exit], header, IR_NO_BLOCK, p->mark[0]);
	for (uint32_t x = 0; x < fn->nblock; x++)
		if (p->mark[0][x] && proof_in_loop(p, x, header) && !proof_quiet(p, x, why))
			return false;
	ways_out(p, &e);
	/* all later turns: the lane is off and stays off */
	assume_off(p, &e);
	if (proof_value(p, m) != p->no) {
		*why = "a lane that left may be switched on again in the loop";
		return false;
	}
	ir_for_order(fn, x) {
		if (!proof_in_loop(p, x, header) && !p->mark[1][x])
			continue;
		if (!proof_quiet(p, x, why))
			return false;
		if (!fn->block[x].nsucc) {
			*why = "the loop has exits to different places";
			return false;
		}
	}
	return live_out_stays(p, &e, why);
}

/* ---- driver */

/* The mask that a branch condition asks about: any(m) directly or through negations. */
static ir_id asked(const struct ir_fn *fn, ir_id c, bool *negated)
{
	*negated = false;
	while (fn->inst[c].op == IR_inot) {
		c = fn->inst[c].a[0];
		*negated = !*negated;
	}
	return fn->inst[c].op == IR_any ? c : 0;
}

static bool prove_branch(struct proof *p, uint32_t b, ir_id any, bool negated, const char **why)
{
	struct ir_fn *fn = p->fn;
	uint32_t yes = fn->block[b].succ[negated], no = fn->block[b].succ[!negated];
	ir_id m = fn->inst[any].a[0];
	p->branch = b;
	p->demotes = NULL;
	uint32_t loop = IR_NO_BLOCK; /* outermost loop that exactly one side leaves */
	for (uint32_t h = fn->block[b].loop; h != IR_NO_BLOCK; h = p->outer[h])
		if (proof_in_loop(p, yes, h) != proof_in_loop(p, no, h))
			loop = h;
	if (loop == IR_NO_BLOCK)
		return prove_skip(p, b, m, yes, no, why);
	if (!proof_in_loop(p, yes, loop)) {
		*why = "the loop is left when some lane's bit is set";
		return false;
	}
	return prove_exit(p, m, loop, no, why);
}

/* Every use of `any` is a branch that may ask this lane alone. */
static bool prove_any(struct proof *p, ir_id any, const char **why)
{
	struct ir_fn *fn = p->fn;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			bool neg;
			const struct ir_inst *i = &fn->inst[id];
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				ir_id v = ir_args(fn, id)[k];
				if (!v || (i->op == IR_inot && v == any))
					continue;
				if (fn->inst[v].type != IR_B1 || asked(fn, v, &neg) != any)
					continue;
				if (i->op != IR_brc) {
					*why = "the answer is used as a value";
					return false;
				}
				if (!prove_branch(p, b, any, neg, why))
					return false;
			}
		}
	return true;
}

static void outer_loops(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	for (uint32_t b = 0; b < fn->nblock; b++)
		p->outer[b] = IR_NO_BLOCK;
	ir_for_order(fn, b) {
		if (fn->block[b].loop != b)
			continue;
		/* the loop around a header is the innermost loop of its dominator that contains it */
		for (uint32_t d = b; d != fn->block[d].idom;) {
			d = fn->block[d].idom;
			uint32_t h = fn->block[d].loop;
			if (h != IR_NO_BLOCK && h != b && p->contains(p, h, b)) {
				p->outer[b] = h;
				break;
			}
		}
	}
}

/* Does the natural loop of `header` contain block b? Walks predecessors of the back edges. */
static bool contains(struct proof *p, uint32_t header, uint32_t b)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	memset(p->mark[0], 0, fn->nblock);
	p->mark[0][header] = 1;
	for (uint32_t k = 0; k < fn->block[header].npred; k++) {
		uint32_t q = fn->block[header].pred[k];
		if (cfg_dominates(fn, header, q) && !p->mark[0][q]) {
			p->mark[0][q] = 1;
			p->stack[top++] = q;
		}
	}
	while (top) {
		uint32_t x = p->stack[--top];
		if (x == b)
			return true;
		for (uint32_t k = 0; k < fn->block[x].npred; k++) {
			uint32_t q = fn->block[x].pred[k];
			if (!p->mark[0][q]) {
				p->mark[0][q] = 1;
				p->stack[top++] = q;
			}
		}
	}
	return p->mark[0][b];
}

static bool proof_init(struct proof *p, struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	*p = (struct proof){.fn = fn, .contains = contains};
	p->no = ir_const(fn, IR_B1, 0);
	p->yes = ir_const(fn, IR_B1, 1);
	p->memo = arena_array(ctx->scratch, ir_id, fn->ninst);
	p->stamp = arena_array(ctx->scratch, uint32_t, fn->ninst);
	p->opaque = arena_array(ctx->scratch, uint32_t, fn->ninst);
	p->stack = arena_array(ctx->scratch, uint32_t, fn->nblock + 1u);
	p->outer = arena_array(ctx->scratch, uint32_t, fn->nblock + 1u);
	p->demote_marks = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	for (unsigned k = 0; k < 2; k++)
		p->mark[k] = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	bool reducible = cfg_loops(fn);
	uint32_t threads = fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
	p->in_step = fn->stage == STAGE_COMPUTE && threads > 1 && threads <= fn->wave;
	p->ipdom = cfg_postdominators(fn, ctx->scratch);
	outer_loops(p);
	return reducible;
}

enum pass_result lanes_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *target = ctx->facts ? ctx->facts->target : NULL;
	bool same_size = target && target->subgroup_size == fn->wave && target->subgroup_vote;
	bool asks = false, changed = false;
	ir_id *map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			struct ir_inst *i = &fn->inst[id];
			ir_id v = i->op == IR_any ? i->a[0] : i->op == IR_readfirst ? i->a[1] : 0;
			if (v && (v >= ctx->ndivergent || !ctx->divergent[v])) {
				map[id] = v;
				changed = true;
			} else if (i->op == IR_any)
				asks = true;
			else if (i->op == IR_bind && i->a[0] && i->a[0] < ctx->ndivergent && ctx->divergent[i->a[0]])
				i->flags |= IR_F_NONUNIFORM;
		}
	if (changed)
		ir_map_apply(fn, map);
	if (!asks)
		return changed ? PASS_CHANGED : PASS_SAME;
	struct proof p;
	bool reducible = proof_init(&p, ctx);
	map = ir_map_new(ctx->scratch, fn);
	ir_for_order(fn, b)
		ir_for_insts(fn, b, id) {
			if (fn->inst[id].op != IR_any)
				continue;
			const char *why = "the loops around it cannot be entered by one way only";
			p.where = DIAG_NO_ADDR;
			p.wide = false;
			if (reducible && prove_any(&p, id, &why)) {
				map[id] = p.wide ? p.yes : fn->inst[id].a[0];
				diag_remark(ctx->diag, "lanes", fn->inst[id].addr, "%s",
				            p.wide ? "lanes exchange shared memory in step here: all of them walk the region" :
				                     "the branch on a mask asks this lane alone");
			} else if (!same_size) {
				char where[32] = "";
				if (p.where != DIAG_NO_ADDR)
					snprintf(where, sizeof where, " (+0x%x)", p.where);
				diag_emit(ctx->diag, DIAG_LANE_ESCAPE, fn->inst[id].addr,
				          "the wave-wide question about a mask cannot be asked per lane: %s%s", why, where);
				return PASS_REFUSED;
			}
		}
	ir_map_apply(fn, map);
	return PASS_CHANGED;
}
