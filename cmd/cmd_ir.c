/* cmd_ir.c - a program's IR after a pass, or after each. And `explain`, which shows what the passes said. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char ir_usage[] = "FILE KEY [--after PASS] [--all]\n\n"
	"The IR after the last pass, after PASS (\"lift\": before the first), or after every pass (--all).\n\n"
	"  --list-passes            names and what they do\n";
static const char explain_usage[] = "FILE KEY\n\n"
	"What every pass decided about a program, with guest addresses, and why it was refused.\n\n";

struct dump { const char *after; bool all; char *last; };

static void on_dump(void *user, const char *pass, const char *text)
{
	struct dump *d = user;

	if (d->all) {
		printf("; after %s\n%s\n", pass, text);
		return;
	}
	if (d->after && strcmp(d->after, pass))
		return;
	free(d->last);
	d->last = strdup(text);
}

static void list_passes(void)
{
	const char *name, *what;

	printf("%-12s %s\n", "lift", "guest instructions to IR");
	for (uint32_t i = 0; (name = xl_pass_name(i, &what)); i++)
		printf("%-12s %s\n", name, what);
}

static void print_remarks(const struct xl_translation *t)
{
	for (uint32_t i = 0; i < t->nremark; i++) {
		const struct xl_remark *m = &t->remark[i];

		if (m->addr == XL_NO_ADDR)
			printf("%-12s          %s\n", m->pass, m->text);
		else
			printf("%-12s +0x%04x: %s\n", m->pass, m->addr, m->text);
	}
}

/* Translates the picked program; prints IR (d) or remarks (d == NULL). */
static int run(struct args *a, struct translate *t, struct dump *d)
{
	const struct xl_translation *out;
	struct xl_context *c;
	struct xl_target *target;
	struct input in;
	struct picked p;
	int rc = open_and_pick(a, &in, &p);

	if (rc)
		return rc;
	rc = input_guest(&in);
	target = rc ? NULL : translate_target(t, &rc);
	c = target ? xl_context_new(target) : NULL;
	if (c) {
		if (d) {
			t->options.dump = on_dump;
			t->options.user = d;
			t->options.stop_after = d->after;
		}
		out = xl_translate(c, p.record, p.program, &t->options);
		if (d && d->last)
			fputs(d->last, stdout);
		if (!d)
			print_remarks(out);
		for (uint32_t i = 0; i < out->ndiag; i++)
			say_diag(stderr, &out->diag[i], in.path);
		rc = (int)out->status;
	} else if (target) {
		rc = XL_INTERNAL;
	}
	if (d)
		free(d->last);
	xl_context_free(c);
	xl_target_free(target);
	if (p.record)
		input_unread(&in, p.record);
	input_close(&in);
	return rc;
}

static int parse_and_run(struct args *a, struct dump *d)
{
	enum { AFTER = OPT_OWN, ALL, LIST };
	static const struct opt opts[] = { TRANSLATE_OPTS, { "after", 0, true }, { "all", 0, false },
		{ "list-passes", 0, false }, { NULL, 0, false } };
	static const struct opt few[] = { TRANSLATE_OPTS, { NULL, 0, false } };
	struct translate t = { 0 };
	int k, rc = 0;

	a->more = translate_usage;
	a->most = 2;
	a->names = "FILE and KEY";
	a->opt = d ? opts : few;
	while (!rc && (k = args_next(a)) >= 0) {
		if (k < OPT_OWN) {
			rc = translate_option(a, k, &t);
		} else if (k == AFTER) {
			d->after = a->value;
		} else if (k == ALL) {
			d->all = true;
		} else {
			list_passes();
			return 0;
		}
	}
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a->exit_code;
	if (d && d->after && !pass_exists(d->after))
		return usage_error(a, "no pass %s", d->after);
	return run(a, &t, d);
}

int cmd_ir(int argc, char **argv)
{
	struct args a = { .argc = argc, .argv = argv, .command = "ir", .usage = ir_usage };
	struct dump d = { 0 };

	return parse_and_run(&a, &d);
}

int cmd_explain(int argc, char **argv)
{
	struct args a = { .argc = argc, .argv = argv, .command = "explain", .usage = explain_usage };

	return parse_and_run(&a, NULL);
}
