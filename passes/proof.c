/* proof.c - what a value is in a lane for which given masks are false. See lanes.c for what it is used for.
 *
 * simp() follows logic, selects and phis. A phi in the head of a loop around the branch is opaque: the assumption is about one
 * turn. So is one of a loop that is over when what is assumed was computed in its last turn. Other loop phis are guessed to keep
 * the value they are entered with, and the guess is checked.
 *
 * What lies in front of all that is assumed does not depend on it, and `fold` has looked at it already. Where the helper bit is
 * assumed, or the walk is known, it may be more than that: such values are kept from one proof to the next. So a proof looks at
 * what is new, and not at the whole program before it.
 */
#include "proof.h"

/* ---- simplification under "these masks are false" */

static ir_id simp_made(struct proof *p, ir_id v, bool early, unsigned depth);

/* What is followed: choices, and logic of bits. */
enum { FOLLOW = 1, FOLLOW_BITS };
static const uint8_t follows[IR_OP_COUNT] = {
	[IR_phi] = FOLLOW, [IR_select] = FOLLOW, [IR_iand] = FOLLOW_BITS, [IR_ior] = FOLLOW_BITS, [IR_ixor] = FOLLOW_BITS,
	[IR_inot] = FOLLOW_BITS,
};

/* The value that v has when the assumed masks are false: v itself when nothing is known. */
static inline ir_id simp(struct proof *p, ir_id v, unsigned depth)
{
	const struct proof_state *is = p->is;
	const struct ir_inst *i = &p->fn->inst[v];
	if (is->known[v].stamp == is->epoch) {
		if (p->open[v])
			p->open[v] = 2;
		return is->known[v].value;
	}
	unsigned how = follows[i->op];
	if (!how || (how == FOLLOW_BITS && i->type != IR_B1))
		return v;
	bool early = p->fn->block[i->block].rpo < is->floor;
	if (early) {
		if (!is->helps && !is->only)
			return v;
		if (p->early[v].stamp == p->early_epoch)
			return p->early[v].value;
	}
	if (depth > 300) {
		p->cut = true;
		return v;
	}
	return simp_made(p, v, early, depth);
}

/* Two operands of phi v differ. If the first one's value was taken for the phi's meanwhile, what came of that is worthless. */
static ir_id no_value(struct proof *p, ir_id v)
{
	if (p->open[v] == 2) {
		p->opaque[v] = p->is->round;
		p->again = true;
	}
	p->open[v] = 0;
	return v;
}

/* May v's own value be met again while it is looked for? */
static bool is_guess(const struct proof *p, uint32_t home)
{
	uint32_t loop = p->fn->block[home].loop;
	return loop != IR_NO_BLOCK && !proof_in_loop(p, p->branch, loop);
}

/* The block whose branch leads to `home`, and is a step under the assumptions. IR_NO_BLOCK: there is none. */
static uint32_t stepped_from(struct proof *p, uint32_t home, unsigned depth)
{
	uint32_t b = p->step && p->step_to[home] ? p->step_to[home] - 1 : IR_NO_BLOCK;
	const struct proof_step *s = b == IR_NO_BLOCK ? NULL : proof_step_at(p, b);
	return s && simp(p, s->mask, depth) == p->no ? b : IR_NO_BLOCK;
}

/* A phi behind such a branch in block b is what it gets from there, or over any way that brings something. */
static ir_id step_phi(struct proof *p, ir_id v, uint32_t b, unsigned depth)
{
	const uint32_t *pred = p->fn->block[p->fn->inst[v].block].pred;
	unsigned n = ir_nargs(p->fn, v), first = 0;
	while (first < n && pred[first] != b)
		first++;
	for (unsigned k = 0; k < n; k++) {
		ir_id s = simp(p, ir_args(p->fn, v)[(first + k) % n], depth + 1);
		if (!proof_undef(p, s))
			return s;
	}
	return v;
}

static ir_id simp_phi(struct proof *p, ir_id v, unsigned depth)
{
	ir_id r = 0;
	unsigned n = ir_nargs(p->fn, v);
	uint32_t home = p->fn->inst[v].block;
	if (p->opaque[v] == p->is->round)
		return v;
	/* what a turn of a loop around the branch starts with: the assumption is about this turn alone */
	if (p->fn->block[home].loop == home && (proof_in_loop(p, p->branch, home) || p->is->over[home] == p->is->epoch))
		return v;
	uint32_t from = stepped_from(p, home, depth + 1);
	if (from != IR_NO_BLOCK)
		return step_phi(p, v, from, depth);
	bool guess = is_guess(p, home);
	p->open[v] = 1;
	p->guesses += guess;
	bool walked = p->is->only && (p->is->turn ? proof_has(p->before, home) || home == p->branch || proof_has(p->is->only, home) :
		proof_has(p->is->only, home) && home != p->branch);
	unsigned turns = p->fn->block[home].loop == home ? 2 : 1; /* the head of a loop has ways back */
	/* entries first: their common value is the guess that the back edges must keep */
	for (unsigned back = 0; back < turns && (!back || r); back++) /* (what comes round to nothing is of the turn before) */
		for (unsigned i = 0; i < n; i++) {
			if (turns > 1 && cfg_dominates(p->fn, home, p->fn->block[home].pred[i]) != back)
				continue;
			if (walked && !proof_walked(p, p->fn->block[home].pred[i], home))
				continue;
			p->is->known[v] = (struct proof_known){ p->is->epoch, r ? r : v };
			ir_id s = ir_args(p->fn, v)[i];
			s = p->is->turn && proof_edge_true(p, p->fn->block[home].pred[i], home, s) ? p->yes : simp(p, s, depth + 1);
			if (proof_undef(p, s) || s == r)
				continue;
			if (r) {
				p->guesses -= guess;
				return no_value(p, v);
			}
			r = s;
		}
	p->guesses -= guess;
	p->open[v] = 0;
	return r ? r : v;
}

static ir_id simp_select(struct proof *p, const struct ir_inst *i, ir_id v, unsigned depth)
{
	ir_id c = simp(p, i->a[0], depth + 1);
	uint64_t k;
	if (ir_is_const(p->fn, c, &k))
		return simp(p, i->a[k ? 1 : 2], depth + 1);
	ir_id x = simp(p, i->a[1], depth + 1), y = simp(p, i->a[2], depth + 1);
	return x == y ? x : v;
}

/* Does `a` imply `b`, by an assumption that !b & a is false? */
static bool implies(const struct proof *p, ir_id a, ir_id b)
{
	for (unsigned k = 0; k < p->is->nimply; k++)
		if (p->is->imply[k].a == a && p->is->imply[k].b == b)
			return true;
	return false;
}

static ir_id simp_logic(struct proof *p, const struct ir_inst *i, ir_id v, unsigned depth)
{
	ir_id x = simp(p, i->a[0], depth + 1), y = 0;
	if ((i->op == IR_iand && x == p->no) || (i->op == IR_ior && x == p->yes))
		return x; /* whatever the other one is */
	if (i->op != IR_inot)
		y = simp(p, i->a[1], depth + 1);
	uint64_t kx = 0, ky = 0;
	bool cx = ir_is_const(p->fn, x, &kx), cy = y && ir_is_const(p->fn, y, &ky);
	switch (i->op) {
	case IR_inot: return cx ? (kx ? p->no : p->yes) : v;
	case IR_iand:
		if (cy && !ky)
			return p->no;
		return cx ? y : cy ? x : x == y || implies(p, i->a[0], i->a[1]) ? x : implies(p, i->a[1], i->a[0]) ? y : v;
	case IR_ior:
		if (cy && ky)
			return p->yes;
		return cx ? y : cy ? x : x == y || implies(p, i->a[1], i->a[0]) ? x : implies(p, i->a[0], i->a[1]) ? y : v;
	case IR_ixor:
		if (x == y)
			return p->no;
		return cx && !kx ? y : cy && !ky ? x : v;
	default: return v;
	}
}

/* Logic, a select or a phi. early: it stands in front of what is assumed. */
static ir_id simp_made(struct proof *p, ir_id v, bool early, unsigned depth)
{
	const struct ir_inst *i = &p->fn->inst[v];
	ir_id r = i->op == IR_phi ? simp_phi(p, v, depth) : i->op == IR_select ? simp_select(p, i, v, depth) : simp_logic(p, i, v, depth);
	p->is->known[v] = (struct proof_known){ p->is->epoch, r };
	if (early && !p->guesses && !p->again && !p->cut)
		p->early[v] = (struct proof_known){ p->early_epoch, r };
	return r;
}

/* ---- assumptions */

/* Compares: one of the same operands is true exactly when this one is false. */
static const struct opposite { uint16_t op; bool swapped; } opposite[IR_OP_COUNT] = {
	[IR_ieq] = {IR_ine, false}, [IR_ine] = {IR_ieq, false}, [IR_slt] = {IR_sle, true}, [IR_sle] = {IR_slt, true},
	[IR_ult] = {IR_ule, true}, [IR_ule] = {IR_ult, true}, [IR_feq] = {IR_fneu, false}, [IR_fneu] = {IR_feq, false},
	[IR_flg] = {IR_fequ, false}, [IR_fequ] = {IR_flg, false}, [IR_flt] = {IR_fleu, true}, [IR_fleu] = {IR_flt, true},
	[IR_fle] = {IR_fltu, true}, [IR_fltu] = {IR_fle, true},
};

static ir_id smaller_operand(const struct ir_inst *i)
{
	return i->a[0] < i->a[1] ? i->a[0] : i->a[1];
}

/* Do other lanes read this one? (A sample that finds its level by itself has the coordinates of its quad.) */
static bool is_read(const struct ir_fn *fn, const struct ir_inst *i)
{
	if (i->op == IR_isample)
		return fn->stage == STAGE_FRAGMENT && !(i->sub & (IMG_LOD | IMG_GRAD));
	return (ir_ops[i->op].fx & (FX_CROSS | FX_MASK)) == FX_CROSS && i->op != IR_any;
}

static const bool may_act[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = ((fx) & (FX_WRITE | FX_CROSS)) != 0,
#include "../ir/ops.def"
#undef OP
};

/* Is it something that a lane whose bit is 0 could miss? */
static inline bool acts(const struct ir_fn *fn, const struct ir_inst *i)
{
	return may_act[i->op] && (ir_ops[i->op].fx & FX_WRITE || is_read(fn, i));
}

static void look_round(struct proof *p, struct arena *a)
{
	struct ir_fn *fn = p->fn;
	const struct ir_inst *inst = fn->inst, *in;
	p->compare = arena_array(a, ir_id, fn->ninst);
	p->next = arena_array_raw(a, ir_id, fn->ninst);
	ir_for_order(fn, b)
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			if (may_act[in->op]) {
				if (acts(fn, in))
					proof_add(p->acts, b);
				if (p->quads)
					p->quads[b] |= (uint8_t)lanes_quad_use(in);
			} else if (opposite[in->op].op) {
				ir_id *first = &p->compare[smaller_operand(in)];
				p->next[id] = *first;
				*first = id;
			} else if (in->op == IR_sysval && in->sub == SYSVAL_helper && p->quads) {
				p->helper = id;
			}
		}
}

static void state_new(struct proof_state *s, const struct ir_fn *fn, struct arena *a)
{
	s->known = arena_array(a, struct proof_known, fn->ninst);
	s->over = arena_array(a, uint32_t, fn->nblock + 1u);
}

void proof_swap(struct proof *p)
{
	struct proof_state *was = p->is;
	if (!p->other->known)
		state_new(p->other, p->fn, p->scratch);
	p->is = p->other;
	p->other = was;
}

void proof_init(struct proof *p, struct pass_ctx *ctx, bool walks)
{
	struct ir_fn *fn = ctx->fn;
	struct arena *a = ctx->scratch;
	uint64_t **const sets[] = {&p->mark[0], &p->mark[1], &p->seen, &p->inside, &p->walk, &p->demote_marks, &p->before, &p->acts};
	*p = (struct proof){.fn = fn, .scratch = a, .walks = walks};
	p->no = ir_const(fn, IR_B1, 0);
	p->yes = ir_const(fn, IR_B1, 1);
	p->is = &p->states[0];
	p->other = &p->states[1];
	state_new(p->is, fn, a);
	p->early = arena_array(a, struct proof_known, fn->ninst);
	p->early_loop = IR_NO_BLOCK;
	p->early_epoch = 1;
	p->opaque = arena_array(a, uint32_t, fn->ninst);
	p->kept = arena_array(a, uint32_t, fn->ninst);
	p->open = arena_array(a, uint8_t, fn->ninst);
	p->stack = arena_array_raw(a, uint32_t, fn->nblock + 1u);
	p->way = arena_array(a, int8_t, fn->nblock + 1u);
	p->kept_ways.way = arena_array_raw(a, int8_t, fn->nblock + 1u);
	p->kept_ways.stamp = arena_array(a, uint32_t, fn->nblock + 1u);
	p->kept_ways.epoch = 1;
	for (unsigned k = 0; k < sizeof sets / sizeof *sets; k++)
		*sets[k] = arena_array(a, uint64_t, proof_words(fn));
	if (fn->stage == STAGE_FRAGMENT) {
		p->quads = arena_array(a, uint8_t, fn->nblock + 1u);
		p->quad_after = arena_array_raw(a, uint8_t, fn->nblock + 1u);
	}
	uint32_t threads = fn->workgroup[0] * fn->workgroup[1] * fn->workgroup[2];
	p->in_step = fn->stage == STAGE_COMPUTE && threads > 1 && threads <= fn->wave && (fn->has[IR_stshared] || fn->has[IR_atshared]);
	p->ipdom = ctx->ipdom;
	look_round(p, a);
	if (p->quads)
		lanes_quad_find(p);
}

void proof_start(struct proof *p)
{
	p->is->epoch++;
	p->is->round = ++p->rounds;
	p->is->nassume = p->is->nimply = 0;
	p->is->true_ones = 0;
	p->is->floor = IR_NO_BLOCK;
	p->is->helps = false;
}

static uint32_t place(const struct proof *p, ir_id v)
{
	uint32_t b = p->fn->inst[v].block;
	return b == IR_NO_BLOCK ? 0 : p->fn->block[b].rpo;
}

/* What is assumed says something from place `at` of the order on. */
static void lower(struct proof *p, uint32_t at)
{
	if (at < p->is->floor)
		p->is->floor = at;
}

/* What is assumed of v says nothing of the turns before, in loops of v that are over where the branch is. */
static void last_turn(struct proof *p, ir_id v)
{
	uint32_t b = p->fn->inst[v].block;
	for (uint32_t h = b == IR_NO_BLOCK ? b : p->fn->block[b].loop; h != IR_NO_BLOCK; h = p->fn->block[h].loop_parent) {
		p->is->over[h] = p->is->epoch; /* means something for loops that the branch is not in */
		if (!proof_in_loop(p, p->branch, h))
			lower(p, 0);
	}
}

static void say(struct proof *p, ir_id v, bool t)
{
	p->is->known[v] = (struct proof_known){ p->is->epoch, t ? p->yes : p->no };
	lower(p, place(p, v));
	last_turn(p, v);
}

static bool is_said(const struct proof *p, ir_id v, bool t)
{
	const struct proof_known *k = &p->is->known[v];
	return k->stamp == p->is->epoch && k->value == (t ? p->yes : p->no);
}

/* a implies b: what is made of both can be anywhere behind them. */
static void imply(struct proof *p, ir_id a, ir_id b)
{
	last_turn(p, a);
	last_turn(p, b);
	p->is->imply[p->is->nimply].a = a;
	p->is->imply[p->is->nimply++].b = b;
	lower(p, place(p, a) > place(p, b) ? place(p, a) : place(p, b));
}

/* v has the truth value `t`: so have what it is made of and its opposites, where that follows. */
static void set(struct proof *p, ir_id v, bool t, unsigned depth)
{
	const struct ir_inst *i = &p->fn->inst[v];
	say(p, v, t);
	if (depth > 16)
		return;
	const struct opposite *o = &opposite[i->op];
	for (ir_id c = o->op ? p->compare[smaller_operand(i)] : 0; c; c = p->next[c]) {
		const struct ir_inst *x = &p->fn->inst[c];
		if (x->op == o->op && x->a[0] == i->a[o->swapped] && x->a[1] == i->a[!o->swapped])
			say(p, c, !t);
	}
	if (i->op == IR_inot)
		set(p, i->a[0], !t, depth + 1);
	if (i->op == IR_quadany && !t) /* this lane is one of the quad */
		set(p, i->a[0], t, depth + 1);
	if (i->op == (t ? IR_iand : IR_ior)) {
		set(p, i->a[0], t, depth + 1);
		set(p, i->a[1], t, depth + 1);
	}
	for (unsigned k = 0; k < 2 && i->op == (t ? IR_ior : IR_iand); k++)
		if (is_said(p, i->a[k], !t) && p->is->known[i->a[!k]].stamp != p->is->epoch)
			set(p, i->a[!k], t, depth + 1); /* it cannot be this one's doing */
	for (unsigned k = 0; k < 2 && i->op == IR_iand && !t && p->is->nimply < PROOF_ASSUMES; k++)
		if (p->fn->inst[i->a[k]].op == IR_inot)
			imply(p, i->a[!k], p->fn->inst[i->a[k]].a[0]);
}

static void assume(struct proof *p, ir_id mask, bool t)
{
	uint32_t floor = p->is->floor;
	if (t || !is_said(p, mask, true)) /* (a lane that does not exist) */
		set(p, mask, t, 0);
	if (mask != p->helper || t)
		return;
	p->is->floor = floor; /* what follows from this is the same in all proofs that assume it */
	p->is->helps = true;
}

void proof_assume(struct proof *p, ir_id mask)
{
	if (p->is->nassume < PROOF_ASSUMES)
		p->is->assume[p->is->nassume++] = mask;
	assume(p, mask, false);
}

void proof_assume_true(struct proof *p, ir_id mask)
{
	if (p->is->nassume == PROOF_ASSUMES)
		return;
	p->is->true_ones |= 1u << p->is->nassume;
	p->is->assume[p->is->nassume++] = mask;
	assume(p, mask, true);
}

void proof_assume_live(struct proof *p)
{
	if (p->helper)
		proof_assume(p, p->helper);
}

ir_id proof_value(struct proof *p, ir_id v)
{
	uint32_t loop = p->fn->block[p->branch].loop;
	if ((p->is->helps || p->is->only) && (loop != p->early_loop || p->is->helps != p->early_helps)) {
		p->early_loop = loop;
		p->early_helps = p->is->helps;
		p->early_epoch++;
	}
	p->cut = false;
	for (unsigned tries = 0; tries < 64; tries++) {
		p->again = false;
		ir_id r = simp(p, v, 0);
		if (!p->again)
			return r;
		p->is->epoch++;
		p->is->nimply = 0;
		for (unsigned k = 0; k < p->is->nassume; k++)
			assume(p, p->is->assume[k], p->is->true_ones >> k & 1);
	}
	return v;
}

/* Does block b do nothing in a lane for which the assumptions hold? */
bool proof_quiet(struct proof *p, uint32_t b, const char **why)
{
	struct ir_fn *fn = p->fn;
	if (!proof_has(p->acts, b))
		return true;
	ir_for_insts(fn, b, id) {
		const struct ir_inst *i = &fn->inst[id];
		if (!acts(fn, i))
			continue;
		uint32_t fx = ir_ops[i->op].fx;
		bool lanes = is_read(fn, i);
		if ((lanes || fx & FX_SYNC) && p->walks) { /* all lanes come here, so there is nothing to miss */
			p->together = true;
			continue;
		}
		if ((fx & FX_SYNC) || i->op == IR_ddx || i->op == IR_ddy) {
			*why = "a barrier or derivative lies in the region";
			return false;
		}
		ir_id mask = proof_value(p, ir_args(fn, id)[0]);
		if (i->op == IR_demote && mask == p->yes && p->demotes) { /* the other side must do it, too */
			proof_add(p->demotes, b);
			continue;
		}
		if (mask != p->no) {
			i = &fn->inst[id];
			*why = lanes ? "other lanes read this lane in the region" : "an effect in the region is not masked by it";
			p->where = i->addr;
			return false;
		}
	}
	return true;
}
