/* verify.h - state shared by the verifier's files. Private to ir/. */
#ifndef XL_VERIFY_H
#define XL_VERIFY_H

#include "ir.h"

struct verify {
	struct ir_fn *fn;
	struct arena *scratch;
	const char *error;      /* the first broken rule */
	uint32_t *pos, count;   /* per instruction: position, 1 up */
	uint32_t *stamp;        /* per block, zero between uses */
	uint32_t *written, run; /* per marker: run of one guest address in which it was last written */
	struct cfg_tree tree;
};

/* Keeps the first message: "[rule] block N, op ID (guest 0x..): what". */
void verify_fail(struct verify *, const char *rule, uint32_t block, ir_id, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
static inline bool verify_dominates(const struct verify *v, uint32_t a, uint32_t b)
{
	return v->tree.in[b] >= v->tree.in[a] && v->tree.in[b] <= v->tree.out[a];
}
void verify_types(struct verify *, uint32_t block, ir_id); /* verify_types.c: counts and types against ops.def */
void verify_structure(struct verify *);                    /* verify_structure.c: SPIR-V's structured control flow */

#endif
