/* proof.h - proofs about a lane whose mask bits are 0. */
#ifndef XL_PROOF_H
#define XL_PROOF_H

#include "pass.h"

enum { PROOF_ASSUMES = 32 };

struct proof {
	struct ir_fn *fn;
	ir_id no, yes;
	ir_id *memo;                  /* per value: what it is under the assumptions, valid when stamp == epoch */
	uint32_t *stamp, *opaque;     /* opaque: round in which a phi was found to have no single value */
	uint8_t *open;                /* per phi: under way; 2: its value so far was taken */
	uint32_t *over;               /* per loop header: epoch in which a value of its last turn is assumed */
	uint32_t epoch, round;
	uint32_t floor;               /* what is assumed says nothing of values in blocks before this place of the order */
	ir_id *early;                 /* per value in front of `floor`: what it is, valid when early_stamp == early_epoch: as long as */
	uint32_t *early_stamp, early_epoch, early_loop; /* branches are in the same loop, and the helper bit is assumed or not */
	bool helps, early_helps, cut; /* the helper bit is assumed; a value was not followed to its end */
	uint32_t guesses;             /* values under way that may be met again */
	ir_id assume[PROOF_ASSUMES];
	unsigned nassume, nimply;
	struct { ir_id a, b; } imply[PROOF_ASSUMES]; /* a implies b: !b & a is assumed to be false */
	ir_id *compare, *next;        /* first compare whose smaller operand a value is; the next compare of the same */
	uint32_t *kept, exit;         /* per value: number of the loop exit behind which it was found to stay as it is */
	bool again;                   /* a guess failed: ask again */
	uint32_t *stack, *ipdom;
	uint8_t *mark[2], *seen;
	uint8_t *demotes, *demote_marks; /* blocks that discard the lane whatever happens; NULL: not allowed */
	bool in_step;                 /* a workgroup of one wave */
	bool walks;                   /* regions that need all lanes may have them: cross-lane ops are no obstacle */
	bool together;                /* found: something that all lanes must reach, in the region looked at */
	bool loop;                    /* found: the question ends a loop, or guards one; somebody must ask it */
	uint64_t *region;             /* found: bit set of blocks that a lane with a clear bit would miss */
	uint32_t branch;              /* the block whose branch is looked at */
	uint8_t *walk, *only;                /* blocks of the walk that is looked at: its phis have no other operands. NULL: not known */
	ir_id helper;                 /* fragment programs: is this lane one that only helps its quad? 0: the program does not ask */
	uint8_t *quad_after;          /* per block: something that a whole quad must reach comes behind it. NULL: no quads */
	uint32_t where;               /* guest address of what spoiled the proof */
};

/* walks: all lanes may walk a region that needs them. Asks for loops and dominators; `p` lives as long as the scratch arena. */
void proof_init(struct proof *p, struct pass_ctx *ctx, bool walks);
bool proof_in_loop(const struct proof *p, uint32_t b, uint32_t header);
void proof_start(struct proof *p);
void proof_assume(struct proof *p, ir_id mask);        /* mask (b1) is false in this lane */
void proof_assume_live(struct proof *p);               /* this lane does not only help its quad */
ir_id proof_value(struct proof *p, ir_id v);           /* the value of v then; v itself when nothing is known */
/* May the branch that ends block b, on any(mask) or its negation, ask this lane alone? Otherwise *why (static text) and p->where
 * say what stands against it. */
bool prove_branch(struct proof *p, uint32_t b, ir_id mask, bool negated, const char **why);
bool proof_quiet(struct proof *p, uint32_t block, const char **why);
/* Mark the blocks that lie behind block `from` without entering `stop`: on every way, or on those that this lane may take under the
 * assumptions. False when `avoid` is among them. */
enum proof_ways { WAYS_ALL, WAYS_ASSUMED };
bool proof_reach(struct proof *p, enum proof_ways ways, uint32_t from, uint32_t stop, uint32_t avoid, uint8_t *mark);
/* Every walk from block `from` through blocks of `mark` meets a block of p->demotes, before it ends or leaves them. */
bool proof_demotes(struct proof *p, uint32_t from, const uint8_t *mark);
/* lanes_quad.c: whole quads that nothing needs: true when the function changed. */
bool lanes_quad_drop(struct proof *p, struct arena *a);
void lanes_quad_find(struct proof *p, struct arena *a);

#endif
