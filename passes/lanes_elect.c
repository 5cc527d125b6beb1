/* lanes_elect.c - what one elected lane does for all, every lane does for itself.
 *
 * A compiler makes one atomic operation of those that the lanes of a wave do on one word: the first of them adds what all would
 * have added. Without a wave to ask, they add it one by one:
 *
 *     %b = ballot %m
 *     %n = popc %b                              %n    =>   1
 *     %f = shl 1, (ctz %b)
 *     %e = iand %m, (lanebit %f)                %e    =>   %m
 *     atbuf.add %e, .., (imul %n, 42)
 *
 * Sums take what is a multiple of the number of lanes, `xor` what is one of its lowest bit, `and`, `or` and the extremes what does
 * not depend on it: done once for all or by each comes to the same. So does what a loop put together of what each lane has
 * (lanes_reduce.c). Nobody may look at what the word was before, and word and operand must be the same for all lanes. In which
 * order lanes come is open either way. A fragment program's lanes that only help, from the start or since they were discarded, write
 * nothing by themselves: none of them may be in %m.
 */
#include "proof.h"
#include "uniform.h"

struct elect {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	struct ir_users users;
	ir_id *map;
	ir_id *made;    /* per value: the ballot, of those looked at, that it is made of; 0: of none */
	const uint8_t *split; /* per block: lanes may come there by ways of their own */
	ir_id ballot, mask;
	uint32_t at;    /* block of the atomic operation that is looked at */
	ir_id *list;    /* what is made of this one, from it on */
	uint32_t nlist;
	struct proof proof; /* once it is needed */
	uint64_t looked;    /* instructions so far: past LOOK_FAR nothing is said of the lanes that write */
	uint32_t *loop; /* blocks around themselves that nobody needs any more */
	uint32_t nloop;
};

enum { LOOK = 6 /* factors of a product that are looked at */, LOOK_FAR = 1 << 24 /* instructions, for what lanes were discarded */ };
enum amount { NO_AMOUNT, FREE, MULTIPLE, PARITY };

/* Is v the same for all lanes that come to the atomic operation, whichever and however many they are? */
static bool same_in_all(const struct elect *e, ir_id v)
{
	return !v || (!e->made[v] && uniform_at(e->ctx, v, e->at));
}

/* The number of the first lane, as a word of any width, or -1 when there is none. */
static bool first_number(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v];
	if (i->op == IR_zext)
		i = &e->fn->inst[i->a[0]];
	if (i->op == IR_select && e->fn->inst[i->a[0]].op == IR_any && e->fn->inst[i->a[0]].a[0] == e->mask &&
	    ir_is_const(e->fn, i->a[2], NULL))
		i = &e->fn->inst[i->a[1]];
	return i->op == IR_ctz && i->a[0] == e->ballot;
}

static bool first_bit(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v], *s = &e->fn->inst[i->a[0]];
	uint64_t k;
	return i->op == IR_lanebit && s->op == IR_shl && ir_bits(s->type) == e->fn->wave && ir_is_const(e->fn, s->a[0], &k) && k == 1 &&
	       first_number(e, s->a[1]);
}

/* No bit of the ballot stands below this lane's: (ieq (popc (iand %b, (1 << lane) - 1)), 0) */
static bool none_before(const struct elect *e, ir_id v)
{
	const struct ir_inst *inst = e->fn->inst, *is = &inst[v], *below = &inst[is->a[0]];
	uint64_t k;
	if (is->op != IR_ieq || !ir_is_const(e->fn, is->a[1], &k) || k || ir_bits(inst[e->ballot].type) != 32)
		return false;
	if (below->op == IR_popc)
		below = &inst[below->a[0]];
	for (unsigned n = 0; n < 2 && below->op == IR_iand; n++) {
		const struct ir_inst *low = &inst[below->a[!n]], *bit = &inst[low->a[0]];
		if (below->a[n] == e->ballot && low->op == IR_iadd && ir_is_const(e->fn, low->a[1], &k) && k == UINT32_MAX &&
		    bit->op == IR_shl && ir_is_const(e->fn, bit->a[0], &k) && k == 1 && inst[bit->a[1]].op == IR_sysval &&
		    inst[bit->a[1]].sub == SYSVAL_lane_id)
			return true;
	}
	return false;
}

static bool elected(const struct elect *e, ir_id v)
{
	const struct ir_inst *i = &e->fn->inst[v];
	for (unsigned k = 0; k < 2 && i->op == IR_iand && i->type == IR_B1; k++)
		if (i->a[k] == e->mask && (first_bit(e, i->a[!k]) || none_before(e, i->a[!k])))
			return true;
	return false;
}

/* What an operand is of the number of lanes. */
static enum amount amount(const struct elect *e, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &e->fn->inst[v];
	uint64_t k;
	if (i->op == IR_popc && i->a[0] == e->ballot)
		return MULTIPLE;
	if (i->op == IR_iand && ir_is_const(e->fn, i->a[1], &k) && k == 1 && e->fn->inst[i->a[0]].op == IR_popc &&
	    e->fn->inst[i->a[0]].a[0] == e->ballot)
		return PARITY;
	if (depth && (i->op == IR_imul || i->op == IR_shl)) {
		enum amount x = amount(e, i->a[0], depth - 1), y = amount(e, i->a[1], depth - 1);
		if (x > FREE && y == FREE)
			return x;
		if (y > FREE && x == FREE)
			return i->op == IR_imul ? y : NO_AMOUNT;
	}
	return same_in_all(e, v) ? FREE : NO_AMOUNT;
}

static bool fits(unsigned atomic, enum amount of)
{
	switch (atomic) {
	case ATOMIC_add: case ATOMIC_sub: return of == MULTIPLE;
	case ATOMIC_xor: return of == PARITY;
	case ATOMIC_and: case ATOMIC_or: case ATOMIC_umin: case ATOMIC_umax: case ATOMIC_smin: case ATOMIC_smax: return of == FREE;
	default: return false;
	}
}

/* The operand of an atomic operation that is its data; 0: none that is looked at. */
static unsigned data_of(unsigned op)
{
	switch (op) {
	case IR_atbuf: case IR_iatomic: return 4;
	case IR_atshared: case IR_atptr: return 2;
	default: return 0;
	}
}

/* Do the lanes that the ballot asked come to block b, and no others? */
static bool together(const struct elect *e, uint32_t b)
{
	uint32_t asked = e->fn->inst[e->ballot].block;
	return b == asked || !(e->split[b] | e->split[asked]);
}

/* Is `v` what a loop put together of what the ballot's lanes have, all of which walked it? */
static bool reduced(const struct elect *e, ir_id id, ir_id v)
{
	uint32_t loop;
	return lanes_reduced(e->fn, &e->users, id, v, e->mask, &loop) && together(e, loop);
}

/* Is v false in every lane in which c is true? */
static bool excludes(struct proof *p, ir_id v, ir_id c)
{
	proof_start(p);
	proof_assume_true(p, c);
	return proof_value(p, v) == p->no;
}

/* May a lane come from behind instruction `from` to instruction `to`? */
static bool comes_before(struct elect *e, ir_id from, ir_id to)
{
	struct ir_fn *fn = e->fn;
	uint32_t b = fn->inst[from].block, goal = fn->inst[to].block;
	for (ir_id id = from; id && b == goal; id = fn->inst[id].next)
		if (id == to)
			return true;
	proof_reach(&e->proof, WAYS_ALL, b, IR_NO_BLOCK, IR_NO_BLOCK, e->proof.seen);
	return b != goal ? proof_has(e->proof.seen, goal) : fn->block[b].loop != IR_NO_BLOCK;
}

/* Do all lanes of the mask write when they do atomic operation `id`? */
static bool all_write(struct elect *e, ir_id id)
{
	struct ir_fn *fn = e->fn;
	struct proof *p = &e->proof;
	if (fn->stage != STAGE_FRAGMENT)
		return true;
	if (!p->fn && cfg_loops(fn))
		proof_init(p, e->ctx, false);
	if (!p->fn) /* loops are not known */
		return false;
	p->branch = fn->inst[e->ballot].block;
	if (!p->helper || !excludes(p, e->mask, p->helper))
		return false;
	if (!fn->has[IR_demote])
		return true;
	e->looked += fn->ninst;
	ir_for_order(fn, b)
		ir_for_insts(fn, b, d) {
			if (fn->inst[d].op != IR_demote)
				continue;
			e->looked += fn->ninst; /* it may look at all of them again */
			if (e->looked > LOOK_FAR)
				return false;
			if (comes_before(e, d, id) &&
			    (fn->block[b].loop != IR_NO_BLOCK || !excludes(p, e->mask, fn->inst[d].a[0])))
				return false;
		}
	return true;
}

/* An atomic operation by the elected lane that all lanes may do. */
static bool repeatable(struct elect *e, ir_id id)
{
	const struct ir_inst *i = &e->fn->inst[id];
	const ir_id *a = ir_args(e->fn, id);
	unsigned data = data_of(i->op), n = ir_nargs(e->fn, id);
	e->at = i->block;
	if (!data || n <= data || !elected(e, a[0]) || ir_bits(i->type) != 32 ||
	    (!fits(i->sub, amount(e, a[data], LOOK)) && !reduced(e, id, a[data])))
		return false;
	for (unsigned k = 1; k < n; k++)
		if (k != data && !same_in_all(e, a[k]))
			return false;
	return e->users.at[id] == e->users.at[id + 1] && all_write(e, id); /* nobody has its result */
}

static bool is_step(unsigned op)
{
	switch (op) {
	case IR_ctz: case IR_popc: case IR_select: case IR_zext: case IR_shl: case IR_lanebit: case IR_imul: case IR_iand:
	case IR_ieq: return true;
	default: return false;
	}
}

/* False: something is made of another ballot, too. */
static bool find_made(struct elect *e)
{
	e->list[0] = e->ballot;
	e->made[e->ballot] = e->ballot;
	e->nlist = 1;
	for (uint32_t k = 0; k < e->nlist; k++)
		ir_for_users(&e->users, e->list[k], u) {
			if (!is_step(e->fn->inst[u].op) || e->made[u] == e->ballot)
				continue;
			if (e->made[u])
				return false;
			e->made[u] = e->ballot;
			e->list[e->nlist++] = u;
		}
	return true;
}

/* Every use of the ballot, and of what is made of it, is on the way to such an operation, and there is one. */
static bool only_elects(struct elect *e)
{
	bool some = false;
	if (!find_made(e))
		return false;
	for (uint32_t k = 0; k < e->nlist; k++)
		ir_for_users(&e->users, e->list[k], u) {
			unsigned op = e->fn->inst[u].op;
			if (is_step(op))
				continue;
			if (!together(e, e->fn->inst[u].block))
				return false;
			if (op == IR_any && elected(e, e->list[k])) /* one is elected where there is one */
				continue;
			if (!repeatable(e, u))
				return false;
			some = true;
		}
	return some;
}

/* An atomic operation with what a loop put together takes the lane's own part of it. */
static void take_part(struct elect *e, ir_id id)
{
	unsigned data = data_of(e->fn->inst[id].op);
	uint32_t loop;
	ir_id part = data ? lanes_reduced(e->fn, &e->users, id, ir_args(e->fn, id)[data], e->mask, &loop) : 0;
	if (!part)
		return;
	ir_set_arg(e->fn, id, data, part);
	e->loop[e->nloop++] = loop;
}

static void each_for_itself(struct elect *e)
{
	for (uint32_t k = 0; k < e->nlist; k++)
		if (elected(e, e->list[k]))
			ir_for_users(&e->users, e->list[k], u)
				take_part(e, u);
	for (uint32_t k = 0; k < e->nlist; k++) {
		ir_id v = e->list[k];
		const struct ir_inst *i = &e->fn->inst[v];
		if (i->op == IR_popc && i->a[0] == e->ballot)
			e->map[v] = ir_const(e->fn, i->type, 1);
		else if (elected(e, v))
			e->map[v] = e->mask;
	}
}

/* A loop that nobody needs is walked once. Its block's way back to itself goes, which no post-dominator hangs on. */
static void leave_loops(struct elect *e)
{
	struct ir_fn *fn = e->fn;
	for (uint32_t k = 0; k < e->nloop; k++) {
		const struct ir_block *b = &fn->block[e->loop[k]];
		cfg_edge_remove(fn, e->loop[k], b->succ[1] == e->loop[k]);
		ir_keep_args(&fn->inst[b->last], 0);
		ir_set_op(fn, b->last, IR_br);
	}
	if (e->nloop) {
		cfg_order(fn);
		cfg_dominators(fn);
	}
}

bool lanes_elect_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;
	struct elect e = {.ctx = ctx, .fn = fn};
	bool changed = false;
	if (!fn->has[IR_ballot] || !(fn->has[IR_atbuf] | fn->has[IR_iatomic] | fn->has[IR_atshared] | fn->has[IR_atptr])) /* data_of() */
		return false;
	e.map = ir_map_new(ctx->scratch, fn);
	e.made = arena_array(ctx->scratch, ir_id, fn->ninst);
	e.list = arena_array_raw(ctx->scratch, ir_id, fn->ninst);
	e.loop = arena_array_raw(ctx->scratch, uint32_t, fn->nblock + 1u);
	for (uint32_t k = 0; k < ctx->nasks; k++) {
		ir_id id = ctx->asks[k];
		if (fn->inst[id].op != IR_ballot)
			continue;
		if (fn->stage == STAGE_FRAGMENT && ir_is_const(fn, fn->inst[id].a[0], NULL)) /* all lanes: that are more than live */
			continue;
		ir_users_find(&e.users, fn, ctx->scratch);
		if (!e.split)
			e.split = uniform_split_blocks(ctx, ctx->divergent, ctx->ndivergent);
		e.ballot = id;
		e.mask = fn->inst[id].a[0];
		if (!only_elects(&e))
			continue;
		each_for_itself(&e);
		diag_say(ctx->diag, "lanes", fn->inst[id].addr, "what the first lane does for all, each lane does for itself");
		changed = true;
	}
	if (changed)
		ir_map_apply(fn, e.map);
	leave_loops(&e);
	return changed;
}
