/* Evaluator: where lanes that went different ways meet again.
 *
 * What lies first in the order goes first, so lanes wait where ways join. In loops that alone would not do: a lane that starts the
 * next turn, or has left, could run ahead of those that are still in this one. So an earlier turn goes before a later one, and a
 * loop before what lies behind it: as the structured form has it, where lanes meet at the end of each turn and behind the loop.
 */
#include "eval_wave.h"

#include <stdlib.h>

static const uint32_t done = UINT32_MAX;

/* The blocks from which `tail` is come to without passing the head. False: the head is not before them. */
static bool fill(struct eval *e, struct eval_loop *l, uint32_t tail, uint32_t *stack)
{
	const struct ir_fn *fn = e->fn;
	uint32_t n = 0;
	bool comes = tail == l->head;

	if (!l->has[tail])
		stack[n++] = tail;
	l->has[tail] = true;
	while (n) {
		const struct ir_block *b = &fn->block[e->block_at[stack[--n]]];
		for (uint32_t k = 0; k < b->npred; k++) {
			uint32_t at = e->at[b->pred[k]];
			comes |= at == l->head;
			if (l->has[at])
				continue;
			l->has[at] = true;
			stack[n++] = at;
		}
	}
	return comes;
}

static int larger_first(const void *a, const void *b)
{
	const struct eval_loop *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->head < y->head ? -1 : x->head > y->head;
}

void eval_find_loops(struct eval *e)
{
	const struct ir_fn *fn = e->fn;
	struct arena *a = e->o->arena;
	uint32_t *stack = arena_array(a, uint32_t, fn->nblock + (size_t)1);
	size_t cap = 0;

	for (uint32_t i = 0; i < fn->nblock; i++) {
		const struct ir_block *h = &fn->block[e->block_at[i]];
		struct eval_loop l = { .head = i };
		bool round = false;
		for (uint32_t k = 0; k < h->npred; k++) {
			if (e->at[h->pred[k]] < i)
				continue;
			if (!l.has)
				l.has = arena_array(a, bool, fn->nblock);
			l.has[i] = true;
			round |= fill(e, &l, e->at[h->pred[k]], stack);
		}
		for (uint32_t k = 0; k < fn->nblock && round; k++)
			l.size += l.has[k];
		if (!round) /* blocks without an order may have any number */
			continue;
		e->loop = arena_grow(a, e->loop, e->nloop, &cap, e->nloop + (size_t)1, sizeof *e->loop);
		e->loop[e->nloop++] = l;
	}
	if (e->nloop)
		qsort(e->loop, e->nloop, sizeof *e->loop, larger_first);
}

void eval_go(struct wave *w, unsigned lane, uint32_t to)
{
	uint32_t from = w->pos[lane], *turn = w->turn + (size_t)lane * w->e->nloop;

	for (uint32_t k = 0; k < w->e->nloop && to != done; k++) {
		const struct eval_loop *l = &w->e->loop[k];
		if (!l->has[to] || !l->has[from])
			turn[k] = 0;
		else if (to == l->head)
			turn[k]++;
	}
	w->pos[lane] = to;
}

/* Does lane a go before lane b? */
static bool before(const struct wave *w, unsigned a, unsigned b)
{
	uint32_t n = w->e->nloop, x = w->pos[a], y = w->pos[b];

	if (x == y)
		return false;
	for (uint32_t k = 0; k < n; k++) {
		const struct eval_loop *l = &w->e->loop[k];
		uint32_t ta = w->turn[(size_t)a * n + k], tb = w->turn[(size_t)b * n + k];
		if (l->has[x] && l->has[y] && ta != tb)
			return ta < tb;
		if (l->has[x] != l->has[y]) /* the one outside has it before or behind itself */
			return l->has[x] ? y >= l->head : x < l->head;
	}
	return x < y;
}

uint32_t eval_first(const struct wave *w)
{
	unsigned first = w->lanes;

	for (unsigned lane = 0; lane < w->lanes; lane++)
		if (w->pos[lane] != done && (first == w->lanes || before(w, lane, first)))
			first = lane;
	return first == w->lanes ? done : w->pos[first];
}
