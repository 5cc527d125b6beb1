/* parse.h - state shared by the parser's files. Private to ir/. */
#ifndef XL_PARSE_H
#define XL_PARSE_H

#include "lex.h"

struct phi_fix { /* a phi with labelled operands, put into pred order once all edges are known */
	ir_id phi;
	uint32_t *label;
	const char *at, *line_start;
	uint32_t line;
};

struct parser {
	struct lex l;
	struct ir_fn *fn;
	struct names values, labels, markers;
	ir_id *args;            /* operands of the current statement */
	uint32_t *arg_label;    /* phi: their labels */
	uint32_t nargs;
	size_t args_cap, label_cap;
	struct phi_fix *fix;
	uint32_t nfix;
	size_t fix_cap;
	uint32_t **preds;       /* per block: the order asked for by preds(), or NULL */
	uint32_t *npreds;
};

/* parse_names.c: names of things, errors placed on them */
unsigned parse_name(struct parser *, const struct text_name *list, const char *what);
uint32_t parse_block(struct parser *);
ir_type parse_type(struct parser *);
uint32_t parse_marker_use(struct parser *);
/* parse_header.c */
void parse_header(struct parser *);
/* parse_stmt.c: one instruction line, appended to `block` */
void parse_stmt(struct parser *, uint32_t block);

#endif
