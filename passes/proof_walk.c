/* proof_walk.c - the ways of the lane that a proof is about: sets of blocks, ways, steps.
 *
 * What was proven of a branch need not be proven again for those around it. To a lane whose mask is false the region is
 * one step:
 *
 *     b1: brc any(%m), b2, b9          with %m false so is %n, and by the proof for b3 nothing is done in b4 and what
 *     b3: %n = iand %m, %c             it leads to, and the phis of b8 are what they are over b3: so that is where the
 *         brc any(%n), b4, b8    =>    proof for b1 goes on. Proofs from the innermost branches outwards look at each
 *                                      block once, and not as often as there are branches around it.
 */
#include "proof.h"

#include <string.h>

/* Is block b in the loop of `header`? */
bool proof_in_loop(const struct proof *p, uint32_t b, uint32_t header)
{
	for (uint32_t h = p->fn->block[b].loop; h != IR_NO_BLOCK; h = p->fn->block[h].loop_parent)
		if (h == header)
			return true;
	return false;
}

void proof_clear(const struct proof *p, uint64_t *set)
{
	memset(set, 0, proof_words(p->fn) * sizeof *set);
}

uint32_t proof_next(const struct proof *p, const uint64_t *set, uint32_t b)
{
	uint32_t n = p->fn->nblock;
	for (; b < n; b = (b | 63) + 1) {
		uint64_t rest = set[b / 64] >> b % 64;
		if (rest)
			return b + (uint32_t)__builtin_ctzll(rest);
	}
	return IR_NO_BLOCK;
}

bool proof_walked(const struct proof *p, uint32_t from, uint32_t to)
{
	if (!p->is->turn)
		return proof_has(p->is->only, from);
	if (from == p->branch)
		return to == p->taken;
	bool comes = proof_has(p->before, from), way = p->way[from] < 0 || p->fn->block[from].succ[p->way[from]] == to;
	return way && (comes ? to == p->branch || proof_has(p->before, to) : proof_has(p->is->only, from));
}

ir_id proof_edge_mask(const struct proof *p, uint32_t from, uint32_t to)
{
	const struct ir_fn *fn = p->fn;
	const struct ir_inst *t = &fn->inst[fn->block[from].last];
	bool negated = false;
	if (!p->by_lane || t->op != IR_brc || fn->block[from].succ[0] == fn->block[from].succ[1])
		return 0;
	ir_id c = t->a[0];
	for (; fn->inst[c].op == IR_inot; negated = !negated)
		c = fn->inst[c].a[0];
	return fn->inst[c].op == IR_any && p->by_lane[c] && fn->block[from].succ[negated] == to ? fn->inst[c].a[0] : 0;
}

static bool part_of(const struct ir_fn *fn, ir_id v, ir_id m, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[m];
	return v == m || (depth && i->op == IR_iand &&
	                  (part_of(fn, v, i->a[0], depth - 1) || part_of(fn, v, i->a[1], depth - 1)));
}

bool proof_edge_true(const struct proof *p, uint32_t from, uint32_t to, ir_id v)
{
	ir_id m = proof_edge_mask(p, from, to);
	return m && part_of(p->fn, v, m, 4);
}

const struct proof_step *proof_step_at(const struct proof *p, uint32_t b)
{
	const struct proof_step *s = p->step ? &p->step[b] : NULL;
	if (!s || !s->mask || (s->live && !p->is->helps))
		return NULL;
	return p->fn->block[b].loop == p->fn->block[p->branch].loop ? s : NULL;
}

void proof_step_add(struct proof *p, uint32_t b)
{
	if (!p->step) {
		p->step = arena_array(p->scratch, struct proof_step, p->fn->nblock);
		p->step_to = arena_array(p->scratch, uint32_t, p->fn->nblock);
	}
	p->step[b] = p->found;
	p->step[b].region = p->region;
	if (p->found.alone)
		p->step_to[p->found.join] = b + 1;
}

/* A lane whose own bit is set knows what `any` says; one that answers for itself always does. */
int proof_way(struct proof *p, uint32_t b)
{
	struct ir_fn *fn = p->fn;
	const struct ir_inst *t = &fn->inst[fn->block[b].last];
	bool negated = false;
	if (t->op != IR_brc)
		return -1;
	ir_id c = proof_value(p, t->a[0]);
	for (; fn->inst[c].op == IR_inot; negated = !negated)
		c = fn->inst[c].a[0];
	if (fn->inst[c].op == IR_any) {
		ir_id v = proof_value(p, fn->inst[c].a[0]);
		if (v == p->yes || (v == p->no && p->by_lane && p->by_lane[c]))
			c = v;
	}
	return c == p->yes ? negated : c == p->no ? !negated : -1;
}

/* Where the branch of block b leads as a step. IR_NO_BLOCK: it is none. */
static uint32_t step_over(struct proof *p, uint32_t b)
{
	const struct proof_step *s = proof_step_at(p, b);
	return s && proof_value(p, s->mask) == p->no ? s->join : IR_NO_BLOCK;
}

bool proof_reach(struct proof *p, enum proof_ways ways, uint32_t from, uint32_t stop, uint32_t avoid, uint64_t *mark)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	proof_clear(p, mark);
	if (from == stop)
		return true;
	p->stack[top++] = from;
	proof_add(mark, from);
	while (top) {
		uint32_t b = p->stack[--top];
		uint32_t join = ways & WAYS_STEPS ? step_over(p, b) : IR_NO_BLOCK;
		int way = ways & WAYS_ASSUMED && join == IR_NO_BLOCK ? proof_way(p, b) : -1;
		p->way[b] = (int8_t)way;
		if (b == avoid)
			return false;
		if (join != IR_NO_BLOCK) {
			for (uint32_t k = 0; k < proof_words(fn); k++)
				p->region[k] |= p->step[b].region[k];
			if (join != stop && !proof_has(mark, join)) {
				proof_add(mark, join);
				p->stack[top++] = join;
			}
			continue;
		}
		for (uint32_t k = 0; k < fn->block[b].nsucc; k++) {
			uint32_t s = fn->block[b].succ[k];
			if (s != stop && !proof_has(mark, s) && (way < 0 || k == (uint32_t)way)) {
				proof_add(mark, s);
				p->stack[top++] = s;
			}
		}
	}
	return true;
}

bool proof_demotes(struct proof *p, uint32_t from, const uint64_t *mark)
{
	struct ir_fn *fn = p->fn;
	uint32_t top = 0;
	uint64_t *seen = p->seen;
	proof_clear(p, seen);
	p->stack[top++] = from;
	proof_add(seen, from);
	while (top) {
		uint32_t b = p->stack[--top];
		if (!proof_has(mark, b))
			return false;
		if (proof_has(p->demotes, b))
			continue;
		if (!fn->block[b].nsucc)
			return false;
		uint32_t join = step_over(p, b);
		for (uint32_t k = 0, n = join == IR_NO_BLOCK ? fn->block[b].nsucc : 1; k < n; k++) {
			uint32_t x = join == IR_NO_BLOCK ? fn->block[b].succ[k] : join;
			if (!proof_has(seen, x))
				p->stack[top++] = x;
			proof_add(seen, x);
		}
	}
	return true;
}
