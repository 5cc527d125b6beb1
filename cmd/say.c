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
