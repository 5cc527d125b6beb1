/* hostinterp_plan.c - which parameters can be the host's interpolated inputs, before any is made one.
 *
 * A parameter is, when every pair and every mov of it has a form that the host's input replaces, all with one interpolation,
 * and no halfway result is left over. One that is not takes what it is computed from with it: its pairs then read barycentrics
 * as numbers. Removing the pairs that fit is played through on a copy of the use counts; what that leaves unread is gone,
 * and a first half that is still read makes its parameter raw. That goes on until nothing changes, at most once per parameter.
 */
#include "hostinterp.h"

#include <string.h>

enum { GONE = UINT32_MAX };

struct plan {
	struct hand *p;
	uint32_t *left;           /* uses of each value, when the pairs that fit are gone */
	struct hostinterp_kind *kind; /* per attribute, where `seen` */
	bool *seen, changed;
};

const char *hostinterp_fit_p2(struct ir_fn *fn, ir_id id, const struct fact_input *in, struct hostinterp_kind *k)
{
	struct hostinterp_moved i, j;

	if (!in->smooth || in->smooth == 2)
		return "the state does not interpolate the parameter as 32-bit floats";
	ir_id p1 = hostinterp_partner(fn, id);
	if (!p1)
		return "the second half has no first half of its own";
	unsigned a = hostinterp_bary(fn, fn->inst[p1].a[0], 0), b = hostinterp_bary(fn, fn->inst[id].a[0], 1);
	if (a && a == b && hostinterp_kind_of(b, k))
		return NULL;
	if (a || b || in->builtin || !hostinterp_moved(fn, fn->inst[p1].a[0], 0, &i) || !hostinterp_moved(fn, fn->inst[id].a[0], 1, &j) ||
	    !hostinterp_together(&i, &j) || !hostinterp_kind_of(j.bary, k))
		return "I and J are not one kind of barycentric";
	*k = (struct hostinterp_kind){ INTERP_VERTICES, 0 };
	return NULL;
}

const char *hostinterp_fit_mov(const struct ir_fn *fn, ir_id id, const struct fact_input *in)
{
	if (fn->inst[id].sub != 2)
		return "a parameter read as raw vertices";
	if (in->smooth)
		return in->smooth == 1 ? "a vertex's own value of a parameter that the state interpolates" :
			"the state does not say whether the parameter is flat";
	return NULL;
}

static bool is_part(unsigned op)
{
	return op == IR_interp_p1 || op == IR_interp_p2 || op == IR_interp_mov;
}

/* The attribute, or UINT32_MAX: none, or one that the state does not have. */
static uint32_t attribute(const struct hand *p, ir_id id)
{
	const struct ir_inst *i = &p->fn->inst[id];

	return is_part(i->op) && i->imm / 4 < p->ctx->facts->ninput ? (uint32_t)(i->imm / 4) : UINT32_MAX;
}

bool hostinterp_is_raw(const struct hand *p, ir_id id)
{
	uint32_t a = attribute(p, id);

	return p->some_raw && a != UINT32_MAX && p->raw[a].why;
}

static void make_raw(struct plan *l, uint32_t attr, ir_id at, const char *why)
{
	l->p->raw[attr] = (struct hostinterp_raw){ why, at };
	l->p->some_raw = l->changed = true;
}

/* A use of v less; true: it was the last one, and v goes, too. */
static bool less(struct plan *l, ir_id v)
{
	if (--l->left[v] || !hostinterp_feeds(l->p->fn->inst[v].op))
		return false;
	l->left[v] = GONE;
	return true;
}

/* An instruction goes, and what only it has read. No recursion: sums are as long as a program makes them. */
static void leave(struct plan *l, const struct ir_inst *i)
{
	uint32_t n = 0;

	for (;; i = &l->p->fn->inst[l->p->todo[--n]]) {
		for (unsigned k = 0; k < i->nargs8; k++)
			if (less(l, i->a[k]))
				l->p->todo[n++] = i->a[k];
		if (!n)
			return;
	}
}

static void unread(struct plan *l, ir_id v)
{
	if (l->left[v] || !hostinterp_feeds(l->p->fn->inst[v].op))
		return;
	l->left[v] = GONE;
	leave(l, &l->p->fn->inst[v]);
}

/* One parameter has one interpolation; that of a moved one is its barycentric's. */
static bool agrees(struct plan *l, uint32_t attr, ir_id id, struct hostinterp_kind k)
{
	struct hostinterp_moved j;

	if (k.interp == INTERP_VERTICES)
		if (!hostinterp_moved(l->p->fn, l->p->fn->inst[id].a[0], 1, &j) || !hostinterp_kind_of(j.bary, &k))
			return false;
	if (!l->seen[attr])
		l->kind[attr] = k;
	l->seen[attr] = true;
	return l->kind[attr].interp == k.interp && hostinterp_same_place(l->kind[attr].at, k.at);
}

static void look(struct plan *l, ir_id id)
{
	struct hand *p = l->p;
	uint32_t attr = attribute(p, id);
	struct hostinterp_kind k = { INTERP_FLAT, INTERP_CENTER };
	struct hostinterp_moved j;
	unsigned op = p->fn->inst[id].op;

	if (attr == UINT32_MAX || op == IR_interp_p1 || p->raw[attr].why)
		return;
	const struct fact_input *in = &p->ctx->facts->input[attr];
	const char *why = op == IR_interp_p2 ? hostinterp_fit_p2(p->fn, id, in, &k) : hostinterp_fit_mov(p->fn, id, in);
	if (!why && !agrees(l, attr, id, k))
		why = "one location interpolated in two ways";
	if (why) {
		make_raw(l, attr, id, why);
		return;
	}
	if (k.interp == INTERP_VERTICES && hostinterp_moved(p->fn, p->fn->inst[id].a[0], 1, &j))
		for (unsigned n = 0; n < j.n; n++) /* what it is moved by stays */
			l->left[j.term[n].by]++;
	leave(l, &p->fn->inst[id]);
}

static void once(struct plan *l)
{
	struct hand *p = l->p;

	l->changed = false;
	memcpy(l->left, p->uses, p->nuses * sizeof *l->left);
	memset(l->seen, 0, p->ctx->facts->ninput * sizeof *l->seen);
	for (uint32_t k = 0; k < p->nhand; k++)
		look(l, p->hand[k]);
	for (uint32_t k = p->nhand; k-- > 0;)
		unread(l, p->hand[k]);
	for (uint32_t k = 0; k < p->nhand; k++) {
		uint32_t attr = attribute(p, p->hand[k]);
		if (attr != UINT32_MAX && p->fn->inst[p->hand[k]].op == IR_interp_p1 && l->left[p->hand[k]] != GONE && !p->raw[attr].why)
			make_raw(l, attr, p->hand[k], "a first half is read by other code");
	}
}

void hostinterp_plan(struct hand *p)
{
	uint32_t n = p->ctx->facts->ninput;
	struct plan l = { .p = p };

	facts_read(p->ctx->facts, STATE_INPUT_MAP);
	p->raw = arena_array(p->ctx->scratch, struct hostinterp_raw, n + 1);
	l.left = arena_array_raw(p->ctx->scratch, uint32_t, p->nuses + 1);
	l.kind = arena_array(p->ctx->scratch, struct hostinterp_kind, n + 1);
	l.seen = arena_array(p->ctx->scratch, bool, n + 1);
	do
		once(&l);
	while (l.changed);
	for (uint32_t k = 0; k < p->nhand && !p->number; k++)
		if (p->fn->inst[p->hand[k]].op == IR_sysval && l.left[p->hand[k]] != GONE)
			p->number = p->hand[k];
}
