/* eval.h - the reference evaluator: runs one workgroup of waves of lanes on the CPU, before or after any pass.
 *
 * Lanes of a wave that stand at the same block run it together; the block earliest in fn->order (or by number, when there is no
 * order) goes first, turn by turn (eval_meet.c), which brings lanes together again where they join. Cross-lane ops see the lanes that
 * run the block together. Shared memory and scratch live inside; everything else goes through the callbacks.
 * A masked op does nothing in lanes whose mask is false. Its result there, and every undef, reads as 0, or as the bits of
 * eval_options.undef: two runs with different ones tell a program that depends on them. With that, so reads what `quad`, `shuffle` and
 * derivatives get of a lane that is not there, or, where they have a mask, of or in a lane whose bit is clear. After `demote` a lane's
 * writes are dropped, as are those of `helpers`.
 * Deterministic. It is ours, so it checks passes against each other and is never the source of an expected value.
 */
#ifndef XL_EVAL_H
#define XL_EVAL_H

#include "ir.h"

/* One access by one lane. Values are 64-bit words, one per vector element; a resource handle is two words: for `bind` the
 * resource index and the array element, for handles made of words the id of the instruction and a hash of the words. */
struct eval_access {
	const struct ir_fn *fn;
	ir_id inst;                    /* op, type, sub, imm, flags */
	uint32_t invocation, lane;     /* index in the workgroup; lane of its wave */
	unsigned nargs;
	const uint64_t *const *args;   /* per operand; NULL: absent */
	uint64_t offset;               /* memory: operand + imm: byte offset or 64-bit address */
};

/* False: the access is not possible (evaluation stops, EVAL_REFUSED). Missing callbacks refuse. */
struct eval_io {
	void *user;
	bool (*load)(void *user, const struct eval_access *, uint64_t *out);          /* ldbuf ldtyped ldptr ldtab buflen images */
	bool (*store)(void *user, const struct eval_access *, const uint64_t *value); /* stbuf sttyped stptr istore stout */
	bool (*atomic)(void *user, const struct eval_access *, uint64_t *old);        /* operands: see the op's row */
	bool (*input)(void *user, const struct eval_access *, uint64_t *out);         /* root ldin interp_*, other sysvals */
};

struct eval_options {
	struct eval_io io;
	uint32_t group[3], groups[3];  /* workgroup id and count */
	uint32_t invocations;          /* of this workgroup; 0: product of fn->workgroup, or 1 */
	uint64_t max_steps;            /* instructions times lanes; 0: 1 << 30 */
	uint64_t undef;                /* what is undefined reads as; 0: as 0, and lanes are read whatever they do */
	uint64_t helpers;              /* lanes of each wave that only help from the start: the system value says so to the end */
	bool in_order;                 /* turns do not count: what depends on it depends on where lanes meet */
	struct arena *arena;           /* all memory; must have room (or an oom target) */
};

enum eval_result { EVAL_OK, EVAL_STEPS, EVAL_REFUSED, EVAL_STUCK };

/* `why` (may be NULL) gets a one-line reason when not EVAL_OK. The function must pass ir_verify. */
enum eval_result eval_run(const struct ir_fn *, const struct eval_options *, const char **why);

/* Width-bit atomic on a value: the new value. */
uint64_t eval_atomic(enum ir_atomic, unsigned width, bool is_float, uint64_t old, uint64_t value, uint64_t replace);

#endif
