/* eval_wave.h - the evaluator's state. Private to ir/. */
#ifndef XL_EVAL_WAVE_H
#define XL_EVAL_WAVE_H

#include "eval.h"

enum { EVAL_MAX_WAVE = 64, EVAL_MAX_ARGS = 24 };

struct eval_loop {
	uint32_t head, size; /* scheduling position; blocks */
	bool *has;           /* per scheduling position */
};

struct eval {
	const struct ir_fn *fn;
	const struct eval_options *o;
	uint32_t *at;        /* block -> scheduling position */
	uint32_t *block_at;  /* position -> block */
	uint32_t *slot;      /* value -> first word of lane 0, in words per lane set */
	struct eval_loop *loop; /* outer ones first */
	uint32_t nloop;
	size_t words;
	uint8_t *shared;
	uint32_t width;      /* lanes per wave */
	uint64_t steps;
	const char *why;
};

struct wave {
	struct eval *e;
	uint32_t base, lanes;             /* first invocation; lanes that exist */
	uint64_t *value;                  /* slot[id] + lane * elements */
	uint64_t *marker;                 /* marker * width + lane */
	uint64_t *phi_copy;               /* operands of a block's phis, for one lane */
	size_t phi_cap;
	uint8_t *scratch;                 /* per lane fn->scratch_bytes */
	uint32_t pos[EVAL_MAX_WAVE];      /* scheduling position of the lane's block; NONE when done */
	uint32_t *turn;                   /* lane * loops + loop: turns of it so far */
	uint32_t from[EVAL_MAX_WAVE];     /* pred index by which the block was entered */
	uint64_t demoted;                 /* lanes whose writes are dropped */
	uint64_t active;                  /* lanes that run the current block */
	ir_id next;                       /* where to go on; 0: choose a block */
	bool at_barrier;
};

/* eval_meet.c: which lanes go first. */
void eval_find_loops(struct eval *);
void eval_go(struct wave *, unsigned lane, uint32_t to); /* the lane goes to scheduling position `to` */
uint32_t eval_first(const struct wave *);                /* the position that runs next; UINT32_MAX: all are done */
uint64_t *eval_value(struct wave *, ir_id, unsigned lane);
void eval_undef(const struct wave *, ir_id, uint64_t *to); /* fills a value of the type of `id` */
/* Runs one instruction that is neither phi, terminator nor barrier, for the active lanes. */
bool eval_inst(struct wave *, ir_id);

#endif
