/* prove.c - may a lane answer a wave-wide question about a mask for itself? See lanes.c for the two shapes.
 *
 * Each proof also notes the region that it speaks about (p->region): the blocks that a lane with a clear bit would miss.
 */
#include "known.h"

/* ---- forward regions */
static void note_region(struct proof *p, unsigned side)
{
	for (uint32_t k = 0; k < proof_words(p->fn); k++)
		p->region[k] |= p->mark[side][k];
}

static void shared_use(const struct ir_fn *fn, uint32_t b, unsigned *reads, unsigned *writes)
{
	ir_for_insts(fn, b, id) {
		*reads += fn->inst[id].op == IR_ldshared;
		*writes += fn->inst[id].op == IR_stshared || fn->inst[id].op == IR_atshared;
	}
}

/* Does the phi get `v` over ways only that this lane does not take, because it answers there for itself? */
static bool brought_to_others(struct proof *p, ir_id phi, ir_id v)
{
	struct ir_fn *fn = p->fn;
	uint32_t b = fn->inst[phi].block;
	for (uint32_t k = 0; k < fn->block[b].npred; k++) {
		ir_id mask = ir_args(fn, phi)[k] == v ? proof_edge_mask(p, fn->block[b].pred[k], b) : p->no;
		if (!mask || proof_value(p, mask) != p->no)
			return false;
	}
	return true;
}

static bool is_operand(const struct ir_inst *i, ir_id v)
{
	bool found = false;
	if (i->nargs8 <= IR_INLINE_ARGS)
		return i->a[0] == v || i->a[1] == v || i->a[2] == v || i->a[3] == v;
	for (uint32_t k = 0; k < i->x.count && !found; k++)
		found = i->x.ext[k] == v;
	return found;
}

/* Is a user of `v` what it is because of that? */
static bool depends(struct proof *p, ir_id id, ir_id v)
{
	if (p->fn->inst[id].op == IR_phi)
		return !brought_to_others(p, id, v);
	ir_id r = proof_value(p, id);
	return r == id || r == v || r == proof_value(p, v);
}

/* Whatever `v` is in this lane, nothing that uses it depends on it: its users have other values under the assumptions. Who asks this
 * but a few times does without lists of users. */
static bool undemanded(struct proof *p, ir_id v)
{
	enum { FEW = 8 };
	struct ir_fn *fn = p->fn;
	uint32_t first = fn->block[fn->inst[v].block].rpo;
	if (p->asked++ < FEW) {
		ir_for_order(fn, b)
			ir_for_insts(fn, b, id) {
				if (b_i < first && fn->inst[id].op != IR_phi)
					break;
				if (is_operand(&fn->inst[id], v) && depends(p, id, v))
					return false;
			}
		return true;
	}
	ir_users_find(&p->users, fn, p->scratch);
	ir_for_users(&p->users, v, id)
		if (depends(p, id, v))
			return false;
	return true;
}

/* The blocks on both sides of branch b, in p->mark, up to `join`. False when they lead back to it. */
static bool find_sides(struct proof *p, uint32_t b, uint32_t yes, uint32_t no, uint32_t join)
{
	return proof_reach(p, WAYS_STEPS, yes, join, b, p->mark[0]) && proof_reach(p, WAYS_STEPS, no, join, b, p->mark[1]);
}

/* Does it help to know that the lane at branch b lives? Not one that its quad needs, nor a helper that could stay in a
 * loop. */
static bool can_live(const struct proof *p, uint32_t b)
{
	bool live = p->quad_after && !p->quad_after[b];
	for (unsigned side = 0; side < 2 && live; side++)
		proof_for_blocks(p, p->mark[side], x)
			live &= p->fn->block[x].loop != x;
	return live;
}

/* The sides of a lane that lives at the program's start: it does not take the ways of a wave in which no lane does, and
 * *join may come nearer. */
static void find_live_sides(struct proof *p, uint32_t b, ir_id m, uint32_t yes, uint32_t no, uint32_t *join)
{
	struct ir_fn *fn = p->fn;
	known_turn(p, m, false);
	proof_assume_live(p);
	bool ends = !proof_reach(p, WAYS_ASSUMED_STEPS, yes, no, b, p->mark[0]);
	proof_for_blocks(p, p->mark[0], x)
		ends |= !fn->block[x].nsucc;
	if (ends)
		proof_reach(p, WAYS_ASSUMED_STEPS, yes, *join, b, p->mark[0]);
	else
		*join = no;
	proof_reach(p, WAYS_ASSUMED_STEPS, no, *join, b, p->mark[1]);
	for (uint32_t k = 0; k < proof_words(fn); k++)
		p->walk[k] = p->mark[0][k] | p->mark[1][k];
	proof_add(p->walk, b);
	known_turn(p, m, false);
	p->is->only = p->walk;
	proof_assume_live(p);
}

/* With what is known of the lane: all its ways from `yes` lead to `no`, in this turn, or end as it does, without an act. */
static bool find_known_sides(struct proof *p, ir_id m, uint32_t yes, uint32_t no)
{
	bool ends = !p->fn->block[no].nsucc && !proof_has(p->acts, no);
	known_walk(p, m, yes, no);
	if (p->leads_back || proof_has(p->mark[0], known_start(p)))
		return false;
	proof_for_blocks(p, p->mark[0], x)
		if (!p->fn->block[x].nsucc && !ends)
			return false;
	proof_clear(p, p->mark[1]);
	return true;
}

/* Is v made where the ways of both sides have met already, in front of the join? Then it may be another one on either
 * side. */
static bool met_before(const struct proof *p, ir_id v)
{
	uint32_t b = p->fn->inst[v].block;
	return b != IR_NO_BLOCK && proof_has(p->mark[0], b) && proof_has(p->mark[1], b);
}

/* What phi of the join is, whichever side the lane comes from, or nobody minds. */
static bool same_phi(struct proof *p, uint32_t b, uint32_t join, ir_id phi)
{
	struct ir_fn *fn = p->fn;
	const struct ir_block *j = &fn->block[join];
	ir_id same = 0;
	for (uint32_t k = 0; k < j->npred; k++) {
		uint32_t q = j->pred[k];
		if (q != b && !proof_has(p->mark[0], q) && !proof_has(p->mark[1], q))
			continue;
		ir_id v = proof_value(p, ir_args(fn, phi)[k]);
		if (proof_undef(p, v))
			continue;
		if ((same && same != v) || met_before(p, v)) {
			p->where = fn->inst[ir_args(fn, phi)[k]].addr;
			/* (users of what the next turn starts with are in that turn, of which nothing is known) */
			p->found.mask = 0;
			return !(j->loop == join && proof_in_loop(p, b, join)) && undemanded(p, phi);
		}
		same = v;
	}
	return true;
}

/* Does block x start another turn of a loop around the branch? What was set there is another turn's behind it, phi or not. */
static bool around(const struct proof *p, uint32_t x)
{
	return p->fn->block[x].loop == x && proof_in_loop(p, p->branch, x);
}

/* Does a lane with a clear bit miss nothing in the blocks of p->mark, between branch b and `join`? */
static bool misses_nothing(struct proof *p, uint32_t b, ir_id m, uint32_t yes, uint32_t no, uint32_t join,
                           const char **why)
{
	struct ir_fn *fn = p->fn;
	unsigned reads = 0, writes = 0;
	bool discards = false;
	proof_clear(p, p->demote_marks);
	p->demotes = p->demote_marks;
	p->found = (struct proof_step){ .mask = p->in_step ? 0 : m, .join = join, .live = p->is->helps };
	for (unsigned side = 0; side < 2; side++)
		proof_for_blocks(p, p->mark[side], x) {
			if (around(p, x)) {
				*why = "the region leads round a loop to the branch";
				return false;
			}
			if (!proof_quiet(p, x, why))
				return false;
			if (p->in_step)
				shared_use(fn, x, &reads, &writes);
			discards |= proof_has(p->demotes, x);
			p->loop |= fn->block[x].loop == x; /* it might never end if no lane were on */
			if (side && fn->block[x].loop == x) { /* nor for this lane */
				*why = "there is a loop where only a wave without a lane goes";
				return false;
			}
		}
	if (writes && reads + writes > 1)
		p->together = true;
	if (discards && !(proof_demotes(p, yes, p->mark[0]) && proof_demotes(p, no, p->mark[1]))) {
		*why = "lanes are discarded on one side only";
		return false;
	}
	if (join != IR_NO_BLOCK)
		ir_for_insts(fn, join, phi) {
			if (fn->inst[phi].op != IR_phi)
				break;
			if (!same_phi(p, b, join, phi)) {
				*why = "a value set in the region is used behind it";
				return false;
			}
		}
	note_region(p, 0);
	note_region(p, 1);
	if (discards || p->loop || p->together || join == IR_NO_BLOCK)
		p->found.mask = 0;
	return true;
}

/* Looks how the step that was found comes to its join. */
static void note_step(struct proof *p, uint32_t b)
{
	struct proof_step *s = &p->found;
	const struct ir_block *j = &p->fn->block[s->join];
	bool direct = false;
	s->alone = cfg_dominates(p->fn, b, s->join); /* else a way into the middle of the region comes there, too */
	for (uint32_t k = 0; k < j->npred; k++) {
		direct |= j->pred[k] == b;
		s->alone &= j->pred[k] == b || proof_has(p->mark[0], j->pred[k]) || proof_has(p->mark[1], j->pred[k]);
	}
	if (!direct && !s->alone)
		s->mask = 0;
}

/* That the lane lives is assumed where it takes that: then all that stands in front of the branch may be more than it
 * was. */
static bool prove_skip(struct proof *p, uint32_t b, ir_id m, uint32_t yes, uint32_t no, const char **why)
{
	uint32_t join = p->ipdom[b];
	if (p->closer && find_known_sides(p, m, yes, no))
		return misses_nothing(p, b, m, yes, no, no, why);
	known_turn(p, m, false);
	if (!find_sides(p, b, yes, no, join)) {
		*why = "the region leads back to the branch";
		return false;
	}
	bool live = can_live(p, b), fine = misses_nothing(p, b, m, yes, no, join, why);
	if (!fine && live) {
		find_live_sides(p, b, m, yes, no, &join);
		fine = misses_nothing(p, b, m, yes, no, join, why);
	}
	if (fine && p->found.mask)
		note_step(p, b);
	return fine;
}

/* ---- loop exits */

/* Back-edge operands of a header phi all simplify to `want` (0: returns the common value in *common). */
static bool back_value(struct proof *p, ir_id phi, uint32_t header, ir_id *common)
{
	const struct ir_block *h = &p->fn->block[header];
	*common = 0;
	for (uint32_t k = 0; k < h->npred; k++) {
		if (!proof_in_loop(p, h->pred[k], header) || (p->is->turn && !proof_walked(p, h->pred[k], header)))
			continue;
		ir_id v = proof_value(p, ir_args(p->fn, phi)[k]);
		if (*common && *common != v)
			return false;
		*common = v;
	}
	return *common != 0;
}

/* Is `v` made in the loop that prove_exit() is about? */
static bool defined_in(const struct proof *p, ir_id v)
{
	uint32_t b = p->fn->inst[v].block;
	return b != IR_NO_BLOCK && proof_has(p->inside, b);
}

enum { MADE_OF = 6 }; /* steps that a value made in the loop is followed */
struct exit_proof {
	ir_id mask, off[PROOF_ASSUMES]; /* off: header phis that are false in all later turns */
	unsigned noff;
	bool walked;
	uint32_t header, exit, from; /* exit: where the ways out meet; from: the block that this one comes from there */
};

static void assume_off(struct proof *p, const struct exit_proof *e)
{
	known_none(p);
	for (unsigned k = 0; k < e->noff; k++)
		proof_assume(p, e->off[k]);
}

/* In a later turn, `w` is what comes round from the turn before: what that is in this turn. */
static bool comes_round(struct proof *p, const struct exit_proof *e, ir_id w, ir_id now)
{
	ir_id c;
	if (p->fn->inst[w].op != IR_phi || p->fn->inst[w].block != e->header)
		return false;
	if (!back_value(p, w, e->header, &c) || c != w) /* from the second turn on */
		return false;
	proof_swap(p);
	bool same = back_value(p, w, e->header, &c) && c == now;
	proof_swap(p);
	return same;
}

/* A lane went off at the branch, where the value behind the loop would have been `v`. The wave leaves later, perhaps by
 * another exit, with `w`: is that the same? Of this turn the mask is assumed to be false; put aside are later turns: the masks
 * off[] are false from their start. */
static bool stays(struct proof *p, const struct exit_proof *e, ir_id v, ir_id w)
{
	ir_id now = proof_value(p, v);
	if (proof_undef(p, now))
		return true;
	proof_swap(p);
	ir_id later = proof_value(p, w);
	bool same = defined_in(p, later) ? comes_round(p, e, later, now) : later == now;
	proof_swap(p);
	return same;
}

static bool keeps_made(struct proof *p, const struct exit_proof *e, ir_id v, unsigned depth);

/* Does `v` stay as it is when this lane goes off? */
static inline bool keeps(struct proof *p, const struct exit_proof *e, ir_id v, unsigned depth)
{
	return p->kept[v] == p->exit || !defined_in(p, v) || keeps_made(p, e, v, depth);
}

/* What is made in the loop does where all that it is made of does. */
static bool keeps_made(struct proof *p, const struct exit_proof *e, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &p->fn->inst[v];
	bool fine = stays(p, e, v, v), made = !(ir_ops[i->op].fx & ~(FX_COMM | FX_CONV)) && depth;
	if (!fine && made) {
		fine = true;
		for (unsigned k = 0, n = ir_nargs(p->fn, v); fine && k < n; k++)
			fine = keeps(p, e, ir_args(p->fn, v)[k], depth - 1);
	}
	if (fine)
		p->kept[v] = p->exit;
	return fine;
}

/* Operands of a phi behind the loop: every exit edge must bring what the edge of this branch brings now. */
static bool phi_stays(struct proof *p, const struct exit_proof *e, ir_id phi)
{
	struct ir_fn *fn = p->fn;
	const struct ir_block *x = &fn->block[e->exit];
	ir_id now = 0;
	for (uint32_t k = 0; k < x->npred; k++)
		if (x->pred[k] == e->from)
			now = ir_args(fn, phi)[k];
	for (uint32_t k = 0; k < x->npred; k++) {
		if (!proof_has(p->inside, x->pred[k]) && !proof_has(p->mark[1], x->pred[k]))
			continue;
		ir_id w = ir_args(fn, phi)[k];
		if (!stays(p, e, now, w) && !(now == w && keeps(p, e, w, MADE_OF)))
			return false;
		if (x->pred[k] == e->from || !proof_has(p->mark[0], x->pred[k]))
			continue;
		if (proof_value(p, w) != proof_value(p, now)) /* an exit further on in this turn */
			return false;
	}
	return true;
}

/* Masks that are only combined behind the loop: what counts is what they make together. What cannot be told from the value
 * itself says nothing. */
static bool combined_stays(struct proof *p, const struct exit_proof *e, ir_id id)
{
	const struct ir_inst *i = &p->fn->inst[id];
	if (i->type != IR_B1 || (i->op != IR_ior && i->op != IR_iand))
		return false;
	return proof_value(p, id) != id && stays(p, e, id, id);
}

static bool live_out_stays(struct proof *p, const struct exit_proof *e, const char **why)
{
	struct ir_fn *fn = p->fn;
	*why = "a value set in the loop is used behind it and may differ from what the last lane leaves";
	proof_swap(p);
	assume_off(p, e);
	proof_swap(p);
	known_turn(p, e->mask, e->walked);
	p->exit++;
	ir_for_order(fn, x) {
		if (proof_has(p->inside, x) || proof_has(p->mark[1], x))
			continue;
		bool behind = x_i > fn->block[e->header].rpo; /* in front of the loop only phis can have what it sets */
		ir_for_insts(fn, x, id) {
			if (!behind && fn->inst[id].op != IR_phi)
				break;
			p->where = fn->inst[id].addr;
			if (x == e->exit && fn->inst[id].op == IR_phi) {
				if (!phi_stays(p, e, id))
					return false;
				continue;
			}
			for (unsigned k = 0, n = ir_nargs(fn, id); k < n; k++) {
				if (keeps(p, e, ir_args(fn, id)[k], MADE_OF))
					continue;
				if (combined_stays(p, e, id))
					break; /* so have its other operands */
				return false;
			}
		}
	}
	return true;
}

/* mark[1]: blocks between the loop's other exits and the place where this one leads. False when they lead into another turn of the
 * loop, or of one around it. */
static bool ways_out(struct proof *p, const struct exit_proof *e)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	proof_clear(p, p->mark[1]);
	proof_for_behind(p, e->header, x) {
		if (!proof_has(p->inside, x))
			continue;
		for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
			uint32_t y = fn->block[x].succ[k];
			if (y == e->exit || proof_has(p->inside, y) || proof_has(p->mark[1], y))
				continue;
			if (around(p, y))
				return false;
			proof_add(p->mark[1], y);
			p->stack[top++] = y;
		}
	}
	while (top) {
		uint32_t x = p->stack[--top];
		for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
			uint32_t y = fn->block[x].succ[k];
			if (around(p, y) && y != e->exit)
				return false;
			if (y != e->exit && !proof_has(p->mark[1], y)) {
				proof_add(p->mark[1], y);
				p->stack[top++] = y;
			}
		}
	}
	return true;
}

/* Turns of the loop of `header` after the one in which the mask went off: the phis whose next value is false then (e->off) keep
 * the mask off and every block of the loop quiet. */
static bool off_for_good(struct proof *p, struct exit_proof *e, uint32_t header, const char **why)
{
	struct ir_fn *fn = p->fn;
	ir_id c;
	e->noff = 0;
	known_turn(p, e->mask, e->walked);
	ir_for_insts(fn, header, phi) {
		if (fn->inst[phi].op != IR_phi)
			break;
		if (fn->inst[phi].type == IR_B1 && e->noff < PROOF_ASSUMES && back_value(p, phi, header, &c) && c == p->no)
			e->off[e->noff++] = phi;
	}
	assume_off(p, e);
	bool stays_off = proof_value(p, e->mask) == p->no;
	for (unsigned k = 0; k < e->noff && stays_off; k++)
		stays_off = back_value(p, e->off[k], header, &c) && c == p->no;
	if (!stays_off) {
		*why = "a lane that left may be switched on again in the loop";
		return false;
	}
	proof_for_behind(p, header, x)
		if (proof_in_loop(p, x, header) && !proof_quiet(p, x, why))
			return false;
	return true;
}

/* Nothing is done in block x, and it has one way in and one way out. */
static bool is_step(const struct ir_fn *fn, uint32_t x)
{
	if (fn->block[x].npred != 1 || fn->block[x].nsucc != 1)
		return false;
	ir_for_insts(fn, x, id)
		if (fn->inst[id].op != IR_br && (ir_ops[fn->inst[id].op].fx & ~(FX_COMM | FX_CONV)))
			return false;
	return true;
}

/* Follows the way out to where the others come, too. */
static bool find_meeting(struct proof *p, struct exit_proof *e)
{
	enum { STEPS = 4 };
	for (unsigned k = 0; k < STEPS; k++) {
		if (ways_out(p, e))
			return true;
		if (!is_step(p->fn, e->exit))
			return false;
		e->from = e->exit;
		e->exit = p->fn->block[e->from].succ[0];
		if (e->exit == e->header)
			return false;
	}
	return false;
}

static bool prove_exit(struct proof *p, ir_id m, uint32_t header, uint32_t exit, const char **why)
{
	struct ir_fn *fn = p->fn;
	const struct ir_block *b = &fn->block[p->branch];
	uint32_t yes = b->succ[b->succ[0] == exit];
	struct exit_proof e = {.mask = m, .header = header, .exit = exit, .from = p->branch, .walked = p->closer && b->loop == header};
	p->loop = true;
	proof_clear(p, p->inside);
	proof_for_behind(p, header, x)
		if (proof_in_loop(p, x, header)) {
			proof_add(p->inside, x);
			proof_add(p->region, x);
		}
	if (b->loop != header) /* later turns of the inner loop are in this turn, too: they know less than this one of theirs */
		p->nfact = 0;
	/* the rest of this turn, ways out included */
	if (e.walked)
		known_walk(p, m, yes, header);
	else
		proof_reach(p, WAYS_ALL, yes, header, IR_NO_BLOCK, p->mark[0]);
	if (!find_meeting(p, &e)) {
		*why = "another exit leads back into the loop";
		return false;
	}
	note_region(p, 1); /* a lane that leaves here misses what lies behind other exits, too */
	known_turn(p, m, e.walked);
	proof_for_blocks(p, p->mark[0], x)
		if ((proof_has(p->inside, x) || proof_has(p->mark[1], x)) && !proof_quiet(p, x, why))
			return false;
	/* later turns, of loops in the loop first */
	for (uint32_t h = b->loop; h != header; h = fn->block[h].loop_parent)
		if (!off_for_good(p, &e, h, why))
			return false;
	if (!off_for_good(p, &e, header, why))
		return false;
	ir_for_order(fn, x) {
		if (!proof_has(p->inside, x) && !proof_has(p->mark[1], x))
			continue;
		if (proof_has(p->mark[1], x) && !proof_quiet(p, x, why))
			return false;
		if (!fn->block[x].nsucc) {
			*why = "the loop has exits to different places";
			return false;
		}
	}
	return live_out_stays(p, &e, why);
}

bool prove_branch(struct proof *p, uint32_t b, ir_id m, bool negated, const char **why)
{
	struct ir_fn *fn = p->fn;
	uint32_t yes = fn->block[b].succ[negated], no = fn->block[b].succ[!negated];
	p->branch = b;
	p->found.mask = 0;
	p->demotes = NULL;
	p->is->turn = false;
	p->is->only = NULL;
	p->ndeny = 0;
	known_find(p, b);
	uint32_t loop = IR_NO_BLOCK; /* outermost loop that exactly one side leaves */
	for (uint32_t h = fn->block[b].loop; h != IR_NO_BLOCK; h = fn->block[h].loop_parent)
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
