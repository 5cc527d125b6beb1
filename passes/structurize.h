/* structurize.h - state shared by the structurizer's files. Private to them. */
#ifndef XL_STRUCTURIZE_H
#define XL_STRUCTURIZE_H

#include "pass.h"

#define SZ_NONE UINT32_MAX

struct sz_edge { uint32_t from, k; }; /* successor k of a block */

enum sz_kind { SZ_SELECTION, SZ_SWITCH, SZ_LOOP, SZ_CONTINUE };
struct sz_construct {
	enum sz_kind kind;
	uint32_t parent;          /* construct, or SZ_NONE */
	uint32_t header, merge;   /* merge: SZ_NONE when nothing goes there (an unreachable block is made in the end) */
	uint32_t cont;            /* loops */
	uint32_t loop, sw;        /* innermost loop or continue construct / switch inside of that loop, itself included */
	uint32_t round;           /* for which `loop` and `sw` hold */
	bool lift;
};

/* What is known of a block, besides ir_block. */
struct sz_block {
	uint32_t merge, cont;     /* of a loop header: its merge (SZ_NONE: no exit) and continue block */
	uint32_t head;            /* of a merge or continue block: its loop header, else SZ_NONE */
	uint32_t loop;            /* innermost loop's header, SZ_NONE outside: new blocks have theirs too */
	uint32_t from;            /* the only block that goes there but its own loop's ways back, SZ_NONE: several; of sz_tree */
	uint32_t parent, depth;   /* structural tree: the immediate dominator, but a loop's merge and continue blocks hang on its header */
	uint32_t in, out;         /* its preorder intervals */
	uint32_t child, sibling;  /* its children, in reverse postorder */
	uint32_t outer, own;      /* construct that holds it; innermost construct that it heads, else `outer` */
	uint32_t label;           /* selection or switch whose merge block it is */
	uint32_t slot, count;     /* scratch of sz_dispatch; zero between calls */
	ir_id value;              /* scratch: phi operand by predecessor */
};

struct sz {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	struct arena *a;          /* scratch */
	struct sz_block *b;
	size_t cap;
	uint32_t n;               /* blocks that b holds */
	uint32_t *idom, nidom;    /* of the graph as it came, for repair; blocks from nidom on are new */
	bool stale;               /* blocks or edges came since order and dominators were computed */
	bool crossed;             /* a block leads on to several targets by a state: definitions may not reach all uses */
	struct sz_construct *c;
	uint32_t nc;
	size_t c_cap;
};

/* structurize_edge.c */
void sz_adopt(struct sz *); /* takes note of blocks that ir_split made */
uint32_t sz_block_new(struct sz *, uint32_t loop);
/* A new block in front of the edges' target: the phis' operands are joined there. */
uint32_t sz_funnel(struct sz *, const struct sz_edge *, uint32_t n);
/* The same for several targets: a state phi says where to go on. Branches form a balanced tree, or a chain in the order in which
 * the targets first appear among the edges. `nodes` (may be NULL) gets the branching blocks, the returned one first. */
struct sz_list { uint32_t *v, n; size_t cap; };
uint32_t sz_dispatch(struct sz *, const struct sz_edge *, uint32_t n, bool chain, struct sz_list *nodes);
static inline void sz_push(struct sz *s, struct sz_list *l, uint32_t v)
{
	l->v = arena_grow_raw(s->a, l->v, l->n, &l->cap, l->n + (size_t)1, sizeof *l->v);
	l->v[l->n++] = v;
}
bool sz_tiny_exit(const struct sz *, uint32_t block); /* holds nothing but ret or unreachable */
uint32_t sz_clone_exit(struct sz *, struct sz_edge);  /* gives this edge its own copy of such a block */
void sz_clone_loop_exits(struct sz *);                /* and every edge out of a loop to one */

/* structurize_cond.c: one branch for conditions that only choose between the same two places */
void sz_conditions(struct sz *);
/* structurize_plain.c: declares the merges of branches that lie in each other as they stand. False: it is not that simple, and all is
 * as it was */
bool sz_plain(struct sz *);
/* structurize_irreducible.c: gives every cycle a single entry */
void sz_irreducible(struct sz *);
/* structurize_loop.c: one continue block, one merge block, one preheader edge per loop */
void sz_loops(struct sz *);
/* structurize_join.c: order, dominators, the structural tree; merge blocks for branches whose sides all go on to one label */
void sz_fresh(struct sz *); /* order and dominators, if stale */
void sz_tree(struct sz *);
/* Where the branches of a subtree go, outside of it: up to two targets, nearest to the root first. */
struct sz_leave { uint32_t t[2], at[2]; /* the depth of what t hangs on, UINT32_MAX where it is SZ_NONE */ };
struct sz_leaves { struct sz_leave *all, *labels; }; /* per block; labels: without merge and continue blocks of loops */
struct sz_leaves sz_joins(struct sz *); /* the tree and these stand afterwards, too */
static inline unsigned sz_leaves_above(const struct sz_leave *l, uint32_t depth) /* how many hang on a block of at most depth */
{
	return (l->at[0] <= depth) + (l->at[1] <= depth);
}
static inline bool sz_is_inline(const struct sz *s, uint32_t x, uint32_t t) /* reached from x alone, and no loop's merge or continue block? */
{
	return s->b[t].head == SZ_NONE && s->b[t].from == x;
}
unsigned sz_labels(const struct sz *, uint32_t x);            /* children of x that several blocks branch to */
/* structurize_scope.c: constructs */
void sz_scopes(struct sz *, struct sz_leaves);
uint32_t sz_construct_new(struct sz *, enum sz_kind, uint32_t parent, uint32_t header, uint32_t merge);
/* structurize_exit.c: makes every branch out of a construct one that SPIR-V allows. False: a branch that cannot be helped */
bool sz_exits(struct sz *);

#endif
