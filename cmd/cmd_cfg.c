/* cmd_cfg.c - a program's control flow as a picture. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "FILE KEY [--ir [--after PASS]] [-o FILE.svg]\n\n"
	"The control flow as SVG: of the guest code, or of the IR after the last pass or after PASS.\n\n"
	"  --ir                     the IR's, not the guest code's\n"
	"  --after PASS             after this pass (\"lift\": before the first); xlate ir --list-passes lists them\n"
	"  --blocks N               draw N blocks at most (default 400)\n"
	"  --lines N                write N lines of a block at most (default 40)\n"
	"  -o, --output FILE        where to write (default: standard output)\n";

struct want { bool ir; const char *after, *output; struct graph_limits limits; struct translate t; };
struct dump { const char *after; char *text; };

static void on_dump(void *user, const char *pass, const char *text)
{
	struct dump *d = user;

	if (d->after && strcmp(d->after, pass))
		return;
	free(d->text);
	d->text = strdup(text);
}

/* 0: the text is there, although a later stage may have refused the program. */
static int ir_text(const struct input *in, const struct picked *p, struct want *w, struct dump *d)
{
	const struct xl_translation *out;
	int rc = 0;
	struct xl_target *target = translate_target(&w->t, &rc);
	struct xl_context *c = target ? xl_context_new(target) : NULL;

	if (c) {
		d->after = w->after;
		w->t.options.dump = on_dump;
		w->t.options.user = d;
		w->t.options.stop_after = w->after;
		out = xl_translate(c, p->record, p->program, &w->t.options);
		for (uint32_t i = 0; i < out->ndiag; i++)
			say_diag(stderr, &out->diag[i], in->path);
		rc = d->text ? 0 : out->status ? (int)out->status : XL_INTERNAL;
	} else if (target) {
		rc = XL_INTERNAL;
	}
	xl_context_free(c);
	xl_target_free(target);
	return rc;
}

static int put(struct graph *g, const struct want *w, const char *title)
{
	struct xl_log log = stderr_log();
	char *bytes = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&bytes, &size);
	bool ok = f && graph_svg(g, f, title, true);
	int rc = XL_INTERNAL;

	if (f && !fclose(f) && ok)
		rc = w->output ? (int)xl_file_write(w->output, bytes, size, &log) : fwrite(bytes, 1, size, stdout) == size ? 0 : XL_UNREADABLE;
	free(bytes);
	return rc;
}

static int draw(const struct input *in, const struct picked *p, struct want *w)
{
	struct xl_program_info info;
	struct dump d = { 0 };
	struct graph g;
	char title[512];
	int rc;

	xl_record_program(p->record, p->program, &info);
	graph_init(&g, w->limits);
	if (w->ir) {
		rc = ir_text(in, p, w, &d);
		if (rc)
			return rc;
		graph_of_ir(&g, d.text);
		snprintf(title, sizeof(title), "%.300s, IR after %s", info.name, w->after ? w->after : "the last pass");
	} else {
		graph_of_code(&g, &info);
		snprintf(title, sizeof(title), "%.300s, %s", info.name, info.cpu);
	}
	free(d.text);
	graph_layout(&g);
	rc = put(&g, w, title);
	graph_free(&g);
	return rc;
}

enum { IR = OPT_OWN, AFTER, BLOCKS, LINES, OUTPUT };

static int option(struct args *a, int k, struct want *w)
{
	unsigned long n;

	switch (k) {
	case IR: w->ir = true; return 0;
	case AFTER: w->after = a->value; return 0;
	case OUTPUT: w->output = a->value; return 0;
	case BLOCKS:
	case LINES:
		if (!args_number(a->value, 10000, &n) || !n)
			return usage_error(a, "--%s is 1 to 10000", k == BLOCKS ? "blocks" : "lines");
		*(k == BLOCKS ? &w->limits.blocks : &w->limits.lines) = (unsigned)n;
		return 0;
	default: return translate_option(a, k, &w->t);
	}
}

int cmd_cfg(int argc, char **argv)
{
	static const struct opt opts[] = { TRANSLATE_OPTS, { "ir", 0, false }, { "after", 0, true }, { "blocks", 0, true },
		{ "lines", 0, true }, { "output", 'o', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "cfg", .usage = usage, .more = translate_usage,
		.most = 2, .names = "FILE and KEY" };
	struct want w = { .limits = GRAPH_LIMITS };
	struct input in;
	struct picked p;
	int k, rc = 0;

	while (!rc && (k = args_next(&a)) >= 0)
		rc = option(&a, k, &w);
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (w.after && !w.ir)
		return usage_error(&a, "--after goes with --ir");
	if (w.after && !pass_exists(w.after))
		return usage_error(&a, "no pass %s", w.after);
	rc = open_and_pick(&a, &in, &p);
	if (rc)
		return rc;
	rc = input_guest(&in);
	rc = !rc && w.output ? input_stays(&a, in.path, w.output) : rc;
	rc = rc ? rc : draw(&in, &p, &w);
	if (p.record)
		input_unread(&in, p.record);
	input_close(&in);
	return rc;
}
