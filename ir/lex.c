#include "lex.h"

#include <stdarg.h>
#include <string.h>

_Noreturn void lex_fail(struct lex *l, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	while (*l->at == ' ' || *l->at == '\t')
		l->at++; /* point at the thing, not at the blank before it */
	l->error = arena_printf(l->arena, "%u:%u: %s", l->line, (unsigned)(l->at - l->line_start) + 1u, text);
	longjmp(*l->fail, 1);
}

static void skip(struct lex *l)
{
	while (*l->at == ' ' || *l->at == '\t' || *l->at == '\r')
		l->at++;
	if (*l->at == ';')
		while (*l->at && *l->at != '\n')
			l->at++;
}

bool lex_end(struct lex *l)
{
	skip(l);
	return !*l->at || *l->at == '\n';
}

void lex_eol(struct lex *l)
{
	if (!lex_end(l))
		lex_fail(l, "unexpected text at the end of the line");
	while (lex_end(l) && *l->at) {
		l->line_start = ++l->at;
		l->line++;
	}
}

bool lex_char(struct lex *l, char c)
{
	skip(l);
	if (*l->at != c)
		return false;
	l->at++;
	return true;
}

void lex_need(struct lex *l, char c)
{
	if (!lex_char(l, c))
		lex_fail(l, "expected '%c'", c);
}

static bool wordy(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool lex_word(struct lex *l, struct slice *out)
{
	skip(l);
	out->s = l->at;
	while (wordy(*l->at))
		l->at++;
	out->n = (size_t)(l->at - out->s);
	return out->n != 0;
}

struct slice lex_need_word(struct lex *l, const char *what)
{
	struct slice w;

	if (!lex_word(l, &w))
		lex_fail(l, "expected %s", what);
	return w;
}

bool lex_is(struct slice w, const char *text)
{
	return strlen(text) == w.n && !memcmp(text, w.s, w.n);
}

bool lex_keyword(struct lex *l, const char *text)
{
	const char *at = l->at;
	struct slice w;

	if (lex_word(l, &w) && lex_is(w, text))
		return true;
	l->at = at;
	return false;
}

bool lex_parse_u64(struct slice w, uint64_t *out)
{
	uint64_t v = 0;
	unsigned base = 10;
	size_t i = 0;

	if (w.n > 2 && w.s[0] == '0' && w.s[1] == 'x') {
		base = 16;
		i = 2;
	}
	if (i == w.n)
		return false;
	for (; i < w.n; i++) {
		char c = w.s[i];
		unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10u : 99u;
		if (d >= base || v > (UINT64_MAX - d) / base)
			return false;
		v = v * base + d;
	}
	*out = v;
	return true;
}

uint64_t lex_number(struct lex *l, const char *what, uint64_t max)
{
	const char *at = l->at;
	struct slice w;
	uint64_t v;

	if (!lex_word(l, &w) || !lex_parse_u64(w, &v)) {
		l->at = at;
		lex_fail(l, "expected a number: %s", what);
	}
	if (v > max) {
		l->at = at;
		lex_fail(l, "%s is too large", what);
	}
	return v;
}

int64_t lex_signed(struct lex *l, const char *what)
{
	bool minus = lex_char(l, '-');
	uint64_t v = lex_number(l, what, minus ? 1ull << 63 : UINT64_MAX);

	return (int64_t)(minus ? 0 - v : v);
}

static unsigned nibble(struct lex *l, char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10u;
	lex_fail(l, "expected a lower-case hexadecimal digit");
}

char *lex_string(struct lex *l)
{
	struct slice w;
	size_t n = 0;
	char *s;

	if (!lex_char(l, '"')) {
		w = lex_need_word(l, "a name");
		s = arena_alloc(l->arena, w.n + 1);
		memcpy(s, w.s, w.n);
		return s;
	}
	for (const char *c = l->at; *c && *c != '"' && *c != '\n'; c++)
		n++;
	s = arena_alloc(l->arena, n + 1);
	n = 0;
	while (*l->at != '"') {
		if (!*l->at || *l->at == '\n')
			lex_fail(l, "the string does not end");
		if (*l->at != '\\') {
			s[n++] = *l->at++;
			continue;
		}
		if (l->at[1] != 'x')
			lex_fail(l, "only \\x escapes are known");
		l->at += 2;
		unsigned hi = nibble(l, l->at[0]), lo = nibble(l, l->at[1]);
		if (!(hi | lo))
			lex_fail(l, "a name holds no zero byte");
		s[n++] = (char)(hi << 4 | lo);
		l->at += 2;
	}
	l->at++;
	return s;
}

/* ---- names */
static size_t hash(struct slice k)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < k.n; i++)
		h = (h ^ (unsigned char)k.s[i]) * 0x100000001b3ull;
	return (size_t)(h ^ h >> 29);
}

static struct name *probe(const struct names *n, struct slice k)
{
	size_t at = hash(k) & (n->cap - 1);

	while (n->slot[at].key.s && (n->slot[at].key.n != k.n || memcmp(n->slot[at].key.s, k.s, k.n)))
		at = (at + 1) & (n->cap - 1);
	return &n->slot[at];
}

uint32_t *names_find(const struct names *n, struct slice k)
{
	struct name *e = n->cap ? probe(n, k) : NULL;

	return e && e->key.s ? &e->value : NULL;
}

bool names_add(struct arena *a, struct names *n, struct slice k, uint32_t value)
{
	if (n->count * (size_t)2 >= n->cap) {
		struct names bigger = { NULL, n->count, n->cap ? n->cap * 2 : 64 };
		bigger.slot = arena_array(a, struct name, bigger.cap);
		for (size_t i = 0; i < n->cap; i++)
			if (n->slot[i].key.s)
				*probe(&bigger, n->slot[i].key) = n->slot[i];
		*n = bigger;
	}
	struct name *e = probe(n, k);
	if (e->key.s)
		return false;
	*e = (struct name){ k, value };
	n->count++;
	return true;
}
