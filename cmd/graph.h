/* graph.h - a program's control flow as a picture: blocks with their text, edges between them, a layered layout, SVG.
 *
 * Everything is bounded, whoever made the program: blocks and lines by struct graph_limits, bends of edges by GRAPH_BENDS. What is
 * left out is said in the picture. Same program, same bytes.
 */
#ifndef XL_CMD_GRAPH_H
#define XL_CMD_GRAPH_H

#include "cmd.h"

struct graph_limits { unsigned blocks, lines; /* a block's */ unsigned columns; /* a line's characters */ };
#define GRAPH_LIMITS ((struct graph_limits){ 400, 40, 96 })
enum { GRAPH_BENDS = 40000, GRAPH_EDGES = 20000 };
enum { GRAPH_LINE = 16, GRAPH_PAD = 8, GRAPH_MARGIN = 24 }; /* pixels: a line of text; inside a block; around the picture */

enum graph_kind { /* of an edge: names are CSS classes */
#define GRAPH_KINDS(K) K(NEXT, "next") K(JUMP, "jump") K(TAKEN, "taken") K(OTHER, "other") K(CASE, "case") K(CALL, "call")
#define K(id, name) GRAPH_##id,
	GRAPH_KINDS(K)
#undef K
};

struct graph_node {
	size_t title, line;              /* in `text`; nline strings from `line` on */
	uint32_t nline, hidden;          /* lines there and left out */
	bool odd;                        /* no block of the program: a target outside, bytes that are no instruction */
	/* layout: pixels */
	uint32_t layer, rank;
	int x, y, w, h;
};
struct graph_edge {
	uint32_t from, to;
	uint8_t kind;
	size_t label;                    /* in `text`; 0: none */
	/* layout */
	bool back;                       /* closes a loop: drawn upwards */
	uint32_t bend, nbend;            /* in `bend`, downwards */
	bool cut;                        /* too long for what is left of GRAPH_BENDS: named at both ends, not drawn */
	int out, in;                     /* x where it leaves and arrives */
};
struct graph_bend { uint32_t layer, rank; int x; };

struct graph {
	struct graph_limits limits;
	char *text;
	size_t ntext, text_cap;
	struct graph_node *node;
	uint32_t nnode, left_out;        /* left_out: blocks not drawn */
	uint32_t outside;                /* nodes that are targets outside of the program */
	uint32_t entry;
	size_t node_cap;
	struct graph_edge *edge;
	uint32_t nedge;
	size_t edge_cap;
	bool full;                       /* edges were left out */
	struct graph_bend *bend;
	uint32_t nbend;
	int *layer_y, *layer_h;
	uint32_t nlayer;
	int width, height;
	bool bad;                        /* out of memory */
};

void graph_init(struct graph *, struct graph_limits);
void graph_free(struct graph *);
/* `title` and text are escaped when drawn. Lines and edges past the limits are counted only. */
void graph_node(struct graph *, const char *title);
void graph_line(struct graph *, const char *text);  /* of the newest node */
void graph_edge(struct graph *, uint32_t from, uint32_t to, enum graph_kind, const char *label);

/* Of guest code, followed from the program's entry. */
void graph_of_code(struct graph *, const struct xl_program_info *);
/* Of a function's text (xlate-ir(5)). */
void graph_of_ir(struct graph *, const char *text);

void graph_layout(struct graph *);
/* `alone`: a file by itself, with style; else for a page that has graph.css. False: out of memory. */
bool graph_svg(struct graph *, FILE *, const char *title, bool alone);

#endif
