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
#include "dce.h"
#include "known.h"
#include "proof.h"
#include "uniform.h"
#include "waterfall.h"

/* One question, and how it is answered. */
enum answer { ASK_LANE /* by this lane's bit */, ASK_NOT /* all lanes walk the region */, ASK_WAVE /* by the wave */ };
struct ask {
	ir_id any;
	uint8_t answer;
	uint32_t branches; /* that it decides */
	bool proven, loop, together;
	bool settled;   /* nothing more can be found out about it */
	bool builds;    /* the proof builds on other questions that lanes answer for themselves */
	const char *why;
	uint32_t where;
	uint64_t *region;
};

/* What an op may be to the questions, but for who has an answer as an operand. */
enum { TOGETHER = 1 /* all lanes of the wave must reach it together */, BY_ANSWER = 2 /* it is a branch, or a negation for one */, MEETS = 4 };
#define CROSSES(name, fx) (((fx) & (FX_CROSS | FX_MASK)) == FX_CROSS && IR_##name != IR_any)
static const uint8_t looks[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = ((fx) & FX_SYNC || CROSSES(name, fx) ? TOGETHER : 0) | \
	(IR_##name == IR_inot || IR_##name == IR_brc ? BY_ANSWER : (fx) & FX_PHI ? MEETS : 0),
#include "../ir/ops.def"
#undef OP
};
#undef CROSSES

static bool overlaps(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

/* A question that stays with the wave is one more thing that all lanes must reach: until nothing changes. */
static void decide(const struct ir_fn *fn, struct ask *ask, uint32_t n, uint64_t *together, uint32_t words)
{
	bool all = true; /* that others may build on */
	for (bool again = true; again;) {
		again = false;
		for (uint32_t k = 0; k < n; k++)
			all &= !ask[k].proven || ask[k].answer == ASK_LANE;
		for (uint32_t k = 0; k < n; k++) {
			struct ask *a = &ask[k];
			uint8_t was = a->answer;
			if (!a->proven || (a->builds && !all))
				a->answer = ASK_WAVE;
			else if (a->together || overlaps(a->region, together, words))
				a->answer = a->loop ? ASK_WAVE : ASK_NOT;
			uint32_t b = fn->inst[a->any].block;
			if (a->answer == ASK_WAVE)
				proof_add(together, b);
			again |= was != a->answer;
		}
	}
}

/* The wave cannot be asked: says why not this lane, about the first question that is the reason. */
static void refuse(struct pass_ctx *ctx, const struct ask *ask, uint32_t n, const struct ask *a)
{
	char where[32] = "";
	for (uint32_t k = n; k-- > 0;)
		if (!ask[k].proven)
			a = &ask[k];
	if (!a->proven && a->where != DIAG_NO_ADDR)
		snprintf(where, sizeof where, " (+0x%x)", a->where);
	diag_emit(ctx->diag, DIAG_LANE_ESCAPE, ctx->fn->inst[a->any].addr,
	          "the wave-wide question about a mask cannot be asked per lane: %s%s",
	          a->proven ? "all lanes must come together behind it" : a->why, where);
}

/* What branches on the answers, or negates them, in a list. */
struct uses { ir_id *id; uint32_t n; };

static bool apply(struct pass_ctx *ctx, struct proof *p, struct ask *ask, uint32_t n, struct ask *const *ask_of, const struct uses *uses,
                  bool wave_can)
{
	static const char *const said[] = {
		[ASK_LANE] = "the branch on a mask asks this lane alone",
		[ASK_NOT] = "all lanes walk the region behind this branch, effects masked: they work together there",
		[ASK_WAVE] = "the branch on a mask asks the whole wave",
	};
	struct ir_fn *fn = ctx->fn;
	for (uint32_t k = 0; k < n; k++) {
		struct ask *a = &ask[k];
		if (a->answer == ASK_WAVE && !wave_can) {
			refuse(ctx, ask, n, a);
			return false;
		}
		diag_say(ctx->diag, "lanes", fn->inst[a->any].addr, said[a->answer]);
	}
	for (uint32_t k = 0; k < uses->n; k++) {
		ir_id any = fn->inst[uses->id[k]].a[0];
		unsigned answer = ask_of[any]->answer;
		if (answer != ASK_WAVE)
			ir_set_arg(fn, uses->id[k], 0, answer == ASK_NOT ? p->yes : fn->inst[any].a[0]);
	}
	fn->has[IR_any] = 0;
	for (uint32_t k = 0; k < n; k++)
		if (ask[k].answer != ASK_WAVE)
			ir_remove(fn, ask[k].any);
		else
			fn->has[IR_any] = 1;
	return true;
}

static bool entry_mask(const struct ir_fn *fn, ir_id v)
{
	const struct ir_inst *i = &fn->inst[v];
	return i->op == IR_inot && fn->inst[i->a[0]].op == IR_sysval && fn->inst[i->a[0]].sub == SYSVAL_helper;
}

/* Does v differ between the lanes that come to block b only by which of them live at the program's start? Some lane does. */
static bool same_in_live(const struct pass_ctx *ctx, ir_id v, uint32_t b, unsigned depth)
{
	const struct ir_inst *i = &ctx->fn->inst[v];
	if (uniform_at(ctx, v, b) || entry_mask(ctx->fn, v))
		return true;
	return depth < 8 && i->op == IR_iand && same_in_live(ctx, i->a[0], b, depth + 1) && same_in_live(ctx, i->a[1], b, depth + 1);
}

/* v as a lane that lives sees it; new code goes before `at`. */
static ir_id in_live(struct pass_ctx *ctx, ir_id v, ir_id at)
{
	struct ir_fn *fn = ctx->fn;
	if (entry_mask(fn, v))
		return ir_const(fn, IR_B1, 1);
	if (uniform_at(ctx, v, fn->inst[at].block))
		return v;
	ir_id x = in_live(ctx, fn->inst[v].a[0], at), y = in_live(ctx, fn->inst[v].a[1], at);
	fn->before = at;
	fn->at = fn->inst[at].block;
	x = ir_op2(fn, IR_iand, IR_B1, x, y);
	fn->before = 0;
	return x;
}

/* A word that lanes load from one address, each that lives, or 0. It is the first lane's whichever that is, and lanes that only help
 * may load it, too: then it is theirs as well. */
static ir_id loaded_by_live(const struct pass_ctx *ctx, ir_id v, uint32_t b)
{
	struct ir_fn *fn = ctx->fn;
	while (fn->inst[v].op == IR_bitcast || fn->inst[v].op == IR_elem || fn->inst[v].op == IR_zext || fn->inst[v].op == IR_sext)
		v = fn->inst[v].a[0];
	if ((fn->inst[v].op != IR_ldbuf && fn->inst[v].op != IR_ldptr) || !same_in_live(ctx, ir_args(fn, v)[0], b, 0))
		return 0;
	for (unsigned k = 1, n = ir_nargs(fn, v); k < n; k++) {
		ir_id a = ir_args(fn, v)[k];
		if (a && !uniform_at(ctx, a, b))
			return 0;
	}
	return v;
}

/* v, of which `load` is the origin, as all lanes may have it. */
static ir_id load_in_all(struct pass_ctx *ctx, ir_id v, ir_id load)
{
	struct ir_fn *fn = ctx->fn;
	struct ir_inst i = fn->inst[v];
	ir_id args[8], got;
	unsigned n = ir_nargs(fn, v);
	for (unsigned k = 0; k < n; k++)
		args[k] = ir_args(fn, v)[k];
	args[0] = v == load ? in_live(ctx, args[0], v) : load_in_all(ctx, args[0], load);
	fn->before = v;
	fn->at = i.block;
	fn->addr = i.addr;
	fn->flags = i.flags;
	got = ir_new(fn, i.op, i.type, n, args);
	fn->inst[got].sub = i.sub;
	fn->inst[got].imm = i.imm;
	fn->before = 0;
	fn->flags = 0;
	return got;
}

/* A mask that is put together from answers which all lanes have, kept as numbers 0 and 1: compilers combine them by the instructions
 * for masks where a wave has 32 lanes. Is it asked about where all lanes are, the answer is the number's. */
static bool is_number(const struct pass_ctx *ctx, ir_id v, uint32_t b, unsigned depth)
{
	const struct ir_fn *fn = ctx->fn;
	const struct ir_inst *i = &fn->inst[v];
	switch (i->op) {
	case IR_lanebit: {
		const struct ir_inst *n = &fn->inst[i->a[0]];
		return ir_bits(n->type) == fn->wave && n->op == IR_zext && fn->inst[n->a[0]].type == IR_B1 && uniform_at(ctx, i->a[0], b);
	}
	case IR_inot: return depth < 8 && is_number(ctx, i->a[0], b, depth + 1);
	case IR_iand: case IR_ior: case IR_ixor:
		return depth < 8 && is_number(ctx, i->a[0], b, depth + 1) && is_number(ctx, i->a[1], b, depth + 1);
	default: return false;
	}
}

/* That number; new code goes before `at`. */
static ir_id number_of(struct pass_ctx *ctx, ir_id v, ir_id at)
{
	struct ir_fn *fn = ctx->fn;
	unsigned op = fn->inst[v].op;
	ir_type type = fn->wave == 64 ? IR_I64 : IR_I32;
	if (op == IR_lanebit)
		return fn->inst[v].a[0];
	ir_id x = number_of(ctx, fn->inst[v].a[0], at), y = op == IR_inot ? 0 : number_of(ctx, fn->inst[v].a[1], at);
	fn->before = at;
	fn->at = fn->inst[at].block;
	x = op == IR_inot ? ir_op1(fn, IR_inot, type, x) : ir_op2(fn, op, type, x, y);
	fn->before = 0;
	return x;
}

static ir_id is_not_zero(struct pass_ctx *ctx, ir_id v, ir_id at)
{
	struct ir_fn *fn = ctx->fn;
	ir_id x = number_of(ctx, v, at), zero = ir_const(fn, fn->inst[x].type, 0);
	fn->before = at;
	fn->at = fn->inst[at].block;
	x = ir_op2(fn, IR_ine, IR_B1, x, zero);
	fn->before = 0;
	return x;
}

/* Questions that are there, in order, as `drop_uniform` met them. */
struct asks { ir_id *id; uint32_t n; };

/* What is the same in all lanes needs no other lane. Notes which questions are left; *firsts: so are first lanes. */
static void drop_uniform(struct pass_ctx *ctx, struct asks *left, bool *changed, bool *firsts)
{
	struct ir_fn *fn = ctx->fn;
	ir_id *map = NULL;
	const uint8_t *split = NULL; /* in such blocks those alone that only help may be, and not lane 0 */
	*left = (struct asks){ .id = arena_array_raw(ctx->scratch, ir_id, ctx->nasks) };
	*firsts = false;
	for (uint32_t k = 0; k < ctx->nasks; k++) {
		ir_id id = ctx->asks[k];
		struct ir_inst *i = &fn->inst[id];
		if (i->op == IR_bind && i->a[0] && ctx->divergent[id])
			i->flags |= IR_F_NONUNIFORM;
		if (i->op != IR_any && i->op != IR_readfirst)
			continue;
		uint32_t b = i->block;
		ir_id v = i->op == IR_any ? i->a[0] : i->a[1];
		bool same = v >= ctx->ndivergent || !ctx->divergent[v];
		bool live = i->op == IR_any && !same && same_in_live(ctx, v, b, 0);
		bool number = i->op == IR_any && !same && !live && is_number(ctx, v, b, 0);
		if ((live || number) && !split)
			split = uniform_split_blocks(ctx, ctx->divergent, ctx->ndivergent);
		live = live && !split[b];
		number = number && !split[b];
		ir_id load = i->op == IR_readfirst && !same && same_in_live(ctx, i->a[0], b, 0) ? loaded_by_live(ctx, v, b) : 0;
		if (same || live || load || number) {
			if (!map)
				map = ir_map_new(ctx->scratch, fn);
			map[id] = load ? load_in_all(ctx, v, load) : live ? in_live(ctx, v, id) : number ? is_not_zero(ctx, v, id) : v;
		} else if (i->op == IR_any) {
			left->id[left->n++] = id;
		} else {
			*firsts = true;
		}
	}
	*changed = map != NULL;
	if (!map)
		return;
	ir_map_apply(fn, map);
	lanes_answered(ctx, map);
}

/* Questions that have an answer go. */
void lanes_answered(struct pass_ctx *ctx, const ir_id *map)
{
	struct ir_fn *fn = ctx->fn;
	for (uint32_t k = 0; k < ctx->nasks; k++) {
		ir_id id = ctx->asks[k];
		if ((fn->inst[id].op == IR_any || fn->inst[id].op == IR_readfirst) && map[id])
			ir_remove(fn, id);
	}
}

/* The question behind a condition: any(m) directly or through negations. NULL: it is none. */
static struct ask *asked(const struct ir_fn *fn, struct ask *const *ask_of, ir_id c, bool *negated)
{
	*negated = false;
	while (fn->inst[c].op == IR_inot) {
		c = fn->inst[c].a[0];
		*negated = !*negated;
	}
	return fn->inst[c].op == IR_any ? ask_of[c] : NULL;
}

/* The answer is used as it is, or negated. */
static void used_as_value(struct ask *a)
{
	if (!a || !a->proven)
		return;
	a->proven = false;
	a->settled = true;
	a->why = "the answer is used as a value";
}

/* Is one of the operands an answer, as far as it was met? */
static inline bool has_answer(struct ask *const *ask_of, const struct ir_inst *in)
{
	bool some = false;
	if (in->nargs8 <= IR_INLINE_ARGS) /* those that it does not have are 0 */
		return (uintptr_t)ask_of[in->a[0]] | (uintptr_t)ask_of[in->a[1]] | (uintptr_t)ask_of[in->a[2]] | (uintptr_t)ask_of[in->a[3]];
	for (unsigned k = 0; k < in->x.count; k++)
		some |= ask_of[in->x.ext[k]] != NULL;
	return some;
}

static void use_answers(const struct ir_fn *fn, struct ask *const *ask_of, const struct ir_inst *in)
{
	const ir_id *v = in->nargs8 == 255 ? in->x.ext : in->a;
	bool negated;
	for (unsigned k = 0, n = in->nargs8 == 255 ? in->x.count : in->nargs8; k < n; k++)
		used_as_value(asked(fn, ask_of, v[k], &negated));
}

static void use_by_answer(const struct ir_fn *fn, struct ask **ask_of, ir_id id, struct uses *uses)
{
	const struct ir_inst *in = &fn->inst[id];
	ir_id c = in->a[0];
	if (!ask_of[c])
		return;
	if (fn->inst[c].op == IR_any)
		uses->id[uses->n++] = id;
	if (in->op == IR_inot)
		ask_of[id] = ask_of[c];
	else
		ask_of[c]->branches++;
}

/* Questions of which anything but branches (through negations) makes use, and blocks that all lanes must reach together. `uses`
 * has room for all there could be. A negation is met before who uses it, but for phis: ask_of says whose it is, too. */
static void look_round(struct ir_fn *fn, struct ask **ask_of, uint64_t *together, struct uses *uses)
{
	const struct ir_inst *inst = fn->inst, *in;
	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			unsigned look = looks[in->op];
			if (look & BY_ANSWER)
				use_by_answer(fn, ask_of, id, uses);
			else if (look & MEETS ? in->type == IR_B1 : has_answer(ask_of, in))
				use_answers(fn, ask_of, in);
			if (look & TOGETHER)
				proof_add(together, b);
		}
}

/* Where lockstep.c may have to put a barrier, to which all lanes must come. */
static bool exchanges(const struct ir_fn *fn, uint32_t b)
{
	ir_for_insts(fn, b, id)
		if (fn->inst[id].op == IR_ldshared || fn->inst[id].op == IR_stshared || fn->inst[id].op == IR_atshared)
			return true;
	return false;
}

/* A host's own subgroup operations see the lanes that happen to be there. A lane that went its own way could be
 * missing, so what branches on the way to anything that the wave is asked is asked of the wave, too. Then it costs
 * nothing to have lanes come together to shared memory as well. */
static void together_before(struct pass_ctx *ctx, struct ask *const *ask_of, const uint64_t *together, uint32_t words)
{
	struct ir_fn *fn = ctx->fn;
	uint64_t *leads = arena_array(ctx->scratch, uint64_t, words);
	uint32_t *todo = arena_array_raw(ctx->scratch, uint32_t, 3 * fn->nblock), n = 0;
	bool negated, shared = fn->stage == STAGE_COMPUTE && fn->has[IR_stshared] | fn->has[IR_atshared];

	ir_for_order(fn, b)
		if (proof_has(together, b))
			todo[n++] = b;
	if (n && shared)
		ir_for_order(fn, b)
			if (!proof_has(together, b) && exchanges(fn, b))
				todo[n++] = b;
	while (n) {
		uint32_t b = todo[--n];
		for (uint32_t k = 0; k < fn->block[b].npred; k++) {
			uint32_t p = fn->block[b].pred[k];
			if (proof_has(leads, p))
				continue;
			proof_add(leads, p);
			todo[n++] = p;
			const struct ir_inst *t = &fn->inst[fn->block[p].last];
			struct ask *a = t->op == IR_brc ? asked(fn, ask_of, t->a[0], &negated) : NULL;
			if (!a)
				continue;
			a->answer = ASK_WAVE;
			todo[n++] = fn->inst[a->any].block;
		}
	}
}

/* One try at all questions that are open. What is found counts from there on: where p->by_lane is known, or else, from
 * the innermost branches outwards, as steps. True when nothing was tried in vain before something was found: to try
 * again would be of no use. */
static bool try_all(struct proof *p, bool *by_lane, struct ask *const *ask_of)
{
	struct ir_fn *fn = p->fn;
	bool negated, vain = false, last = true;
	for (uint32_t k = 0; k < fn->norder; k++) {
		uint32_t b = fn->order[p->by_lane ? k : fn->norder - 1 - k];
		const struct ir_inst *t = &fn->inst[fn->block[b].last];
		struct ask *a = t->op == IR_brc ? asked(fn, ask_of, t->a[0], &negated) : NULL;
		if (!a || !a->proven || a->settled)
			continue;
		p->region = a->region;
		p->where = DIAG_NO_ADDR;
		p->together = p->loop = false;
		a->proven = prove_branch(p, b, fn->inst[a->any].a[0], negated, &a->why);
		a->where = p->where;
		a->loop |= p->loop;
		a->together |= p->together;
		vain |= !a->proven;
		if (a->proven && p->found.mask && a->branches == 1 && !p->by_lane)
			proof_step_add(p, b);
		last &= !a->proven || (!vain && a->branches == 1);
		if (p->by_lane && a->proven && a->branches == 1) {
			by_lane[a->any] = true;
			p->kept_ways.epoch++;
		}
	}
	return last;
}

/* A lane that answers for itself goes where its bit says: what is known of it then may prove what could not be proven before. */
static void prove(struct proof *p, struct arena *a, struct ask *ask, uint32_t n, struct ask *const *ask_of)
{
	enum { ROUNDS = 8 };
	bool *by_lane = arena_array(a, bool, p->fn->ninst), last = false;
	uint32_t open = n, found = n, always = 0;
	p->always = arena_array(a, bool, p->fn->ninst);
	for (unsigned round = 0; round < ROUNDS && open && (round < 2 || found); round++) {
		if (round) {
			uint32_t before = always;
			p->closer = true;
			p->by_lane = by_lane;
			p->kept_ways.epoch++;
			always = known_loops(p);
			if (last && always == before)
				break;
		}
		for (uint32_t k = 0; k < n; k++)
			if (!ask[k].settled) {
				ask[k].proven = true;
				ask[k].loop = ask[k].together = false;
				proof_clear(p, ask[k].region);
			}
		last = try_all(p, by_lane, ask_of) && round;
		open = found = 0;
		for (uint32_t k = 0; k < n; k++) {
			struct ask *q = &ask[k];
			if (q->settled)
				continue;
			if (!q->proven) {
				open++;
				continue;
			}
			q->settled = by_lane[q->any] = true;
			q->builds = round > 0;
			found++;
		}
	}
	p->by_lane = NULL;
	p->closer = false;
}

/* Does the wave hear another answer without the whole quads that are gone? */
static bool hears_less(struct pass_ctx *ctx, const struct quad_dropped *dropped, const struct ask *ask, uint32_t n)
{
	bool *told = dropped ? lanes_quad_told(ctx->fn, dropped, ctx->scratch) : NULL;
	for (uint32_t k = 0; k < n && told; k++)
		if (ask[k].answer == ASK_WAVE && told[ask[k].any])
			return true;
	return false;
}

enum pass_result lanes_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	const struct fact_target *target = ctx->facts ? ctx->facts->target : NULL;
	/* other stages than compute cannot ask for a size */
	bool one_size = target && (fn->stage == STAGE_COMPUTE || target->subgroup_min == target->subgroup_max);
	bool same_size = one_size && target->subgroup_size == fn->wave && target->subgroup_vote;
	bool wave_can = same_size || (target && fn->stage == STAGE_COMPUTE); /* `emulate` asks it through shared memory */
	ctx->kept = need_kept(fn);
	bool changed, firsts, answered = lanes_alone_run(ctx);
	if (answered)
		divergence_run(ctx); /* what was the first lane's is each lane's own now */
	else
		answered = lanes_elect_run(ctx);
	struct asks left = { 0 };
	drop_uniform(ctx, &left, &changed, &firsts);
	if (!left.n) {
		fn->has[IR_any] = 0;
		return changed || answered ? PASS_CHANGED : PASS_SAME;
	}
	if (changed || answered || !(ctx->have & HAS_LIVE))
		dce_run(ctx); /* dead code asks for more than there is left to ask for */
	struct proof p;
	bool reducible = ctx->ipdom && !answered ? ctx->reducible : cfg_loops(fn); /* answers may have changed the graph */
	if (firsts && reducible && target && target->nonuniform) {
		proof_init(&p, ctx, wave_can);
		if (waterfall_find(ctx, &p)) {
			divergence_run(ctx);
			drop_uniform(ctx, &left, &changed, &firsts);
			if (!left.n)
				return PASS_CHANGED;
		}
	}
	uint32_t n, words = (fn->nblock + 63) / 64;
	struct ask *ask = arena_array(ctx->scratch, struct ask, left.n), **ask_of = arena_array(ctx->scratch, struct ask *, fn->ninst);
	uint64_t *together = arena_array(ctx->scratch, uint64_t, words);
	struct uses uses = { .id = arena_array_raw(ctx->scratch, ir_id, fn->ninst) };
	struct quad_dropped *dropped = NULL;
	for (bool drop = reducible /* it looks for loops */, again = true; again; drop = false) {
		n = 0;
		for (uint32_t k = 0; k < left.n; k++) {
			if (fn->inst[left.id[k]].op != IR_any) /* was dead */
				continue;
			ask[n] = (struct ask){ .any = left.id[k], .proven = reducible, .settled = !reducible, .where = DIAG_NO_ADDR,
				.why = "the loops around it cannot be entered by one way only",
				.region = arena_array(ctx->scratch, uint64_t, words) };
			ask_of[left.id[k]] = &ask[n++];
		}
		proof_init(&p, ctx, wave_can);
		dropped = p.quad_after && drop ? lanes_quad_drop(&p, ctx->scratch) : NULL;
		uses.n = 0;
		proof_clear(&p, together);
		look_round(fn, ask_of, together, &uses);
		prove(&p, ctx->scratch, ask, n, ask_of);
		decide(fn, ask, n, together, words);
		if (same_size)
			together_before(ctx, ask_of, together, words);
		again = same_size && hears_less(ctx, dropped, ask, n);
		if (again)
			lanes_quad_restore(fn, dropped);
	}
	return apply(ctx, &p, ask, n, ask_of, &uses, wave_can) ? PASS_CHANGED : PASS_REFUSED;
}
