/* lanes_mutate.h - changes to the text of a function that keep it close to what it was: the wave-wide questions that a pass
 * answers stay, and what their proofs rest on goes. Many are no function any more, which parser and verifier find. Everything is
 * static.
 *
 * A function is its lines. A value's type stands where it is defined, so another value of that type is found by its text, and
 * whether that dominates is the verifier's business. Who moves a branch keeps the operands of phis in step.
 */
#ifndef XL_TEST_LANES_MUTATE_H
#define XL_TEST_LANES_MUTATE_H

#include "ir_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUT_LINES = 120, MUT_WIDTH = 160 };
struct mut {
	char line[MUT_LINES][MUT_WIDTH];
	unsigned n, body;                /* body: the first line behind the header */
	unsigned made;                   /* names given so far */
	struct rnd r;
};

/* The lines of `text` that are no comments, up to "---". False: too many or too long. */
static bool mut_read(struct mut *m, const char *text)
{
	m->n = m->body = 0;
	for (; *text && strncmp(text, "---", 3) && strncmp(text, "===", 3); text += strcspn(text, "\n"), text += *text == '\n') {
		size_t n = strcspn(text, "\n");
		if (*text == ';' || !n)
			continue;
		if (n >= MUT_WIDTH || m->n == MUT_LINES)
			return false;
		snprintf(m->line[m->n++], MUT_WIDTH, "%.*s", (int)n, text);
		if (!m->body && *text == 'b')
			m->body = m->n;
	}
	return m->body != 0;
}

static void mut_write(const struct mut *m, char *to, size_t size)
{
	for (unsigned i = 0; i < m->n && size > 1; i++) {
		int n = snprintf(to, size, "%s\n", m->line[i]);
		to += (size_t)n < size ? (size_t)n : size - 1;
		size -= (size_t)n < size ? (size_t)n : size - 1;
	}
}

static bool mut_is_label(const struct mut *m, unsigned i)
{
	return m->line[i][0] == 'b';
}

static bool mut_is_branch(const struct mut *m, unsigned i)
{
	const char *s = m->line[i] + 1;
	return !strncmp(s, "br", 2) || !strncmp(s, "ret", 3) || !strncmp(s, "sw ", 3) || !strncmp(s, "unreachable", 11);
}

static bool mut_is_phi(const struct mut *m, unsigned i)
{
	return strstr(m->line[i], " = phi ") != NULL;
}

/* A line in front of line `at`. */
static bool mut_insert(struct mut *m, unsigned at, const char *text)
{
	if (m->n == MUT_LINES)
		return false;
	memmove(m->line[at + 1], m->line[at], (m->n++ - at) * sizeof(*m->line));
	snprintf(m->line[at], MUT_WIDTH, "%s", text);
	return true;
}

static void mut_delete(struct mut *m, unsigned at)
{
	memmove(m->line[at], m->line[at + 1], (--m->n - at) * sizeof(*m->line));
}

/* `old_n` bytes at `at` of line i become `neu`. */
static void mut_splice(struct mut *m, unsigned i, size_t at, size_t old_n, const char *neu)
{
	char rest[MUT_WIDTH], *s = m->line[i];
	snprintf(rest, sizeof(rest), "%s", s + at + old_n);
	snprintf(s + at, MUT_WIDTH - at, "%s%s", neu, rest);
}

static bool mut_in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '%';
}

/* The type of value `%name` (n bytes), or false. */
static bool mut_type(const struct mut *m, const char *name, size_t n, char type[16])
{
	for (unsigned i = m->body; i < m->n; i++)
		if (!strncmp(m->line[i] + 1, name, n) && m->line[i][1 + n] == ':') {
			snprintf(type, 16, "%.*s", (int)strcspn(m->line[i] + n + 2, " "), m->line[i] + n + 2);
			return true;
		}
	return false;
}

/* A value or constant of a type. */
static bool mut_pick(struct mut *m, const char *type, char to[32])
{
	unsigned n = 0;
	size_t len = strlen(type);
	if (!below(&m->r, 6) && (!strcmp(type, "b1") || !strcmp(type, "i32"))) {
		snprintf(to, 32, "%s:%u", type, below(&m->r, *type == 'b' ? 2 : 9));
		return true;
	}
	for (unsigned i = m->body; i < m->n; i++) {
		const char *s = m->line[i] + 1, *colon = *s == '%' ? strchr(s, ':') : NULL;
		if (colon && !strncmp(colon + 1, type, len) && colon[1 + len] == ' ' && colon - s < 32 && !below(&m->r, ++n))
			snprintf(to, 32, "%.*s", (int)(colon - s), s);
	}
	return n != 0;
}

/* ---- what is changed */

/* A random operand of a random line that is one of `first` characters: place and length. */
static bool mut_operand(struct mut *m, unsigned *line, size_t *at, size_t *len, const char *first)
{
	unsigned n = 0;
	for (unsigned i = m->body; i < m->n; i++) {
		const char *s = strstr(m->line[i], " = ");
		for (s = s ? s + 3 : m->line[i] + 1; *s; s++)
			if (strchr(first, *s) && !mut_in_name(s[-1]) && (s[-1] == ' ') && !below(&m->r, ++n)) {
				*line = i;
				*at = (size_t)(s - m->line[i]);
				*len = strcspn(s, " ,");
			}
	}
	return n != 0;
}

static bool mut_replace(struct mut *m)
{
	char type[16], to[32];
	unsigned i;
	size_t at, n;
	if (!mut_operand(m, &i, &at, &n, "%") || !mut_type(m, m->line[i] + at, n, type) || !mut_pick(m, type, to))
		return false;
	mut_splice(m, i, at, n, to);
	return true;
}

static bool mut_constant(struct mut *m)
{
	char type[16], to[32];
	unsigned i;
	size_t at, n;
	if (!mut_operand(m, &i, &at, &n, "ibf"))
		return false;
	const char *s = m->line[i] + at, *colon = memchr(s, ':', n);
	if (!colon || colon - s > 3)
		return false;
	snprintf(type, sizeof(type), "%.*s", (int)(colon - s), s);
	if (strstr(m->line[i], "ldptr") || strstr(m->line[i], "stptr") || below(&m->r, 2))
		snprintf(to, sizeof(to), "%s:%u", type, !strcmp(type, "b1") ? below(&m->r, 2) : below(&m->r, 9));
	else if (!mut_pick(m, type, to))
		return false;
	mut_splice(m, i, at, n, to);
	return true;
}

/* Another operation of the same form. */
static bool mut_op(struct mut *m)
{
	static const char *const like[][8] = { { "ult", "ule", "ieq", "ine", "slt", "sle" }, { "iand", "ior", "ixor" },
		{ "iadd", "isub", "imul", "ixor", "umin", "iand" }, { "any", "quadany", "inot" }, { "flt", "fle", "feq", "fltu" } };
	unsigned i = m->body + below(&m->r, m->n - m->body), k = below(&m->r, 5), n = 0;
	char *s = strstr(m->line[i], " = ");
	if (!s)
		return false;
	s += 3;
	size_t len = strcspn(s, " ");
	for (bool found = false; n < 8 && like[k][n]; n++) {
		found |= strlen(like[k][n]) == len && !strncmp(s, like[k][n], len);
		if (!found && (n == 7 || !like[k][n + 1]))
			return false;
	}
	mut_splice(m, i, (size_t)(s - m->line[i]), len, like[k][below(&m->r, n)]);
	return true;
}

static bool mut_swap(struct mut *m) /* two operands, or ways of a branch */
{
	unsigned i = m->body + below(&m->r, m->n - m->body);
	char *comma = strchr(m->line[i], ','), *a, one[48], two[48];
	if (!comma || mut_is_phi(m, i))
		return false;
	if (!below(&m->r, 2) && strchr(comma + 1, ','))
		comma = strchr(comma + 1, ',');
	for (a = comma; a[-1] != ' ' && a > m->line[i]; a--)
		;
	size_t n = (size_t)(comma - a), k = strcspn(comma + 2, ",");
	if (n >= sizeof(one) || k >= sizeof(two))
		return false;
	snprintf(one, sizeof(one), "%.*s", (int)n, a);
	snprintf(two, sizeof(two), "%.*s", (int)k, comma + 2);
	char both[100];
	snprintf(both, sizeof(both), "%s, %s", two, one);
	mut_splice(m, i, (size_t)(a - m->line[i]), n + 2 + k, both);
	return true;
}

static bool mut_move(struct mut *m)
{
	unsigned from = m->body + below(&m->r, m->n - m->body), to = m->body + below(&m->r, m->n - m->body);
	char line[MUT_WIDTH];
	if (mut_is_label(m, from) || mut_is_branch(m, from) || mut_is_phi(m, from))
		return false;
	snprintf(line, sizeof(line), "%s", m->line[from]);
	mut_delete(m, from);
	return mut_insert(m, to < m->n ? to : m->n - 1, line);
}

static bool mut_remove(struct mut *m)
{
	unsigned i = m->body + below(&m->r, m->n - m->body);
	if (mut_is_label(m, i) || mut_is_branch(m, i) || mut_is_phi(m, i))
		return false;
	mut_delete(m, i);
	return true;
}

/* The label of the block that line i is in. */
static unsigned mut_block(const struct mut *m, unsigned i)
{
	while (i && !mut_is_label(m, i))
		i--;
	return i;
}

static bool mut_add(struct mut *m)
{
	unsigned at = m->body + below(&m->r, m->n - m->body);
	char a[32], b[32], c[32], w[32], line[MUT_WIDTH];
	if (mut_is_label(m, at) || mut_is_phi(m, at) || !mut_pick(m, "b1", a) || !mut_pick(m, "b1", b) || !mut_pick(m, "i32", c) ||
	    !mut_pick(m, "i32", w))
		return false;
	unsigned k = m->made++, what = below(&m->r, 17);
	if (what == 8 && !strstr(m->line[0], " fragment "))
		what = 16;
	switch (what) {
	case 11: snprintf(line, sizeof(line), "\t%%z%u:i32 = quad %s, %s #%u", k, a, c, below(&m->r, 2) ? 177 : 85); break;
	case 12: snprintf(line, sizeof(line), "\t%%z%u:i32 = ldptr %s, i64:%u", k, a, below(&m->r, 4) * 8); break;
	case 0: case 1: snprintf(line, sizeof(line), "\t%%z%u:b1 = any %s", k, a); break;
	case 2: snprintf(line, sizeof(line), "\t%%z%u:b1 = inot %s", k, a); break;
	case 3: snprintf(line, sizeof(line), "\t%%z%u:b1 = iand %s, %s", k, a, b); break;
	case 4: snprintf(line, sizeof(line), "\t%%z%u:b1 = ior %s, %s", k, a, b); break;
	case 5: snprintf(line, sizeof(line), "\t%%z%u:i32 = select %s, %s, %s", k, a, c, w); break;
	case 6: snprintf(line, sizeof(line), "\t%%z%u:b1 = ult %s, %s", k, c, w); break;
	case 7: snprintf(line, sizeof(line), "\t%%z%u:b1 = quadany %s", k, a); break;
	case 8: snprintf(line, sizeof(line), "\tdemote %s", a); break;
	case 9: snprintf(line, sizeof(line), "\t%%z%u:i32 = readfirst %s, %s", k, a, c); break;
	case 10: snprintf(line, sizeof(line), "\t%%z%u:i32 = iadd %s, %s", k, c, w); break;
	case 13: { /* an integer of the wave, and a look at it that may come to stand elsewhere */
		const char *type = strstr(m->line[0], " wave 32") ? "i32" : "i64";
		snprintf(line, sizeof(line), "\t%%z%u:b1 = %s %%y%u, %s:0", k, below(&m->r, 2) ? "ine" : "ieq", k, type);
		if (!mut_insert(m, at, line))
			return false;
		snprintf(line, sizeof(line), "\t%%y%u:%s = ballot %s", k, type, a);
		break;
	}
	default: snprintf(line, sizeof(line), "\tstptr %s, i64:%u, %s", a, 1000 + k * 8, c); break;
	}
	return mut_insert(m, at, line);
}

/* ---- the graph */

/* Block `from` (a label's text, without ':') leads to the block of label line `to` now, or no longer: its phis have an operand of
 * it, or none. */
static bool mut_phis(struct mut *m, const char *from, unsigned to, bool leads)
{
	size_t n = strlen(from);
	for (unsigned i = to + 1; i < m->n && mut_is_phi(m, i); i++) {
		char type[16], v[32], add[64], *s = strstr(m->line[i], " = phi ") + 6, *colon = strchr(m->line[i], ':');
		if (leads) {
			snprintf(type, sizeof(type), "%.*s", (int)strcspn(colon + 1, " "), colon + 1);
			if (!mut_pick(m, type, v))
				return false;
			snprintf(add, sizeof(add), " %s %s,", from, v);
			mut_splice(m, i, (size_t)(s - m->line[i]), 0, add);
			continue;
		}
		for (; s && *s; s = strchr(s + 1, ','))
			if (!strncmp(s + 1 + (*s == ','), from, n) && s[1 + (*s == ',') + n] == ' ') {
				size_t len = strcspn(s + 1, ",") + 1;
				if (*s == ' ' && s[len] == ',') /* the first */
					len++;
				mut_splice(m, i, (size_t)(s - m->line[i]), len, "");
				break;
			}
	}
	return true;
}

static unsigned mut_label(const struct mut *m, const char *name, size_t n) /* its line, or 0 */
{
	for (unsigned i = 1; i < m->n; i++)
		if (mut_is_label(m, i) && !strncmp(m->line[i], name, n) && m->line[i][n] == ':')
			return i;
	return 0;
}

static unsigned mut_random_label(struct mut *m)
{
	unsigned n = 0, at = 0;
	for (unsigned i = m->body; i < m->n; i++)
		if (mut_is_label(m, i) && !below(&m->r, ++n))
			at = i;
	return at;
}

/* A random way: the branch's line, where the label stands in it, and how long it is. */
static bool mut_way(struct mut *m, unsigned *line, size_t *at, size_t *len)
{
	unsigned n = 0;
	for (unsigned i = m->body; i < m->n; i++) {
		if (strncmp(m->line[i] + 1, "br", 2))
			continue;
		for (char *s = m->line[i] + 3; *s; s++)
			if (*s == 'b' && s[-1] == ' ' && s[1] >= '0' && strcspn(s, ",:") == strcspn(s, ",") && !below(&m->r, ++n)) {
				*line = i;
				*at = (size_t)(s - m->line[i]);
				*len = strcspn(s, ",");
			}
	}
	return n != 0;
}

static bool mut_redirect(struct mut *m)
{
	unsigned i, to = mut_random_label(m);
	size_t at, len;
	char from[16], neu[16];
	if (!to || !mut_way(m, &i, &at, &len))
		return false;
	snprintf(from, sizeof(from), "%.*s", (int)strcspn(m->line[mut_block(m, i)], ":"), m->line[mut_block(m, i)]);
	snprintf(neu, sizeof(neu), "%.*s", (int)strcspn(m->line[to], ":"), m->line[to]);
	unsigned was = mut_label(m, m->line[i] + at, len);
	return mut_phis(m, from, was, false) && mut_phis(m, from, to, true) && (mut_splice(m, i, at, len, neu), true);
}

/* A new block on a way; half of them ask something. */
static bool mut_split(struct mut *m)
{
	unsigned i, to = mut_random_label(m), k = 90 + m->made++;
	size_t at, len;
	char from[16], old[16], neu[16], line[MUT_WIDTH], c[32];
	if (!mut_way(m, &i, &at, &len))
		return false;
	bool asks = to && below(&m->r, 2) && mut_pick(m, "b1", c);
	snprintf(from, sizeof(from), "%.*s", (int)strcspn(m->line[mut_block(m, i)], ":"), m->line[mut_block(m, i)]);
	snprintf(old, sizeof(old), "%.*s", (int)len, m->line[i] + at);
	snprintf(neu, sizeof(neu), "b%u", k);
	unsigned was = mut_label(m, old, len);
	for (unsigned p = was + 1; p < m->n && mut_is_phi(m, p); p++) { /* its operand comes by the new block */
		char find[24], *s;
		snprintf(find, sizeof(find), " %s ", from);
		s = strstr(m->line[p], find);
		if (s)
			mut_splice(m, p, (size_t)(s + 1 - m->line[p]), strlen(from), neu);
	}
	mut_splice(m, i, at, len, neu);
	snprintf(line, sizeof(line), "%s:", neu);
	if (!mut_insert(m, m->n, line))
		return false;
	if (!asks) {
		snprintf(line, sizeof(line), "\tbr %s", old);
		return mut_insert(m, m->n, line);
	}
	to = mut_label(m, m->line[to], strcspn(m->line[to], ":"));
	char *other = m->line[to], ask[MUT_WIDTH];
	snprintf(ask, sizeof(ask), "\t%%z%u:b1 = any %s", k, c);
	snprintf(line, sizeof(line), "\tbrc %%z%u, %s, %.*s", k, old, (int)strcspn(other, ":"), other);
	return to != was && mut_insert(m, m->n, ask) && mut_insert(m, m->n, line) && mut_phis(m, neu, to, true);
}

/* A second copy of a block, for one of the ways to it. */
static bool mut_copy(struct mut *m)
{
	unsigned i, k = 90 + m->made++;
	size_t at, len;
	char neu[16], name[8] = "";
	if (!mut_way(m, &i, &at, &len))
		return false;
	unsigned was = mut_label(m, m->line[i] + at, len), first = m->n, end = was + 1;
	if (!was || (was + 1 < m->n && mut_is_phi(m, was + 1)))
		return false;
	snprintf(neu, sizeof(neu), "b%u", k);
	snprintf(name, sizeof(name), "_%u", k);
	mut_splice(m, i, at, len, neu);
	char line[MUT_WIDTH];
	snprintf(line, sizeof(line), "%s:", neu);
	if (!mut_insert(m, m->n, line))
		return false;
	while (end < first && !mut_is_label(m, end))
		if (!mut_insert(m, m->n, m->line[end++]))
			return false;
	for (unsigned d = first + 1; d < m->n; d++) { /* its values have names of their own */
		char def[40];
		size_t n = m->line[d][1] == '%' ? strcspn(m->line[d] + 1, ":") : 0;
		if (!n || n >= sizeof(def))
			continue;
		snprintf(def, sizeof(def), "%.*s", (int)n, m->line[d] + 1);
		for (unsigned u = d; u < m->n; u++)
			for (char *s = m->line[u]; (s = strstr(s, def)); s += n)
				if (!mut_in_name(s[n]))
					mut_splice(m, u, (size_t)(s - m->line[u]) + n, 0, name);
	}
	for (char *s = m->line[m->n - 1]; (s = strstr(s, " b")); s += 2)
		if (s[2] >= '0' && s[2] <= '9' && strcspn(s + 1, ",:") == strcspn(s + 1, ",")) {
			unsigned to = mut_label(m, s + 1, strcspn(s + 1, ","));
			if (to && !mut_phis(m, neu, to, true))
				return false;
		}
	return true;
}

/* One change, or none. */
static void mut_once(struct mut *m)
{
	static bool (*const ways[])(struct mut *) = { mut_replace, mut_replace, mut_replace, mut_constant, mut_op, mut_swap, mut_move,
		mut_remove, mut_add, mut_add, mut_redirect, mut_split, mut_copy };
	for (unsigned tries = 0; tries < 8 && !ways[below(&m->r, sizeof(ways) / sizeof(*ways))](m); tries++)
		;
}

#endif
