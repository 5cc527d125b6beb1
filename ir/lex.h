/* lex.h - cursor over IR text, errors with line and column. Private to the parser. */
#ifndef XL_LEX_H
#define XL_LEX_H

#include "text.h"

struct slice {
	const char *s;
	size_t n;
};

struct lex {
	const char *at, *line_start;
	uint32_t line;
	struct arena *arena;
	jmp_buf *fail;      /* where an error goes, after `error` was set */
	const char *error;
};

/* Everything below skips blanks and comments first, never line ends (lex_eol takes those). */
_Noreturn void lex_fail(struct lex *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool lex_char(struct lex *, char c);               /* takes `c` when it is next */
void lex_need(struct lex *, char c);
bool lex_end(struct lex *);                        /* at the end of a line or of the text? */
void lex_eol(struct lex *);                        /* the line must end here; goes to the next one with content */
bool lex_word(struct lex *, struct slice *);       /* letters, digits, _ and . */
struct slice lex_need_word(struct lex *, const char *what);
bool lex_is(struct slice, const char *text);
bool lex_keyword(struct lex *, const char *text);  /* takes the word when it is next */
bool lex_parse_u64(struct slice, uint64_t *);      /* decimal or 0x, whole slice */
uint64_t lex_number(struct lex *, const char *what, uint64_t max);
int64_t lex_signed(struct lex *, const char *what);
char *lex_string(struct lex *);                    /* quoted, or a bare word; arena copy */

/* Names to numbers: open addressing over slices. Memory follows the entries. */
struct names {
	struct name { struct slice key; uint32_t value; } *slot;
	uint32_t count;
	size_t cap;
};
uint32_t *names_find(const struct names *, struct slice);
bool names_add(struct arena *, struct names *, struct slice, uint32_t value); /* false: exists */

#endif
