#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct row {
	const char *name, *meaning;
	enum diag_severity severity;
	enum diag_class cls;
};

static const struct row rows[DIAG_COUNT] = {
	[DIAG_OK] = { "ok", "no diagnostic", DIAG_NOTE, DIAG_C_USAGE },
#define DIAG(name, code, sev, cls, text) [DIAG_##name] = { code, text, DIAG_##sev, DIAG_C_##cls },
#include "diag.def"
#undef DIAG
};

void diag_emit(struct diag_sink *s, enum diag_code code, uint32_t addr, const char *fmt, ...)
{
	char text[512], inst[160] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!s)
		return;
	if (rows[code].severity == DIAG_ERROR)
		s->errors++;
	if (!s->emit)
		return;
	if (s->locate && addr != DIAG_NO_ADDR)
		s->locate(s->user, addr, inst, sizeof inst);
	struct diag d = { code, s->program, s->isa, addr, inst[0] ? inst : NULL, text };
	s->emit(s->user, &d);
}

void diag_say(struct diag_sink *s, const char *pass, uint32_t addr, const char *text)
{
	if (s && s->remark)
		s->remark(s->user, &(struct remark){ pass, addr, text });
}

void diag_number(struct diag_sink *s, const char *pass, uint32_t addr, const char *before, unsigned n, const char *what)
{
	enum { BEFORE = 32, DIGITS = 10, AT = BEFORE + DIGITS };
	char text[AT + 128], *at = text + AT;
	size_t len = strlen(what), first = strlen(before);

	if (!s || !s->remark)
		return;
	len = len < sizeof text - AT - 2 ? len : sizeof text - AT - 2;
	first = first < BEFORE ? first : BEFORE;
	*at = ' ';
	memcpy(at + 1, what, len);
	at[1 + len] = 0;
	do
		*--at = (char)('0' + n % 10);
	while (n /= 10);
	at -= first;
	memcpy(at, before, first);
	diag_say(s, pass, addr, at);
}

void diag_count(struct diag_sink *s, const char *pass, uint32_t addr, unsigned n, const char *what)
{
	diag_number(s, pass, addr, "", n, what);
}

void diag_remark(struct diag_sink *s, const char *pass, uint32_t addr, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!s || !s->remark)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	diag_say(s, pass, addr, text);
}

const char *diag_name(enum diag_code code)
{
	return rows[code].name;
}

const char *diag_meaning(enum diag_code code)
{
	return rows[code].meaning;
}

enum diag_severity diag_severity(enum diag_code code)
{
	return rows[code].severity;
}

enum diag_class diag_class(enum diag_code code)
{
	return rows[code].cls;
}

enum diag_code diag_find(const char *name)
{
	for (unsigned i = 1; i < DIAG_COUNT; i++)
		if (!strcmp(rows[i].name, name))
			return (enum diag_code)i;
	return DIAG_OK;
}
