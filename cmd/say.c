/* say.c - messages: results on stdout, everything else on stderr. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool use_color(FILE *f)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fileno(f)) && !(no && *no);
}

/* Text from files and validators may hold anything: keep a diagnostic on one line and off the terminal's controls. */
static void plain(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc((unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s, f);
}

void say_diag(FILE *f, const struct xl_diag *d, const char *file)
{
	bool color = f == stderr && use_color(f);
	const char *name = d->file ? d->file : file;

	if (name) {
		plain(f, name);
		fputs(":", f);
	}
	if (d->program) {
		plain(f, d->program);
		fputs(":", f);
	}
	fprintf(f, "%s%s%s%s:", name || d->program ? " " : "", color ? "\033[1;31m" : "", d->severity, color ? "\033[0m" : "");
	if (d->isa && d->addr != XL_NO_ADDR)
		fprintf(f, " %s+0x%x:", d->isa, d->addr);
	if (d->inst && *d->inst) {
		fputs(" ", f);
		plain(f, d->inst);
		fputs(":", f);
	}
	fputs(" ", f);
	plain(f, d->text);
	fprintf(f, " [%s]\n", d->code);
}

void diag_to_stderr(void *user, const struct xl_diag *d)
{
	(void)user;
	say_diag(stderr, d, NULL);
}

struct xl_log stderr_log(void)
{
	return (struct xl_log){ diag_to_stderr, NULL };
}

void json_string(FILE *f, const char *s)
{
	if (!s) {
		fputs("null", f);
		return;
	}
	fputc('"', f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < 0x20)
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

/* Bytes of the UTF-8 character at s, 0: none that XML takes. */
static size_t character(const unsigned char *s)
{
	size_t more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
	uint32_t c = s[0] & (0x3f >> more);

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7f;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	/* No overlong forms, surrogates, controls; nothing that turns text round. */
	if (c < (more == 1 ? 0xa0u : more == 2 ? 0x800u : 0x10000u) || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c >= 0xfffe)
		return (c >= 0x10000 && c <= 0x10ffff && more == 3) ? 4 : 0;
	if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff)
		return 0;
	return more + 1;
}

void xml_text(FILE *f, const char *s)
{
	const unsigned char *u = (const unsigned char *)s;

	for (size_t k; u && *u; u += k) {
		k = character(u);
		if (!k)
			k = 1, fputs(*u == '\n' || *u == '\t' ? " " : "?", f);
		else if (*u == '<' || *u == '>' || *u == '&' || *u == '"' || *u == '\'')
			fprintf(f, "&#%u;", *u);
		else
			fwrite(u, 1, k, f);
	}
}
