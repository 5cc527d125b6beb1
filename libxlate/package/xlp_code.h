/* xlp_code.h - the symbols of a packed module (xlp_spirv.h): what both directions know while they go through it.
 *
 * One text for both: what is told and what is heard cannot differ. Each function is given a word and tells it when packing; else
 * it is told, and writes it. `bad` is set when there is none, or when an id is not what it should be. They are compiled into
 * their caller with `packing` a constant, and nothing that is not may see struct xlp_code: most of a loader's own time is spent
 * here, and what nobody else can see stays in registers.
 *
 * A stream is read without asking whether it has ended: that is looked at when all is read. Behind the last stream there are
 * XLP_SPIRV_ROOM bytes, and no word takes more than two numbers of any stream. */
#ifndef XL_XLP_CODE_H
#define XL_XLP_CODE_H

#include "xlp_spirv.h"

#include <string.h>

enum {
	CODE_RECENT = 64, /* globals that are told by how recently they were used: twice that is a byte */
	CODE_NUMBER = 5,  /* bytes of a number at most */
};
_Static_assert(XLP_SPIRV_ROOM(1) - XLP_SPIRV_ROOM(0) >= 2 * CODE_NUMBER && XLP_SPIRV_ROOM(0) >= 9 * CODE_NUMBER,
	       "two numbers a word, and the first ones of a module");

/* What is known of an id: its kind, and the how-manieth of its kind it is. */
#define CODE_GLOBAL 0u
#define CODE_LOCAL (1u << 30)
#define CODE_LABEL (2u << 30)
#define CODE_KIND (3u << 30)
#define CODE_UNKNOWN UINT32_MAX

struct xlp_code_log { uint32_t v[CODE_RECENT], n, *last; }; /* last: packing, by global: behind its place among all */

struct xlp_code {
	bool bad, body;                /* body: in functions */
	struct buf *out;               /* packing: streams */
	const uint8_t *in[XLP_STREAMS], *end[XLP_STREAMS]; /* unpacking */
	const struct xlp_rows *rows;
	const uint32_t *from;          /* packing: the module */
	uint32_t *w;                   /* unpacking: the module */
	uint32_t *ref;                 /* unpacking: behind the list of its words that are globals */
	uint32_t *later;               /* unpacking: the list of its words that are other ids, not known there; grows downwards */
	size_t n;
	uint32_t bound;
	uint32_t *of;                  /* packing: by id, what is known of it */
	uint32_t *global, *local, *label; /* by number within the kind: ids; a global's 0: one of those that take what is left */
	uint32_t nglobal, nlocal, nlabel;
	uint32_t next;                 /* globals are mostly made when they are first used: the first that was not used yet */
	uint32_t used;                 /* how many were used for the first time by this instruction */
	uint32_t near[2];              /* last number of a 'd': global, local */
	uint32_t last_local, last_label;
	uint32_t zeros;                /* ids as expected: packing, since the last other one; unpacking, before the next */
	struct xlp_code_log types, recent;
	uint32_t last_type[CODE_ROWS];
};

#define CODE_INLINE static inline __attribute__((always_inline))

struct code_number { const uint8_t *end; uint32_t v; };

/* Of several bytes, five at most. */
static __attribute__((noinline)) struct code_number code_long(const uint8_t *p)
{
	uint32_t v = *p & 127, shift = 7;

	while (*p++ & 128 && shift < 7 * CODE_NUMBER) {
		v |= (uint32_t)(*p & 127) << shift;
		shift += 7;
	}
	return (struct code_number){ p, v };
}

CODE_INLINE uint32_t code_sym(struct xlp_code *c, bool packing, enum xlp_stream s, uint32_t v)
{
	struct code_number got;

	if (packing) {
		buf_var(&c->out[s], v);
		return v;
	}
	if (*c->in[s] < 128)
		return *c->in[s]++;
	got = code_long(c->in[s]);
	c->in[s] = got.end;
	return got.v;
}

/* Four bytes: of a string. */
CODE_INLINE uint32_t code_text(struct xlp_code *c, bool packing, uint32_t v)
{
	if (packing) {
		buf_u32(&c->out[XLP_LITERALS], v);
		return v;
	}
	c->in[XLP_LITERALS] += 4;
	return get32(c->in[XLP_LITERALS] - 4);
}

CODE_INLINE uint32_t code_zigzag(uint32_t v) { return v << 1 ^ (0 - (v >> 31)); }
CODE_INLINE uint32_t code_unzigzag(uint32_t v) { return v >> 1 ^ (0 - (v & 1)); }

/* The distance of v from what is expected. */
CODE_INLINE uint32_t code_near(struct xlp_code *c, bool packing, enum xlp_stream s, uint32_t expected, uint32_t v)
{
	return expected + code_unzigzag(code_sym(c, packing, s, packing ? code_zigzag(v - expected) : 0));
}

/* An id, which is mostly as expected: how many are, then the distance of the next one. */
CODE_INLINE uint32_t code_number(struct xlp_code *c, bool packing, uint32_t expected, uint32_t id)
{
	uint32_t got;

	if (packing && id == expected) {
		c->zeros++;
		return id;
	}
	if (packing) {
		code_sym(c, packing, XLP_NUMBERS, c->zeros);
		c->zeros = 0;
		return code_near(c, packing, XLP_NUMBERS, expected, id);
	}
	if (c->zeros) {
		c->zeros--;
		return expected;
	}
	got = code_near(c, packing, XLP_NUMBERS, expected, 0);
	c->zeros = code_sym(c, packing, XLP_NUMBERS, 0);
	return got;
}

/* ---- what becomes of a word, unpacking */
CODE_INLINE void code_global(struct xlp_code *c, bool packing, size_t at, uint32_t g)
{
	if (packing)
		return;
	c->w[at] = g;
	*c->ref++ = (uint32_t)at;
}

CODE_INLINE void code_later(struct xlp_code *c, bool packing, size_t at, uint32_t kind, uint32_t k)
{
	if (packing)
		return;
	c->w[at] = kind | (k & ~CODE_KIND);
	*--c->later = (uint32_t)at;
}

/* ---- references. Numbers of globals are small: a module has less of them than words. */
CODE_INLINE uint32_t code_known(struct xlp_code *c, uint32_t id, uint32_t kind)
{
	uint32_t k = id < c->bound ? c->of[id] : CODE_UNKNOWN;

	if (k == CODE_UNKNOWN || (k & CODE_KIND) != kind)
		c->bad = true;
	return c->bad ? 0 : k & ~CODE_KIND;
}

/* 0: the next that was not used; then by how many uses ago it was used; then by how far it is from the next. */
CODE_INLINE uint32_t code_log_sym(const struct xlp_code *c, const struct xlp_code_log *l, uint32_t g)
{
	uint32_t next = c->body ? c->next : c->nglobal, ago = l->last[g] ? l->n + 1 - l->last[g] : UINT32_MAX;

	return g == next ? 0 : ago < CODE_RECENT ? ago : CODE_RECENT + code_zigzag(g - next);
}

CODE_INLINE uint32_t code_log_of(const struct xlp_code *c, const struct xlp_code_log *l, uint32_t v)
{
	uint32_t next = c->body ? c->next : c->nglobal;

	return !v ? next : v < CODE_RECENT ? l->v[(l->n - v) % CODE_RECENT] : next + code_unzigzag(v - CODE_RECENT);
}

/* Its symbol is v: what is in the log was used, if the log is of functions. */
CODE_INLINE void code_use(struct xlp_code *c, bool packing, struct xlp_code_log *l, uint32_t v, uint32_t g)
{
	l->v[l->n++ % CODE_RECENT] = g;
	if (packing)
		l->last[g] = l->n;
	if (l == &c->recent && v && v < CODE_RECENT)
		return;
	if (c->body && g >= c->next && g < UINT32_MAX / 2) {
		c->used += g + 1 - c->next;
		c->next = g + 1;
	}
}

/* 0: as the last time. */
CODE_INLINE void code_type(struct xlp_code *c, bool packing, unsigned row, size_t at)
{
	uint32_t g = packing ? code_known(c, c->from[at], CODE_GLOBAL) : 0, v = 0;

	if (packing && g != c->last_type[row])
		v = 1 + code_log_sym(c, &c->types, g);
	v = code_sym(c, packing, XLP_TYPES, v);
	if (v) {
		g = packing ? g : code_log_of(c, &c->types, v - 1);
		code_use(c, packing, &c->types, v - 1, g);
		c->last_type[row] = g;
	}
	code_global(c, packing, at, c->last_type[row]);
}

/* In a function: even numbers are results of the function, counted back, odd ones and 0 globals. 2: a result yet to come. */
CODE_INLINE void code_operand(struct xlp_code *c, bool packing, size_t at)
{
	uint32_t id = packing ? c->from[at] : 0, k = packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v = 0;

	if (!c->body) {
		code_global(c, packing, at, code_near(c, packing, XLP_IDS, c->nglobal - 1, packing ? code_known(c, id, CODE_GLOBAL) : 0));
		return;
	}
	if (packing && k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL) {
		k &= ~CODE_KIND;
		v = k < c->nlocal ? 2 * (c->nlocal - k + 1) : 2;
	} else if (packing) {
		k = code_known(c, id, CODE_GLOBAL);
		v = code_log_sym(c, &c->recent, k);
		v = v ? 2 * v - 1 : 0;
	}
	v = code_sym(c, packing, XLP_IDS, v);
	if (v & 1 || !v) {
		v = v / 2 + (v & 1);
		k = packing ? k : code_log_of(c, &c->recent, v);
		code_use(c, packing, &c->recent, v, k);
		code_global(c, packing, at, k);
	} else if (v == 2) {
		k = c->nlocal + code_sym(c, packing, XLP_IDS, packing ? k - c->nlocal : 0);
		code_later(c, packing, at, CODE_LOCAL, k);
	} else if (v / 2 - 1 > c->nlocal) {
		c->bad = true;
	} else if (!packing) {
		c->w[at] = c->local[c->nlocal - (v / 2 - 1)];
	}
}

/* How far it is from the last of its kind, and in the lowest bit the kind. */
CODE_INLINE void code_neighbour(struct xlp_code *c, bool packing, size_t at)
{
	uint32_t id = packing ? c->from[at] : 0, k = packing && id < c->bound ? c->of[id] : CODE_UNKNOWN, v = 0;
	bool local = k != CODE_UNKNOWN && (k & CODE_KIND) == CODE_LOCAL;

	if (packing) {
		k = code_known(c, id, local ? CODE_LOCAL : CODE_GLOBAL);
		v = code_zigzag(k - c->near[local]) << 1 | local;
	}
	v = code_sym(c, packing, XLP_IDS, v);
	local = v & 1;
	c->near[local] = packing ? k : (c->near[local] + code_unzigzag(v >> 1)) & ~CODE_KIND;
	if (local)
		code_later(c, packing, at, CODE_LOCAL, c->near[local]);
	else
		code_global(c, packing, at, c->near[local]);
}

CODE_INLINE void code_label(struct xlp_code *c, bool packing, size_t at)
{
	uint32_t k = packing ? code_known(c, c->from[at], CODE_LABEL) : 0;

	code_later(c, packing, at, CODE_LABEL, code_near(c, packing, XLP_LABELS, c->nlabel, k));
}

CODE_INLINE uint32_t code_flip(uint32_t v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

/* Even: twice the number. 1: the next one, its bytes turned round, for floats end in zeros. */
CODE_INLINE uint32_t code_constant(struct xlp_code *c, bool packing, uint32_t v)
{
	uint32_t got = code_sym(c, packing, XLP_CONSTANTS, v >> 20 ? 1 : 2 * v);

	return got & 1 ? code_flip(code_sym(c, packing, XLP_CONSTANTS, code_flip(v))) : got >> 1;
}

#endif
