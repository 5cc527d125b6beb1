/* textbuf.h - building text. What printf does, without its cost: a line of disassembly takes a dozen calls. */
#ifndef XL_TEXTBUF_H
#define XL_TEXTBUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

struct textbuf {
	char *at;
	size_t left;         /* bytes left, the terminating 0 among them; never 0 */
	char *start;
	struct arena *arena; /* where the text grows, or NULL: what does not fit is cut off */
	char none[1];
};

/* `into` of cap > 0 bytes becomes "". */
void textbuf_init(struct textbuf *, char *into, size_t cap);
/* Text that grows; t->start is the string. An arena that gives NULL cuts it off. */
void textbuf_grow(struct textbuf *, struct arena *);
void textbuf_more(struct textbuf *, const char *s, size_t n); /* textbuf_putn where there is no room at hand: makes some, or cuts off */
static inline void textbuf_putn(struct textbuf *t, const char *s, size_t n)
{
	if (n >= t->left) {
		textbuf_more(t, s, n);
		return;
	}
	memcpy(t->at, s, n); /* of a literal: a few stores */
	t->at += n;
	t->left -= n;
	*t->at = 0;
}
/* Inline, so that a literal costs no call. */
static inline void textbuf_put(struct textbuf *t, const char *s)
{
	textbuf_putn(t, s, strlen(s));
}
/* A text of a table, {TEXTBUF_SHORT("x")}: put as a whole, without a look at how long it is. */
struct textbuf_short { char text[23]; uint8_t len; };
#define TEXTBUF_SHORT(s) s, sizeof s - 1
static inline void textbuf_put_short(struct textbuf *t, const struct textbuf_short *s)
{
	if (sizeof s->text >= t->left) {
		textbuf_putn(t, s->text, s->len);
		return;
	}
	memcpy(t->at, s->text, sizeof s->text);
	t->at += s->len;
	t->left -= s->len;
	*t->at = 0;
}
void textbuf_number(struct textbuf *, unsigned long long v, unsigned base); /* base 10 or 16 */
/* A literal and a digit, which most numbers are, with one look at the room. */
static inline void textbuf_put_number(struct textbuf *t, const char *s, uint32_t v)
{
	size_t n = strlen(s);

	if ((v > 9) | (n + 1 >= t->left)) {
		textbuf_putn(t, s, n);
		textbuf_number(t, v, 10);
		return;
	}
	memcpy(t->at, s, n);
	t->at[n] = (char)('0' + v);
	t->at += n + 1;
	t->left -= n + 1;
	*t->at = 0;
}
/* Of printf's forms only %s, %c, %u, %d, %x and the last three with l or ll; no widths, no flags. */
void textbuf_form(struct textbuf *, const char *form, ...) __attribute__((format(printf, 2, 3)));

#endif
