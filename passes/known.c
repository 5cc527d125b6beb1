/* known.c - what is known of a lane that comes to a branch, when questions elsewhere are answered by each lane for itself.
 *
 *     b1: %m = phi b0 true, b3 %m2          b2 and b3 are reached by lanes alone whose %c is true;
 *         %c = iand %m, %x                  where the loop is left by lanes, too (%m2 at its end),
 *         brc any(%c), b2, b9       =>      %m is true in every lane that comes to b1
 *     b2: brc any(%d), b3, b4
 *
 * Such a lane also walks where its own bits lead, as far as they are known: phis have fewer operands. All of that is about one
 * turn of the innermost loop around the branch (or the program, where there is none); it says nothing of later ones.
 */
#include "known.h"

#include <string.h>

uint32_t known_start(const struct proof *p)
{
	uint32_t h = p->fn->block[p->branch].loop;
	return h == IR_NO_BLOCK ? p->fn->entry : h;
}

static void add_fact(struct proof *p, ir_id v)
{
	if (p->nfact < PROOF_FACTS)
		p->fact[p->nfact++] = v;
}

/* Ways in front of all that is assumed besides the facts are the same for all branches of a loop with these. */
static void keep_ways(struct proof *p, uint32_t loop)
{
	struct proof_ways_kept *w = &p->kept_ways;
	if (w->loop == loop && w->nfact == p->nfact && !memcmp(w->fact, p->fact, p->nfact * sizeof *p->fact))
		return;
	w->loop = loop;
	w->nfact = p->nfact;
	memcpy(w->fact, p->fact, p->nfact * sizeof *p->fact);
	w->epoch++;
}

static int8_t way_before(struct proof *p, uint32_t b)
{
	struct proof_ways_kept *w = &p->kept_ways;
	if (p->fn->block[b].rpo >= w->floor || p->is->helps) /* (other branches are come to by lanes that help, too) */
		return (int8_t)proof_way(p, b);
	if (w->stamp[b] != w->epoch) {
		w->stamp[b] = w->epoch;
		w->way[b] = (int8_t)proof_way(p, b);
	}
	return w->way[b];
}

void known_find(struct proof *p, uint32_t b)
{
	const struct ir_fn *fn = p->fn;
	p->nfact = 0;
	if (!p->by_lane)
		return;
	for (uint32_t x = b; fn->block[x].idom != x; x = fn->block[x].idom) {
		ir_id m = fn->block[x].npred == 1 ? proof_edge_mask(p, fn->block[x].pred[0], x) : 0;
		if (m)
			add_fact(p, m);
	}
	for (uint32_t h = fn->block[b].loop; h != IR_NO_BLOCK; h = fn->block[h].loop_parent)
		ir_for_insts(fn, h, phi) {
			if (fn->inst[phi].op != IR_phi)
				break;
			if (p->always[phi])
				add_fact(p, phi);
		}
	keep_ways(p, fn->block[b].loop);
}

void known_turn(struct proof *p, ir_id m, bool walked)
{
	proof_start(p);
	p->is->turn = walked;
	p->is->only = walked ? p->walk : NULL;
	if (walked)
		p->is->floor = p->ways_floor;
	for (unsigned k = 0; k < p->nfact; k++)
		proof_assume_true(p, p->fact[k]);
	uint32_t floor = p->is->floor;
	p->is->floor = IR_NO_BLOCK;
	for (unsigned k = 0; m && k < p->ndeny; k++)
		proof_assume(p, p->deny[k]);
	if (m)
		proof_assume(p, m);
	p->kept_ways.floor = p->is->floor;
	if (floor < p->is->floor)
		p->is->floor = floor;
}

void known_none(struct proof *p)
{
	proof_start(p);
	p->is->turn = false;
	p->is->only = NULL;
}

/* p->before: the blocks that the lane comes through on its way to the branch. */
static void note_before(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0, start = known_start(p);
	p->ways_floor = p->is->floor;
	proof_clear(p, p->seen); /* blocks that lead to the branch: what lies behind it is not looked at */
	p->stack[top++] = p->branch;
	while (top) {
		uint32_t x = p->stack[--top];
		for (uint32_t k = 0; k < fn->block[x].npred && x != start; k++) {
			uint32_t q = fn->block[x].pred[k];
			if (q == p->branch || proof_has(p->seen, q))
				continue;
			p->way[q] = way_before(p, q);
			if (p->way[q] >= 0 && fn->block[q].succ[p->way[q]] != x)
				continue;
			proof_add(p->seen, q);
			p->stack[top++] = q;
		}
	}
	proof_clear(p, p->before);
	for (uint32_t x = start; proof_has(p->seen, x); x = p->stack[--top]) {
		proof_add(p->before, x);
		for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
			uint32_t s = fn->block[x].succ[k];
			if (proof_has(p->seen, s) && !proof_has(p->before, s) && (p->way[x] < 0 || k == (uint32_t)p->way[x])) {
				proof_add(p->before, s);
				p->stack[top++] = s;
			}
		}
		if (!top)
			break;
	}
}

/* p->deny: of what is false together one part is true, so the other is false. */
static void find_denied(struct proof *p, ir_id m)
{
	const struct ir_fn *fn = p->fn;
	known_turn(p, 0, true);
	for (p->ndeny = 0; p->ndeny < PROOF_DENY && fn->inst[m].op == IR_iand; p->deny[p->ndeny++] = m) {
		const ir_id *a = fn->inst[m].a;
		if (proof_value(p, a[0]) == p->yes)
			m = a[1];
		else if (proof_value(p, a[1]) == p->yes)
			m = a[0];
		else
			break;
	}
}

void known_walk(struct proof *p, ir_id m, uint32_t yes, uint32_t stop)
{
	p->ndeny = 0;
	known_turn(p, m, false);
	note_before(p);
	proof_clear(p, p->walk);
	p->taken = yes;
	find_denied(p, m);
	known_turn(p, m, true);
	p->leads_back = !proof_reach(p, WAYS_ASSUMED, yes, stop, p->branch, p->mark[0]);
	memcpy(p->walk, p->mark[0], proof_words(p->fn) * sizeof *p->walk);
	known_turn(p, m, true);
}

/* Is v true in a lane that comes from block q to block h? */
static bool true_from(struct proof *p, uint32_t q, uint32_t h, ir_id v)
{
	p->branch = q;
	known_find(p, q);
	known_turn(p, 0, false);
	note_before(p);
	proof_clear(p, p->walk);
	p->taken = h;
	known_turn(p, 0, true);
	return proof_edge_true(p, q, h, v) || proof_value(p, v) == p->yes;
}

/* All are guessed to be, and each is checked with the others' help: by induction over the turns. */
uint32_t known_loops(struct proof *p)
{
	struct ir_fn *fn = p->fn;
	uint32_t count = 0;
	memset(p->always, 0, fn->ninst * sizeof *p->always);
	ir_for_order(fn, h)
		ir_for_insts(fn, h, phi) {
			if (fn->inst[phi].op != IR_phi || fn->block[h].loop != h)
				break;
			count += p->always[phi] = fn->inst[phi].type == IR_B1;
		}
	for (bool again = true; again;) {
		again = false;
		ir_for_order(fn, h)
			ir_for_insts(fn, h, phi) {
				if (fn->inst[phi].op != IR_phi)
					break;
				for (uint32_t k = 0; k < fn->block[h].npred && p->always[phi]; k++)
					if (!true_from(p, fn->block[h].pred[k], h, ir_args(fn, phi)[k])) {
						p->always[phi] = false;
						count--;
						again = true;
					}
			}
	}
	return count;
}
