/* Names in IR text: blocks, types, markers, enums. */
#include "parse.h"

unsigned parse_name(struct parser *p, const struct text_name *list, const char *what)
{
	const char *at = p->l.at;
	struct slice w = lex_need_word(&p->l, what);
	uint64_t number;
	unsigned v;

	if (text_find(list, w.s, w.n, &v))
		return v;
	if (lex_parse_u64(w, &number) && number < 256)
		return (unsigned)number;
	p->l.at = at;
	lex_fail(&p->l, "unknown %s", what);
}

uint32_t parse_block(struct parser *p)
{
	const char *at = p->l.at;
	struct slice w = lex_need_word(&p->l, "a block");
	uint32_t *b = names_find(&p->labels, w);

	if (!b) {
		p->l.at = at;
		lex_fail(&p->l, "no such block");
	}
	return *b;
}

ir_type parse_type(struct parser *p)
{
	const char *at = p->l.at;
	struct slice w = lex_need_word(&p->l, "a type");
	ir_type t;

	if (!ir_type_parse(w.s, w.n, &t)) {
		p->l.at = at;
		lex_fail(&p->l, "unknown type");
	}
	return t;
}

uint32_t parse_marker_use(struct parser *p)
{
	lex_need(&p->l, '$');
	const char *at = p->l.at;
	struct slice w = lex_need_word(&p->l, "a marker");
	uint32_t *m = names_find(&p->markers, w);
	uint64_t n;

	if (m)
		return *m;
	if (!lex_parse_u64(w, &n) || n >= p->fn->nmarker) {
		p->l.at = at;
		lex_fail(&p->l, "no such marker");
	}
	return (uint32_t)n;
}
