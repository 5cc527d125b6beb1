/* fold.h - what the files of the `fold` pass share. See fold.c for the pass. */
#ifndef XL_FOLD_H
#define XL_FOLD_H

#include "pass.h"

#include <string.h>

struct fold_memo {
	uint32_t under; /* condition * 2 + its value */
	ir_id is;
};

/* One entry of the value-numbering table: entries of a bucket are chained, newest first. */
struct fold_entry {
	ir_id id;
	uint32_t next;   /* entry index, 0 ends */
	uint32_t bucket;
};

struct fold {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	struct arena *scratch;
	bool changed;
	unsigned depth;            /* of nested fold_visit calls */
	uint32_t most;             /* values: past this many nothing is rebuilt under masks, for code made to grow */

	ir_id *rep;                /* id -> replacement, 0 none; `nrep` entries are valid */
	uint32_t nrep;
	size_t rep_cap;
	uint8_t *uses;             /* per id, saturating; dropped uses are not taken off, so this errs upwards */
	uint32_t nuses;
	size_t uses_cap;

	uint32_t *bucket;          /* heads of chains */
	uint32_t bucket_mask;
	struct fold_entry *entry;
	uint32_t nentry;
	size_t entry_cap;

	struct fold_memo *memo;    /* fold_mask.c: per id */
	size_t memo_cap;
	uint32_t nmemo;
};

/* fold.c */
ir_id fold_find(struct fold *, ir_id);
/* Fold one linked instruction whose operands are final; returns the value that stands for it (itself, or the instruction
 * is gone and another, or a constant). */
ir_id fold_visit(struct fold *, ir_id);
/* Make and fold an instruction in front of `before`. Flags are given, the address is that of `before`. */
ir_id fold_make(struct fold *, ir_id before, enum ir_op, ir_type, unsigned flags, unsigned nargs, const ir_id *args);
/* The same for a copy of `like` (op, type, flags, sub, imm) with other operands. */
ir_id fold_copy(struct fold *, ir_id before, ir_id like, const ir_id *args);
bool fold_once(const struct fold *, ir_id); /* used in one place only */
void fold_note_uses(struct fold *, ir_id);  /* the operands of an instruction that is new or was rewritten */
/* Bits that may be set in the value; all ones where nothing is known. */
uint64_t fold_maybe(struct fold *, ir_id, unsigned depth);
static inline uint64_t fold_mask(ir_type t)
{
	unsigned w = ir_bits(t);

	return w >= 64 ? ~0ull : (1ull << w) - 1;
}

/* fold_match.c */
/* 0: no rule fires. The id itself: rewritten in place, fold again. Else: its replacement. */
ir_id fold_rules_apply(struct fold *, ir_id);

/* fold_misc.c: what the rule language cannot say; same results as fold_rules_apply. */
ir_id fold_misc(struct fold *, ir_id);

/* fold_mask.c */
bool fold_under_mask(struct fold *, ir_id); /* true when an operand changed */
/* What is known of condition x when condition c has value `val`: 1 true, 0 false, -1 nothing. */
int fold_implies(const struct ir_fn *, ir_id c, bool val, ir_id x);

#endif
