/* xlp_code.h - the symbols of a packed module (xlp_spirv.h): what both directions know while they go through it. */
#ifndef XL_XLP_CODE_H
#define XL_XLP_CODE_H

#include "xlp_spirv.h"

enum { CODE_MOST_RECENT = 256 /* bounds the time that a hostile module takes */ };

/* What is known of an id: its kind, and the how-manieth of its kind it is. */
#define CODE_GLOBAL 0u
#define CODE_LOCAL (1u << 30)
#define CODE_LABEL (2u << 30)
#define CODE_KIND (3u << 30)
#define CODE_UNKNOWN UINT32_MAX

struct xlp_code_list { uint32_t v[CODE_MOST_RECENT], n; }; /* latest first */

struct xlp_code {
	bool packing, bad, body;       /* body: in functions */
	struct buf *out;               /* packing: streams */
	struct scan in[XLP_STREAMS];   /* unpacking */
	const struct xlp_rows *rows;
	const uint32_t *from;          /* packing: the module */
	uint32_t *w;                   /* unpacking: the module */
	size_t n;
	uint32_t bound;
	uint32_t *of;                  /* packing: by id, what is known of it */
	uint32_t *global, *local, *label; /* by number within the kind: ids; a global's 0: one of those that take what is left */
	uint32_t nglobal, nlocal, nlabel;
	uint32_t next;                 /* globals are mostly made when they are first used: the first that was not used yet */
	uint32_t used;                 /* how many were used for the first time by this instruction */
	uint32_t near[2];              /* last number of a 'd': global, local */
	uint32_t last_local, last_label;
	struct xlp_code_list types, recent;
	uint32_t last_type[CODE_ROWS];
};

/* Each is given a word and tells it when packing; else it is told, and gives it. `bad` is set when there is none, or when an id
 * is not what it should be. */
static inline uint32_t xlp_code_sym(struct xlp_code *c, enum xlp_stream s, uint32_t v)
{
	if (c->packing) {
		buf_var(&c->out[s], v);
		return 0;
	}
	v = scan_var(&c->in[s]);
	c->bad |= c->in[s].bad; /* it ends, or is too long */
	return v;
}
uint32_t xlp_code_near(struct xlp_code *, enum xlp_stream, uint32_t expected, uint32_t); /* as the distance */
/* Ids become what is known of them. */
uint32_t xlp_code_type(struct xlp_code *, unsigned row, uint32_t id);
uint32_t xlp_code_operand(struct xlp_code *, uint32_t id);
uint32_t xlp_code_neighbour(struct xlp_code *, uint32_t id);
uint32_t xlp_code_label(struct xlp_code *, uint32_t id);
uint32_t xlp_code_constant(struct xlp_code *, uint32_t);

#endif
