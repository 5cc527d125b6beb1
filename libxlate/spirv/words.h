/* words.h - a SPIR-V module under construction: one growable word array per section, interned types and constants,
 * dense ids. Everything lives in the arena. Internal to libxlate/spirv. */
#ifndef XL_WORDS_H
#define XL_WORDS_H

#include "../../ir/arena.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdbool.h>

/* Logical layout of a module, in order. VARS and PROLOGUE open the entry block, BODY is the rest of the function, HELPER holds further ones. */
enum words_section { SEC_CAPABILITY, SEC_EXTENSION, SEC_IMPORT, SEC_MODEL, SEC_ENTRY, SEC_MODE, SEC_STRING, SEC_NAME, SEC_ANNOTATION,
	SEC_GLOBAL, SEC_FUNCTION, SEC_VARS, SEC_PROLOGUE, SEC_BODY, SEC_HELPER, SEC_COUNT };

struct words_array { uint32_t *w; size_t n, cap; };
/* A type or a constant: head and operands, or, where those are more than WORDS_KEY, the first word's place in SEC_GLOBAL. */
struct words_intern { uint32_t hash, head, a, b, c, id; };
enum { WORDS_KEY = 3 };
/* Room of a section before it grows, of that of types and constants, and for those; room in front of SEC_BODY, where the other
 * sections then mostly fit. */
enum { WORDS_ROOM = 64, WORDS_GLOBAL = 512, WORDS_KNOWN = 64, WORDS_SLOTS = 128, WORDS_FRONT = 1024 };

struct words {
	struct arena *arena;
	struct words_array sec[SEC_COUNT];
	uint32_t next_id;
	struct words_intern *known;
	size_t nknown, known_cap;
	uint32_t *slot;            /* open addressing over `known`, from 1; a power of two */
	size_t nslot;
	uint32_t glsl;             /* id of the GLSL.std.450 import, 0: not used */
	bool too_long;             /* an instruction has more words than its head can say: the module is none */
};

void words_init(struct words *, struct arena *, size_t body); /* body: words that SEC_BODY is expected to take */
static inline uint32_t words_id(struct words *m) { return m->next_id++; }
/* The first word of an instruction of `n` words with that one: all are made here. */
static inline uint32_t words_head(struct words *m, SpvOp op, size_t n)
{
	m->too_long |= n > 0xffff;
	return (uint32_t)n << 16 | (uint32_t)op;
}
/* Make the section hold `n` words more. */
void words_grow(struct words *, enum words_section, size_t n);
static inline bool words_full(const struct words *m, enum words_section s, size_t n) { return n > m->sec[s].cap - m->sec[s].n; }
/* Room for `n` words at the section's end, to be filled before the next call. */
static inline uint32_t *words_room(struct words *m, enum words_section s, size_t n)
{
	struct words_array *a = &m->sec[s];

	if (words_full(m, s, n))
		words_grow(m, s, n);
	a->n += n;
	return a->w + a->n - n;
}
/* Append one instruction: `n` operand words after the opcode word. Returns the position of its first word. */
size_t words_put(struct words *, enum words_section, SpvOp, const uint32_t *operands, size_t n);
/* Append one instruction with a string literal after `n` operand words and `m` words after the string. */
void words_string(struct words *, enum words_section, SpvOp, const uint32_t *operands, size_t n, const char *text,
                  const uint32_t *tail, size_t m);
/* One instruction in SEC_GLOBAL by content: of `n` operands, at most WORDS_KEY, the absent ones 0; and of more than that. `skip`:
 * operands in front of the result's id (0 types, 1 constants). */
uint32_t words_intern(struct words *, SpvOp, unsigned skip, uint32_t a, uint32_t b, uint32_t c, unsigned n);
uint32_t words_intern_long(struct words *, SpvOp, unsigned skip, const uint32_t *operands, size_t n);
/* A type (no result type): the same operands give the same id. */
static inline uint32_t words_type(struct words *m, SpvOp op, const uint32_t *operands, size_t n)
{
	if (n > WORDS_KEY)
		return words_intern_long(m, op, 0, operands, n);
	return words_intern(m, op, 0, n > 0 ? operands[0] : 0, n > 1 ? operands[1] : 0, n > 2 ? operands[2] : 0, (unsigned)n);
}
/* A constant (result type first). */
uint32_t words_const(struct words *, SpvOp, uint32_t type, const uint32_t *operands, size_t n);
void words_capability(struct words *, SpvCapability);
bool words_has_capability(const struct words *, SpvCapability);
void words_extension(struct words *, const char *name);
uint32_t words_import_glsl(struct words *);
static inline uint32_t words_glsl(struct words *m) { return m->glsl ? m->glsl : words_import_glsl(m); }
/* All sections behind a header, once: SEC_BODY stays where it is. */
uint32_t *words_finish(struct words *, uint32_t version, size_t *nwords);

/* The same of `n` operands that are written out: no array of them, and no loop. */
static inline void words_put_these(struct words *m, enum words_section s, SpvOp op, const uint32_t *operands, size_t n)
{
	uint32_t *w = words_room(m, s, n + 1);

	w[0] = words_head(m, op, n + 1);
	for (size_t k = 0; k < n; k++)
		w[k + 1] = operands[k];
}

#define WORDS_ARGS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define WORDS_PUT(m, sec, op, ...) words_put_these((m), (sec), (op), WORDS_ARGS(__VA_ARGS__))

#endif
