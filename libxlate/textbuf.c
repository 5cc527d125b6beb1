/* textbuf.c - see textbuf.h. */
#include "textbuf.h"

#include "../ir/arena.h"

#include <stdarg.h>
#include <string.h>

void textbuf_init(struct textbuf *t, char *into, size_t cap)
{
	*t = (struct textbuf){ .at = into, .left = cap, .start = into };
	*into = 0;
}

void textbuf_grow(struct textbuf *t, struct arena *a)
{
	size_t cap = 1024;
	char *into = arena_raw(a, cap);

	textbuf_init(t, into ? into : t->none, into ? cap : 1);
	t->arena = into ? a : NULL;
}

/* Makes room for n bytes: returns n, or how many fit if there is less. */
static size_t room(struct textbuf *t, size_t n)
{
	size_t used = (size_t)(t->at - t->start), cap = used + t->left;
	char *grown;

	grown = t->arena ? arena_grow_raw(t->arena, t->start, used + 1, &cap, used + n + 1, 1) : NULL;
	if (!grown)
		return t->left - 1;
	t->start = grown;
	t->at = grown + used;
	t->left = cap - used;
	return n;
}

void textbuf_more(struct textbuf *t, const char *s, size_t n)
{
	n = room(t, n);
	memcpy(t->at, s, n);
	t->at += n;
	t->left -= n;
	*t->at = 0;
}

void textbuf_number(struct textbuf *t, unsigned long long v, unsigned base)
{
	char digit[20], *p = digit + sizeof digit;

	if (v < 10 && t->left > 1) { /* most numbers */
		*t->at++ = (char)('0' + v);
		*t->at = 0;
		t->left--;
		return;
	}
	if (base == 16)
		do
			*--p = "0123456789abcdef"[v & 15];
		while (v >>= 4);
	else
		do
			*--p = (char)('0' + v % 10);
		while (v /= 10);
	textbuf_putn(t, p, (size_t)(digit + sizeof digit - p));
}

static void integer(struct textbuf *t, char form, unsigned longs, va_list *ap)
{
	unsigned long long v;

	if (form == 'd') {
		long long s = longs > 1 ? va_arg(*ap, long long) : longs ? va_arg(*ap, long) : va_arg(*ap, int);

		if (s < 0)
			textbuf_putn(t, "-", 1);
		v = s < 0 ? 0 - (unsigned long long)s : (unsigned long long)s;
	} else {
		v = longs > 1 ? va_arg(*ap, unsigned long long) : longs ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned);
	}
	textbuf_number(t, v, form == 'x' ? 16 : 10);
}

void textbuf_form(struct textbuf *t, const char *form, ...)
{
	va_list ap;

	va_start(ap, form);
	for (const char *mark; (mark = strchr(form, '%')) != NULL; form++) {
		unsigned longs = 0;

		if (mark != form)
			textbuf_putn(t, form, (size_t)(mark - form));
		for (form = mark + 1; *form == 'l'; form++)
			longs++;
		if (*form == 's') {
			textbuf_put(t, va_arg(ap, const char *));
		} else if (*form == 'c') {
			char c = (char)va_arg(ap, int);

			textbuf_putn(t, &c, 1);
		} else {
			integer(t, *form, longs, &ap);
		}
	}
	textbuf_put(t, form);
	va_end(ap);
}
