/* proof.h - proofs about a lane whose mask bits are 0. */
#ifndef XL_PROOF_H
#define XL_PROOF_H

#include "pass.h"

enum { PROOF_ASSUMES = 32, PROOF_FACTS = 12, PROOF_DENY = 4 };
enum { PROOF_QUAD_NEEDED = 1 /* something that a whole quad must reach */, PROOF_QUAD_ASKED = 2 /* quadany */ };

struct proof_ways_kept {
	int8_t *way;                  /* per block: as `way` below, valid when stamp == epoch: as long as ... */
	uint32_t *stamp, epoch, loop; /* ... branches are in the same loop, and ... */
	ir_id fact[PROOF_FACTS];      /* ... the facts are the same, and the answers known elsewhere */
	unsigned nfact;
	uint32_t floor;               /* what is assumed besides says nothing of values in blocks before this place of the order */
};

/* A branch that makes no difference to lanes whose `mask` is false: they come to `join` as if they had stepped there,
 * whose phis are what they are over any way from the branch, or out of the region in front. mask 0: it is not known to
 * be one. */
struct proof_step {
	ir_id mask;
	uint32_t join;
	bool live, alone;       /* only to lanes that do not just help; all ways to `join` go through the branch */
	const uint64_t *region; /* the blocks that such lanes miss */
};

/* What a value was found to be, valid where the stamp is that of now. */
struct proof_known { uint32_t stamp; ir_id value; };

/* What is assumed, and what was found to follow from it. */
struct proof_state {
	struct proof_known *known;    /* per value: what it is under the assumptions, as of ... */
	uint32_t epoch, round;
	uint32_t *over;               /* per loop header: epoch in which a value of its last turn is assumed */
	uint32_t floor;               /* what is assumed says nothing of values in blocks before this place of the order */
	uint32_t true_ones;           /* a bit for each assumption that is true: the others are false */
	unsigned nassume, nimply;
	ir_id assume[PROOF_ASSUMES];
	struct { ir_id a, b; } imply[PROOF_ASSUMES]; /* a implies b: !b & a is assumed to be false */
	uint64_t *only;               /* blocks of the walk that is looked at: its phis have no other operands. NULL: not known */
	bool turn;                    /* the walk is that of a whole turn: `before` the branch, and `only`, behind it, from `taken` on */
	bool helps;                   /* the helper bit is assumed to be false */
};

struct proof {
	struct ir_fn *fn;
	struct arena *scratch;
	struct ir_users users;        /* found when they are needed, ... */
	uint32_t asked;               /* ... which they are where they are asked for often */
	ir_id no, yes;
	struct proof_state *is, *other, states[2]; /* other: put aside, see proof_swap() */
	uint32_t *opaque, rounds;     /* opaque: round in which a phi was found to have no single value */
	uint8_t *open;                /* per phi: under way; 2: its value so far was taken */
	struct proof_known *early;    /* per value in front of `floor`: what it is, as of early_epoch: as long as */
	uint32_t early_epoch, early_loop; /* branches are in the same loop, and the helper bit is said to be 0 or not */
	bool early_helps, cut;        /* cut: a value was not followed to its end */
	uint32_t guesses;             /* values under way that may be met again */
	ir_id *compare, *next;        /* first compare whose smaller operand a value is; the next compare of the same */
	uint32_t *kept, exit;         /* per value: number of the loop exit behind which it was found to stay as it is */
	bool again;                   /* a guess failed: ask again */
	uint32_t *stack;
	const uint32_t *ipdom;
	uint64_t *mark[2], *seen;     /* sets of blocks */
	uint64_t *inside;             /* blocks of the loop that is left */
	uint64_t *acts;               /* blocks with effects, or where a lane reads others */
	uint64_t *demotes, *demote_marks; /* blocks that discard the lane whatever happens; NULL: not allowed */
	bool in_step;                 /* a workgroup of one wave */
	bool walks;                   /* regions that need all lanes may have them: cross-lane ops are no obstacle */
	bool together;                /* found: something that all lanes must reach, in the region looked at */
	struct proof_step found;      /* what the branch was found to be, but for the region */
	struct proof_step *step;      /* per block: what its branch was found to be. NULL: no branch is known to be one */
	uint32_t *step_to;            /* per block: the branch that leads there, if that alone does, + 1 */
	bool loop;                    /* found: the question ends a loop, or guards one; somebody must ask it */
	uint64_t *region;             /* found: the blocks that a lane with a clear bit would miss */
	uint32_t branch;              /* the block whose branch is looked at */
	const bool *by_lane;          /* per `any`: the lane answers it for itself, as found before. NULL: none is known to */
	ir_id fact[PROOF_FACTS];      /* masks that are true in a lane that comes to the branch, given those answers */
	unsigned nfact, ndeny;
	ir_id deny[PROOF_DENY];       /* masks that are false in one whose bit is clear there */
	bool *always;                 /* per phi: it is true in every lane that comes there */
	uint64_t *walk;               /* blocks of the walk that is looked at */
	bool leads_back;              /* it comes to the branch again */
	bool closer;                  /* look at the turn around the branch, too: costs more */
	uint64_t *before;
	uint32_t ways_floor;          /* `floor` of what was assumed when it was found */
	uint32_t taken;
	int8_t *way;                  /* per block of the walk: the one way that leads out of it, or -1 */
	struct proof_ways_kept kept_ways;
	ir_id helper;                 /* fragment programs: is this lane one that only helps its quad? 0: the program does not ask */
	uint8_t *quads;               /* per block: PROOF_QUAD_*. NULL: no quads */
	uint8_t *quad_after;          /* per block: something that a whole quad must reach comes behind it. NULL: no quads */
	uint32_t where;               /* guest address of what spoiled the proof */
};

/* ---- sets of blocks: a bit each, proof_words(fn) words */
static inline uint32_t proof_words(const struct ir_fn *fn) { return (fn->nblock + 63) / 64; }
static inline bool proof_has(const uint64_t *set, uint32_t b) { return set[b / 64] >> b % 64 & 1; }
static inline void proof_add(uint64_t *set, uint32_t b) { set[b / 64] |= 1ull << b % 64; }
void proof_clear(const struct proof *p, uint64_t *set);
/* The first block from `b` on that is in the set, or IR_NO_BLOCK. */
uint32_t proof_next(const struct proof *p, const uint64_t *set, uint32_t b);
#define proof_for_blocks(p, set, b) for (uint32_t b = 0; (b = proof_next((p), (set), b)) != IR_NO_BLOCK; b++)

/* Block `first` and those that stand behind it in the order: a loop's blocks, and more, where it is the header. */
#define proof_for_behind(p, first, b) for (uint32_t b##_i = (p)->fn->block[first].rpo, b; \
	b##_i < (p)->fn->norder && ((b = (p)->fn->order[b##_i]), 1); b##_i++)

/* walks: all lanes may walk a region that needs them. Asks for loops and dominators; `p` lives as long as the scratch arena. */
void proof_init(struct proof *p, struct pass_ctx *ctx, bool walks);
bool proof_in_loop(const struct proof *p, uint32_t b, uint32_t header);
void proof_start(struct proof *p);
void proof_swap(struct proof *p); /* puts what is assumed aside, and takes back what was put aside before: first of all nothing */
void proof_assume(struct proof *p, ir_id mask);        /* mask (b1) is false in this lane */
void proof_assume_true(struct proof *p, ir_id mask);   /* it is true; to be said before what is false */
void proof_assume_live(struct proof *p);               /* this lane does not only help its quad */
ir_id proof_value(struct proof *p, ir_id v);           /* the value of v then; v itself when nothing is known */
/* May the branch that ends block b, on any(mask) or its negation, ask this lane alone? Otherwise *why (static text) and p->where
 * say what stands against it. */
bool prove_branch(struct proof *p, uint32_t b, ir_id mask, bool negated, const char **why);
bool proof_quiet(struct proof *p, uint32_t block, const char **why);
/* Other proofs step over the branch of block b, of which p->found and p->region were found. */
void proof_step_add(struct proof *p, uint32_t b);
/* What was found of the branch of block b, where that can be of use: in the same turn of the same loops. NULL:
 * nothing. */
const struct proof_step *proof_step_at(const struct proof *p, uint32_t b);
/* The one way (number of a successor) that block b is left under the assumptions, or -1. */
int proof_way(struct proof *p, uint32_t block);
/* Is v undefined, so that whatever the lane gets is right? Not where a compute program's wave may have given it a value. */
static inline bool proof_undef(const struct proof *p, ir_id v) { return p->fn->inst[v].op == IR_undef && p->fn->stage != STAGE_COMPUTE; }
/* Mark the blocks that lie behind block `from` without entering `stop`: on every way, or on those that this lane may take under the
 * assumptions; or without what is stepped over, which goes to p->region. False when `avoid` is among them. */
enum proof_ways { WAYS_ALL, WAYS_ASSUMED, WAYS_STEPS, WAYS_ASSUMED_STEPS = WAYS_ASSUMED | WAYS_STEPS };
bool proof_reach(struct proof *p, enum proof_ways ways, uint32_t from, uint32_t stop, uint32_t avoid, uint64_t *mark);
/* May this lane come from block `from` to block `to` in the walk that is looked at? */
bool proof_walked(const struct proof *p, uint32_t from, uint32_t to);
/* The mask that is true in a lane that comes from block `from` to block `to`, because each lane answers there for itself; or 0. */
ir_id proof_edge_mask(const struct proof *p, uint32_t from, uint32_t to);
bool proof_edge_true(const struct proof *p, uint32_t from, uint32_t to, ir_id v); /* v is that mask, or part of it */
/* Every walk from block `from` through blocks of `mark` meets a block of p->demotes, before it ends or leaves them. */
bool proof_demotes(struct proof *p, uint32_t from, const uint64_t *mark);
/* lanes_quad.c: whole quads that nothing needs are gone: the last of them, or NULL; per id, is it made of them? As they
 * were. */
struct quad_dropped *lanes_quad_drop(struct proof *p, struct arena *a);
bool *lanes_quad_told(struct ir_fn *fn, const struct quad_dropped *last, struct arena *a);
void lanes_quad_restore(struct ir_fn *fn, const struct quad_dropped *last);
unsigned lanes_quad_use(const struct ir_inst *i); /* PROOF_QUAD_* */
void lanes_quad_find(struct proof *p); /* fills p->quad_after */
/* lanes_alone.c: a vertex program's questions answered as in a wave of one lane: true when there were any, and all have answers. */
bool lanes_alone_run(struct pass_ctx *ctx);
/* lanes.c: questions of ctx->asks that the map, which was applied, has an answer to are gone. */
void lanes_answered(struct pass_ctx *ctx, const ir_id *map);
/* lanes_elect.c: what one elected lane does for all becomes what each does for itself: true when there was such. */
bool lanes_elect_run(struct pass_ctx *ctx);
/* lanes_reduce.c: v is what lanes of `mask` have of one value each, put together by a loop as the atomic operation would do it, and
 * for that alone: the value, and the loop's one block. 0: it is not. */
ir_id lanes_reduced(struct ir_fn *fn, const struct ir_users *users, ir_id atomic, ir_id v, ir_id mask, uint32_t *block);

#endif
