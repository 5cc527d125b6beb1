/* isa_text.c - see isa_text.h. */
#include "isa_text.h"

#include <stdarg.h>
#include <string.h>

void isa_text_init(struct isa_text *t, char *text, size_t cap)
{
	t->at = text;
	t->left = cap;
	*text = 0;
}

void isa_text_putn(struct isa_text *t, const char *s, size_t n)
{
	if (n >= t->left)
		n = t->left - 1;
	memcpy(t->at, s, n);
	t->at += n;
	t->left -= n;
	*t->at = 0;
}

void isa_text_put(struct isa_text *t, const char *s)
{
	isa_text_putn(t, s, strlen(s));
}

static void number(struct isa_text *t, unsigned long long v, unsigned base)
{
	char digit[20], *p = digit + sizeof digit;

	if (base == 16)
		do
			*--p = "0123456789abcdef"[v & 15];
		while (v >>= 4);
	else
		do
			*--p = (char)('0' + v % 10);
		while (v /= 10);
	isa_text_putn(t, p, (size_t)(digit + sizeof digit - p));
}

static void integer(struct isa_text *t, char form, unsigned longs, va_list *ap)
{
	unsigned long long v;

	if (form == 'd') {
		long long s = longs > 1 ? va_arg(*ap, long long) : longs ? va_arg(*ap, long) : va_arg(*ap, int);

		if (s < 0)
			isa_text_putn(t, "-", 1);
		v = s < 0 ? 0 - (unsigned long long)s : (unsigned long long)s;
	} else {
		v = longs > 1 ? va_arg(*ap, unsigned long long) : longs ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned);
	}
	number(t, v, form == 'x' ? 16 : 10);
}

void isa_text_form(struct isa_text *t, const char *form, ...)
{
	va_list ap;

	va_start(ap, form);
	while (*form) {
		const char *start = form;
		unsigned longs = 0;

		while (*form && *form != '%')
			form++;
		if (form != start)
			isa_text_putn(t, start, (size_t)(form - start));
		if (!*form)
			break;
		for (form++; *form == 'l'; form++)
			longs++;
		if (*form == 's') {
			isa_text_put(t, va_arg(ap, const char *));
		} else if (*form == 'c') {
			char c = (char)va_arg(ap, int);

			isa_text_putn(t, &c, 1);
		} else {
			integer(t, *form, longs, &ap);
		}
		form++;
	}
	va_end(ap);
}
