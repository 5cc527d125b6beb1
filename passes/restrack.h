/* restrack.h - shared by the parts of resource tracking: origins (restrack_from.c), the steps (restrack.c), handles
 * (restrack_res.c, restrack_index.c), accesses (restrack_use.c), values (restrack_val.c, restrack_desc.c), pointers that meet
 * (restrack_ptr.c). */
#ifndef XL_RESTRACK_H
#define XL_RESTRACK_H

#include "pass.h"
#include "some.h"

enum { TRACK_TERMS = 6 };

/* Where a word or an address comes from: table + off + terms, or byte off + terms of a buffer. */
struct origin {
	uint16_t table;
	uint32_t res;      /* 0: in `table`; else resource index + 1: the bytes of that buffer */
	ir_id index;       /* dynamic array element of res, or 0 */
	uint32_t off;
	unsigned nterm;
	ir_id term[TRACK_TERMS]; /* i32 values, summed */
};

struct track {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	const struct facts *facts;
	struct arena *scratch;
	ir_id *seen;             /* the instructions that this pass is about, in block order */
	uint32_t nseen;
	ir_id *map;              /* pending replacements; NULL: none */
	bool zero_based;         /* some index counts from 0 */
	bool lane_pointers;      /* some lane computes an address of its own */
	bool refused;
	uint32_t *memo;          /* per value: what is known of its origin (loads: of their address) */
	uint32_t nmemo;
	/* restrack_desc.c: per value: bits that its uses look at, whether one asks for 0, its elements; NULL until
	 * asked. */
	struct track_used { uint32_t bits; bool null; ir_id first, next; } *used;
	ir_id nused;             /* uses by instructions from here on are not in it yet */
	struct origin *origin;   /* those that are known */
	uint32_t norigin;
	size_t origin_cap;
	struct fact_entry *made; /* restrack_table.c: what tables that are only memory hold, by place; `table` says which one */
	uint32_t nmade;
	/* Tables of `facts` from number `ntable` on are what pointers in tables that are only memory lead to: which table, at which byte,
	 * how many bytes of it were read. More are found while descriptors are looked for. */
	struct track_behind { uint32_t table, off, size; ir_id where; } *behind;
	uint32_t ntable;
	bool looking;
	struct some some;        /* of masks of first lanes (restrack_index.c) */
	uint8_t *host;           /* restrack_host.c: per value */
	struct { ir_id from, to; } split[16]; /* first lane's sums, and the first lane's part that varies */
	unsigned nsplit;
};
enum { MEMO_UNKNOWN, MEMO_NONE, MEMO_FIRST /* + index of the origin */ };

/* What gather_seen found, in block order. What has been removed since is an IR_nop; nothing of the kind is made on the way. */
#define track_for_seen(t, id) for (ir_id id##_k = 0, id; id##_k < (t)->nseen && ((id = (t)->seen[id##_k]), 1); id##_k++)

bool track_word(struct track *t, ir_id v, struct origin *o);
bool track_address(struct track *t, ir_id v, struct origin *o);
/* The memo of `v`, which must be one of its ids. track_known: false when it has no origin or is being traced. */
bool track_known(const struct track *t, ir_id v, struct origin *o);
void track_know(struct track *t, ir_id v, const struct origin *o);
bool track_same(const struct origin *a, const struct origin *b, uint32_t delta);
const struct fact_entry *track_entry(struct track *t, const struct origin *o);
ir_id track_dynamic(struct track *t, const struct origin *o, ir_id where);
/* New instructions go before `where`. */
void track_at(struct track *t, ir_id where);
/* Who reads `from` reads `to`: at once when `to` is the newest instruction and stands before `from`, which then becomes it, else
 * with the next track_apply. */
void track_replace(struct track *t, ir_id from, ir_id to);
/* Everything of an instruction but its place. */
void track_copy(struct ir_fn *, ir_id to, ir_id from);
void track_apply(struct track *t);
/* Where `used` is there: an instruction looks at its operands. To be told of what became another; what is new is
 * found. */
void track_note_uses(struct track *t, ir_id id);

bool track_address_in(struct track *t, ir_id v, struct origin *o, unsigned depth);

/* restrack_index.c: forms of offsets */
/* A register that holds the same word whichever way one came, if anything: phis of undefined words, of each other and of one
 * root or constant, which is that one. `v` itself where it is something else. */
ir_id track_through_phis(struct track *t, ir_id v);
/* The first lane's `x + c` is the first lane's x, plus c. Each time the same value, since origins are compared; `v` itself where
 * it is no such sum. */
ir_id track_first(struct track *t, ir_id v, uint32_t *c);
/* term / stride before `where`, or 0: the term must be a multiple by its form. */
ir_id track_divide(struct track *t, ir_id term, uint32_t stride, ir_id where);

/* The number that `term` is a multiple of by shifts, products and sums, and what it is so often. */
ir_id track_multiple(struct track *t, ir_id term, uint32_t *factor);
/* Low bits of `v` that are zero by its form. */
unsigned track_zero_bits(struct track *t, ir_id v);

/* fact_entry.at of what is made: the place varies; in steps of the guest's own size, which its form does not say. */
enum { MADE_VARIES = 1, MADE_TAKEN = 2 };
/* restrack_table.c: tables that are only memory. track_tables makes entries for what the program takes from them, track_made finds
 * one, track_made_path says where it was found; NULL: none, or not made. False, with a diagnostic: two kinds at one place. */
bool track_tables(struct track *t);
/* The table that a pointer of `size` bytes at origin `w` leads to, where that is in a table that is only memory, into `o`. */
bool track_behind(struct track *t, const struct origin *w, uint32_t size, ir_id where, struct origin *o);
const struct fact_entry *track_made(const struct track *t, const struct origin *o);
const char *track_made_path(const struct track *t, const struct fact_entry *e);

/* restrack_ptr.c: a phi, select or sum of pointers into one buffer */
bool track_pointer(struct track *t, ir_id v, struct origin *o, unsigned depth);

/* restrack_host.c: an address that the program was given as data, by push constants or in a buffer: the host's own */
bool track_host_address(struct track *t, ir_id v);

/* pointers.c: before anything is tracked, where lanes compute addresses of their own. False: nothing was done. */
bool pointers_run(struct pass_ctx *);

/* restrack_res.c */
ir_id track_hbuf(struct track *t, ir_id id);
ir_id track_himg(struct track *t, ir_id id);
ir_id track_hsmp(struct track *t, ir_id id);
ir_id track_htex(struct track *t, ir_id id);
void track_gather(struct track *t, ir_id id); /* a gather whose sampler is not quite the descriptor */
/* A load of the map of samples of a multisampled image (facts.h): what it reads where every sample is in its own place, for the host
 * finds them itself; or 0. */
ir_id track_sample_map(struct track *t, ir_id id);
/* A `bind` of resource `res` at element `index` (0: none) before `where`. */
ir_id track_bind(struct track *t, uint32_t res, ir_id index, ir_id where);
/* `w` is the first word of an address that a table holds: the buffer it points to, into `o` (off and terms are zero). */
bool track_buffer_address(struct track *t, const struct origin *w, struct origin *o);
uint32_t track_resource(struct track *t, const struct fact_entry *e);
/* Descriptor element of entry `e` that starts at origin `o`: constant part in *elem, dynamic part (scaled) in *index. */
bool track_element(struct track *t, const struct fact_entry *e, const struct origin *o, uint32_t within, uint32_t *elem,
                   ir_id *index, ir_id where);

/* restrack_desc.c: descriptors read as numbers */
/* The word of a buffer descriptor that says how large it is: bytes, or texels where it has a format. 0: no buffer. */
ir_id track_buffer_size(struct track *t, ir_id where, const struct fact_entry *e, uint32_t element);
/* The words of an image descriptor that load `id`, of origin `o`, brought and something still looks at. */
void track_image_words(struct track *t, ir_id id, const struct origin *o);

/* restrack_val.c */
ir_id track_push(struct track *t, ir_id where, ir_type type, uint32_t off, ir_id dyn);
void track_values(struct track *t);
void track_elements(struct track *t);

/* restrack_use.c: an access of a buffer or an image whose handle is known or a vertex buffer's */
void track_access(struct track *t, ir_id id);

#endif
