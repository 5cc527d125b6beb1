/* xlp_code.c - the symbols of a packed module. One function for both directions: what is told and what is heard cannot differ. */
#include "xlp_code.h"

#include <string.h>

/* ---- symbols */
static uint32_t zigzag(uint32_t v) { return v << 1 ^ (0 - (v >> 31)); }
static uint32_t unzigzag(uint32_t v) { return v >> 1 ^ (0 - (v & 1)); }

/* The distance of v from what is expected. */
uint32_t xlp_code_near(struct xlp_code *c, enum xlp_stream s, uint32_t expected, uint32_t v)
{
	uint32_t got = xlp_code_sym(c, s, zigzag(v - expected));

	return c->packing ? v : expected + unzigzag(got);
}

static uint32_t list_find(const struct xlp_code_list *l, uint32_t x)
{
	uint32_t i = 0;

	while (i < l->n && l->v[i] != x)
		i++;
	return i;
}

/* x, which stood at i or nowhere (i == n), to the front. */
static void list_front(struct xlp_code_list *l, uint32_t i, uint32_t x)
{
	if (i == l->n && l->n < CODE_MOST_RECENT)
		l->n++;
	memmove(l->v + 1, l->v, (i < CODE_MOST_RECENT ? i : CODE_MOST_RECENT - 1) * sizeof(*l->v));
	l->v[0] = x;
}

/* ---- references. Numbers of globals are small: a module has less of them than words. */
static void use_global(struct xlp_code *c, struct xlp_code_list *l, uint32_t rank, uint32_t g)
{
	list_front(l, rank, g);
	if (c->body && g >= c->next && g < UINT32_MAX / 2) {
		c->used += g + 1 - c->next;
		c->next = g + 1;
	}
}

/* 0: the next that was not used; then by how recently it was used; then by how far it is from the next. */
static uint32_t global_sym(const struct xlp_code *c, const struct xlp_code_list *l, uint32_t g, uint32_t *rank)
{
	uint32_t next = c->body ? c->next : c->nglobal;

	*rank = list_find(l, g);
	return g == next ? 0 : *rank < l->n ? 1 + *rank : 1 + l->n + zigzag(g - next);
}

static uint32_t global_of(const struct xlp_code *c, const struct xlp_code_list *l, uint32_t v, uint32_t *rank)
{
	uint32_t next = c->body ? c->next : c->nglobal, g;

	g = !v ? next : v - 1 < l->n ? l->v[v - 1] : next + unzigzag(v - 1 - l->n);
	*rank = list_find(l, g);
	return g;
}

static uint32_t known(struct xlp_code *c, uint32_t id, uint32_t kind)
{
	uint32_t k = id < c->bound ? c->of[id] : CODE_UNKNOWN;

	if (k == CODE_UNKNOWN || (k & CODE_KIND) != kind)
		c->bad = true;
	return c->bad ? 0 : k & ~CODE_KIND;
}

uint32_t xlp_code_type(struct xlp_code *c, unsigned row, uint32_t id)
{
	uint32_t g = c->packing ? known(c, id, CODE_GLOBAL) : 0, rank, v;

	if (c->packing) {
		v = global_sym(c, &c->types, g, &rank) + 1;
		xlp_code_sym(c, XLP_TYPES, g == c->last_type[row] ? 0 : v);
	} else {
		v = xlp_code_sym(c, XLP_TYPES, 0);
		g = v ? global_of(c, &c->types, v - 1, &rank) : c->last_type[row];
		rank = v ? rank : list_find(&c->types, g);
	}
	use_global(c, &c->types, rank, g);
	c->last_type[row] = g;
	return g;
}

/* In a function: even numbers are results of the function, counted back, odd ones and 0 globals. 2: a result yet to come. */
uint32_t xlp_code_operand(struct xlp_code *c, uint32_t id)
{
	uint32_t k = c->packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v = 0, rank;
	bool local;

	if (!c->body)
		return xlp_code_near(c, XLP_IDS, c->nglobal - 1, c->packing ? known(c, id, CODE_GLOBAL) : 0);
	local = k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL;
	if (c->packing && !local) {
		k = known(c, id, CODE_GLOBAL);
		v = global_sym(c, &c->recent, k, &rank);
		xlp_code_sym(c, XLP_IDS, v ? 2 * v - 1 : 0);
	} else if (c->packing) {
		k &= ~CODE_KIND;
		xlp_code_sym(c, XLP_IDS, k < c->nlocal ? 2 * (c->nlocal - k + 1) : 2);
		if (k >= c->nlocal)
			xlp_code_sym(c, XLP_IDS, k - c->nlocal);
	} else {
		v = xlp_code_sym(c, XLP_IDS, 0);
		local = v && !(v & 1);
		if (!local)
			k = global_of(c, &c->recent, v ? v / 2 + 1 : 0, &rank);
		else
			k = v == 2 ? c->nlocal + xlp_code_sym(c, XLP_IDS, 0) : c->nlocal - (v / 2 - 1);
	}
	if (!local)
		use_global(c, &c->recent, rank, k);
	return k | (local ? CODE_LOCAL : CODE_GLOBAL);
}

/* How far it is from the last of its kind, and in the lowest bit the kind. */
uint32_t xlp_code_neighbour(struct xlp_code *c, uint32_t id)
{
	uint32_t k = c->packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v;
	bool local = k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL;

	if (c->packing) {
		k = known(c, id, local ? CODE_LOCAL : CODE_GLOBAL);
		xlp_code_sym(c, XLP_IDS, zigzag(k - c->near[local]) << 1 | local);
	} else {
		v = xlp_code_sym(c, XLP_IDS, 0);
		local = v & 1;
		k = (c->near[local] + unzigzag(v >> 1)) & ~CODE_KIND;
	}
	c->near[local] = k;
	return k | (local ? CODE_LOCAL : CODE_GLOBAL);
}

static uint32_t flip(uint32_t v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

uint32_t xlp_code_label(struct xlp_code *c, uint32_t id)
{
	return CODE_LABEL | (xlp_code_near(c, XLP_LABELS, c->nlabel, c->packing ? known(c, id, CODE_LABEL) : 0) & ~CODE_KIND);
}

/* Even: twice the number. 1: the next one, its bytes turned round, for floats end in zeros. */
uint32_t xlp_code_constant(struct xlp_code *c, uint32_t v)
{
	bool large = v >> 20;

	if (c->packing) {
		xlp_code_sym(c, XLP_CONSTANTS, large ? 1 : 2 * v);
		return large ? xlp_code_sym(c, XLP_CONSTANTS, flip(v)) : 0;
	}
	v = xlp_code_sym(c, XLP_CONSTANTS, 0);
	return v & 1 ? flip(xlp_code_sym(c, XLP_CONSTANTS, 0)) : v >> 1;
}

