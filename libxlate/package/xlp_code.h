/* xlp_code.h - the symbols of a packed module (xlp_spirv.h): what both directions know while they go through it.
 *
 * One text for both: what is told and what is heard cannot differ. Each function is given a word and tells it when packing; else
 * it is told, and gives it. `bad` is set when there is none, or when an id is not what it should be. They are compiled into
 * their caller with `packing` a constant: most of a loader's own time is spent here. */
#ifndef XL_XLP_CODE_H
#define XL_XLP_CODE_H

#include "xlp_spirv.h"

#include <string.h>

enum { CODE_MOST_RECENT = 256 /* bounds the time that a hostile module takes */ };

/* What is known of an id: its kind, and the how-manieth of its kind it is. */
#define CODE_GLOBAL 0u
#define CODE_LOCAL (1u << 30)
#define CODE_LABEL (2u << 30)
#define CODE_KIND (3u << 30)
#define CODE_UNKNOWN UINT32_MAX

struct xlp_code_list { uint32_t v[CODE_MOST_RECENT], n; }; /* latest first */

struct xlp_code {
	bool bad, body;                /* body: in functions */
	struct buf *out;               /* packing: streams */
	struct scan in[XLP_STREAMS];   /* unpacking */
	const struct xlp_rows *rows;
	const uint32_t *from;          /* packing: the module */
	uint32_t *w;                   /* unpacking: the module */
	uint32_t *ref, nref;           /* unpacking: which of its words are references */
	size_t n;
	uint32_t bound;
	uint32_t *of;                  /* packing: by id, what is known of it */
	uint32_t *global, *local, *label; /* by number within the kind: ids; a global's 0: one of those that take what is left */
	uint32_t nglobal, nlocal, nlabel;
	uint32_t next;                 /* globals are mostly made when they are first used: the first that was not used yet */
	uint32_t used;                 /* how many were used for the first time by this instruction */
	uint32_t near[2];              /* last number of a 'd': global, local */
	uint32_t last_local, last_label;
	struct xlp_code_list types, recent;
	uint32_t last_type[CODE_ROWS];
};

#define CODE_INLINE static inline __attribute__((always_inline))

CODE_INLINE uint32_t xlp_code_sym(struct xlp_code *c, bool packing, enum xlp_stream s, uint32_t v)
{
	if (packing) {
		buf_var(&c->out[s], v);
		return 0;
	}
	return scan_var(&c->in[s]); /* 0 behind the end, which is looked for when all is read */
}

CODE_INLINE uint32_t code_zigzag(uint32_t v) { return v << 1 ^ (0 - (v >> 31)); }
CODE_INLINE uint32_t code_unzigzag(uint32_t v) { return v >> 1 ^ (0 - (v & 1)); }

/* The distance of v from what is expected. */
CODE_INLINE uint32_t xlp_code_near(struct xlp_code *c, bool packing, enum xlp_stream s, uint32_t expected, uint32_t v)
{
	uint32_t got = xlp_code_sym(c, packing, s, code_zigzag(v - expected));

	return packing ? v : expected + code_unzigzag(got);
}

/* l->n: it is not in the list. Most are found among the first, or nowhere: then several are looked at together. */
CODE_INLINE uint32_t code_list_find(const struct xlp_code_list *l, uint32_t x)
{
	uint32_t i = 0;

	for (; i + 8 <= l->n; i += 8) {
		const uint32_t *v = l->v + i;

		if ((v[0] == x) | (v[1] == x) | (v[2] == x) | (v[3] == x) | (v[4] == x) | (v[5] == x) | (v[6] == x) | (v[7] == x))
			break;
	}
	while (i < l->n && l->v[i] != x)
		i++;
	return i;
}

/* x, which stood at i or nowhere (i == n), to the front. */
CODE_INLINE void code_list_front(struct xlp_code_list *l, uint32_t i, uint32_t x)
{
	if (i == l->n && l->n < CODE_MOST_RECENT)
		l->n++;
	else if (!i)
		return;
	memmove(l->v + 1, l->v, (i < CODE_MOST_RECENT ? i : CODE_MOST_RECENT - 1) * sizeof(*l->v));
	l->v[0] = x;
}

/* ---- references. Numbers of globals are small: a module has less of them than words. */
CODE_INLINE void code_use_global(struct xlp_code *c, struct xlp_code_list *l, uint32_t rank, uint32_t g)
{
	code_list_front(l, rank, g);
	if (c->body && g >= c->next && g < UINT32_MAX / 2) {
		c->used += g + 1 - c->next;
		c->next = g + 1;
	}
}

/* 0: the next that was not used; then by how recently it was used; then by how far it is from the next. */
CODE_INLINE uint32_t code_global_sym(const struct xlp_code *c, const struct xlp_code_list *l, uint32_t g, uint32_t *rank)
{
	uint32_t next = c->body ? c->next : c->nglobal;

	*rank = code_list_find(l, g);
	return g == next ? 0 : *rank < l->n ? 1 + *rank : 1 + l->n + code_zigzag(g - next);
}

CODE_INLINE uint32_t code_global_of(const struct xlp_code *c, const struct xlp_code_list *l, uint32_t v, uint32_t *rank)
{
	uint32_t next = c->body ? c->next : c->nglobal, g;

	if (v && v - 1 < l->n) {
		*rank = v - 1;
		return l->v[v - 1];
	}
	g = !v ? next : next + code_unzigzag(v - 1 - l->n);
	*rank = code_list_find(l, g);
	return g;
}

CODE_INLINE uint32_t code_known(struct xlp_code *c, uint32_t id, uint32_t kind)
{
	uint32_t k = id < c->bound ? c->of[id] : CODE_UNKNOWN;

	if (k == CODE_UNKNOWN || (k & CODE_KIND) != kind)
		c->bad = true;
	return c->bad ? 0 : k & ~CODE_KIND;
}

CODE_INLINE uint32_t xlp_code_type(struct xlp_code *c, bool packing, unsigned row, uint32_t id)
{
	uint32_t g = packing ? code_known(c, id, CODE_GLOBAL) : 0, rank, v;

	if (packing) {
		v = code_global_sym(c, &c->types, g, &rank) + 1;
		xlp_code_sym(c, packing, XLP_TYPES, g == c->last_type[row] ? 0 : v);
	} else {
		v = xlp_code_sym(c, packing, XLP_TYPES, 0);
		g = v ? code_global_of(c, &c->types, v - 1, &rank) : c->last_type[row];
		rank = v ? rank : code_list_find(&c->types, g);
	}
	code_use_global(c, &c->types, rank, g);
	c->last_type[row] = g;
	return g;
}

/* In a function: even numbers are results of the function, counted back, odd ones and 0 globals. 2: a result yet to come. */
CODE_INLINE uint32_t xlp_code_operand(struct xlp_code *c, bool packing, uint32_t id)
{
	uint32_t k = packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v = 0, rank;
	bool local;

	if (!c->body)
		return xlp_code_near(c, packing, XLP_IDS, c->nglobal - 1, packing ? code_known(c, id, CODE_GLOBAL) : 0);
	local = k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL;
	if (packing && !local) {
		k = code_known(c, id, CODE_GLOBAL);
		v = code_global_sym(c, &c->recent, k, &rank);
		xlp_code_sym(c, packing, XLP_IDS, v ? 2 * v - 1 : 0);
	} else if (packing) {
		k &= ~CODE_KIND;
		xlp_code_sym(c, packing, XLP_IDS, k < c->nlocal ? 2 * (c->nlocal - k + 1) : 2);
		if (k >= c->nlocal)
			xlp_code_sym(c, packing, XLP_IDS, k - c->nlocal);
	} else {
		v = xlp_code_sym(c, packing, XLP_IDS, 0);
		local = v && !(v & 1);
		if (!local)
			k = code_global_of(c, &c->recent, v ? v / 2 + 1 : 0, &rank);
		else
			k = v == 2 ? c->nlocal + xlp_code_sym(c, packing, XLP_IDS, 0) : c->nlocal - (v / 2 - 1);
	}
	if (!local)
		code_use_global(c, &c->recent, rank, k);
	return k | (local ? CODE_LOCAL : CODE_GLOBAL);
}

/* How far it is from the last of its kind, and in the lowest bit the kind. */
CODE_INLINE uint32_t xlp_code_neighbour(struct xlp_code *c, bool packing, uint32_t id)
{
	uint32_t k = packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v;
	bool local = k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL;

	if (packing) {
		k = code_known(c, id, local ? CODE_LOCAL : CODE_GLOBAL);
		xlp_code_sym(c, packing, XLP_IDS, code_zigzag(k - c->near[local]) << 1 | local);
	} else {
		v = xlp_code_sym(c, packing, XLP_IDS, 0);
		local = v & 1;
		k = (c->near[local] + code_unzigzag(v >> 1)) & ~CODE_KIND;
	}
	c->near[local] = k;
	return k | (local ? CODE_LOCAL : CODE_GLOBAL);
}

CODE_INLINE uint32_t code_flip(uint32_t v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

CODE_INLINE uint32_t xlp_code_label(struct xlp_code *c, bool packing, uint32_t id)
{
	return CODE_LABEL | (xlp_code_near(c, packing, XLP_LABELS, c->nlabel, packing ? code_known(c, id, CODE_LABEL) : 0) & ~CODE_KIND);
}

/* Even: twice the number. 1: the next one, its bytes turned round, for floats end in zeros. */
CODE_INLINE uint32_t xlp_code_constant(struct xlp_code *c, bool packing, uint32_t v)
{
	bool large = v >> 20;

	if (packing) {
		xlp_code_sym(c, packing, XLP_CONSTANTS, large ? 1 : 2 * v);
		return large ? xlp_code_sym(c, packing, XLP_CONSTANTS, code_flip(v)) : 0;
	}
	v = xlp_code_sym(c, packing, XLP_CONSTANTS, 0);
	return v & 1 ? code_flip(xlp_code_sym(c, packing, XLP_CONSTANTS, 0)) : v >> 1;
}

#endif
