/* cmd_build.c - caches to a package: every program translated and validated, or refused with a reason. */
#include "build.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char form[] = "CACHE... -o PKG [-t TARGET] [-j N]\n\n"
	"Translates every program of the caches (or record JSON files), validates the modules, writes the package. A refused\n"
	"program is reported and the rest goes on; the exit code is then 1.\n\n"
	"  -o, --output PKG         where to write; replaced at once, or not at all\n"
	"  -j, --jobs N             threads (default: the processors at hand)\n"
	"  --keep-going             go on when an input cannot be read\n"
	"  --report json            what became of every program, on standard output\n"
	"  --timing                 figures: seconds and words, on standard output\n"
	"  -q, --quiet              no summary and no progress\n"
	"%s";

static volatile sig_atomic_t interrupted; /* the only thing that a signal may touch */
static volatile int stop_flag;

static void on_signal(int sig)
{
	(void)sig;
	interrupted = 1;
	stop_flag = 1;
}

struct ui {
	const struct work *w;
	bool quiet, bar;
	uint32_t said, refused;
	time_t start;
};

static void say_job(struct ui *ui, const struct job *j)
{
	if (j->text)
		fputs(j->text, stderr);
	for (uint32_t k = 0; k < j->nout; k++) {
		if (j->out[k].text)
			fputs(j->out[k].text, stderr);
		ui->refused += j->out[k].status != XL_OK;
	}
}

static void progress(void *user, uint32_t in_order, uint32_t done)
{
	struct ui *ui = user;
	double s = difftime(time(NULL), ui->start);

	if (ui->bar && ui->said < in_order)
		fputs("\r\033[K", stderr);
	for (; ui->said < in_order; ui->said++)
		say_job(ui, &ui->w->job[ui->said]);
	if (!ui->bar || s < 1)
		return;
	fprintf(stderr, "\r\033[K%u of %u, %.0f/s, %.0f s left, %u refused", done, ui->w->njob, done / s,
		done ? s * (ui->w->njob - done) / done : 0, ui->refused);
	fflush(stderr);
}

static int add_jobs(struct work *w, const struct input *in)
{
	uint32_t n = input_records(in);
	struct job *grown = realloc(w->job, (w->njob + n + 1) * sizeof(*grown));

	if (!grown)
		return XL_INTERNAL;
	w->job = grown;
	for (uint32_t i = 0; i < n; i++)
		w->job[w->njob++] = (struct job){ .in = in, .record = i };
	return 0;
}

static void sum(const struct work *w, struct totals *t, int *rc)
{
	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		*rc = j->status > *rc ? j->status : *rc;
		for (uint32_t k = 0; k < j->nout; k++) {
			const struct outcome *o = &j->out[k];

			t->programs++;
			t->translated += o->status == XL_OK;
			t->refused += o->status == XL_REFUSED;
			t->failed += o->status > XL_REFUSED;
			if (o->status == XL_OK) {
				t->words_in += o->words_in;
				t->words_out += o->words_out;
			}
			*rc = o->status > *rc ? o->status : *rc;
		}
	}
}

static void timing(const struct cost *c)
{
	printf("figure decode_seconds %.6f s\nfigure translate_seconds %.6f s\nfigure validate_seconds %.6f s\n", c->decode,
	       c->translate, c->validate);
	printf("figure guest_words %llu words\nfigure module_words %llu words\n", (unsigned long long)c->words_in,
	       (unsigned long long)c->words_out);
}

struct build {
	struct args a;
	struct translate t;
	const char *output, **path;
	bool keep_going, json, timing;
	unsigned long jobs;
	int npath;
};

static int parse(struct build *b)
{
	enum { OUTPUT = OPT_OWN, JOBS, KEEP, REPORT, TIMING };
	static const struct opt opts[] = { TRANSLATE_OPTS, { "output", 'o', true }, { "jobs", 'j', true },
		{ "keep-going", 'k', false }, { "report", 0, true }, { "timing", 0, false }, { NULL, 0, false } };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int k;

	b->a.opt = opts;
	b->jobs = cpus > 0 && cpus < 64 ? (unsigned long)cpus : 1;
	while ((k = args_next(&b->a)) >= 0 || k == ARGS_POSITIONAL) {
		int rc = k >= 0 && k < OPT_OWN ? translate_option(&b->a, k, &b->t) : 0;

		if (k == ARGS_POSITIONAL)
			b->path[b->npath++] = b->a.value;
		else if (k == OUTPUT)
			b->output = b->a.value;
		else if (k == JOBS && (!args_number(b->a.value, 256, &b->jobs) || !b->jobs))
			rc = usage_error(&b->a, "--jobs is 1 to 256");
		else if (k == KEEP)
			b->keep_going = true;
		else if (k == REPORT && strcmp(b->a.value, "json"))
			rc = usage_error(&b->a, "--report knows json");
		else if (k == REPORT)
			b->json = true;
		else if (k == TIMING)
			b->timing = true;
		if (rc) {
			b->a.exit_code = rc;
			return -1;
		}
	}
	if (k == ARGS_STOP)
		return -1;
	for (int i = 0; b->output && i < b->npath; i++) {
		if (input_is_file(b->path[i], b->output)) {
			b->a.exit_code = usage_error(&b->a, "%s is an input: the package would replace it", b->output);
			return -1;
		}
	}
	if (b->npath && b->output && *b->output)
		return 0;
	b->a.exit_code = usage_error(&b->a, !b->npath ? "no CACHE" : "no --output");
	return -1;
}

/* Everything is translated: write, report, sum up. */
static int finish(const struct build *b, struct work *w, int rc)
{
	struct xl_log log = stderr_log();
	struct totals t = { 0 };
	int wrote;

	sum(w, &t, &rc);
	if (interrupted) {
		fprintf(stderr, "interrupted after %u programs; %s is as it was\n", t.programs, b->output);
		return rc > XL_REFUSED ? rc : XL_REFUSED;
	}
	wrote = (int)xl_package_write(w->package, b->output, &log);
	rc = wrote > rc ? wrote : rc;
	if (b->json)
		report_json(stdout, w, &t, xl_target_name(w->target));
	if (b->timing)
		timing(&w->cost);
	if (!b->a.quiet)
		fprintf(stderr, "%u programs: %u translated, %u refused%s%s\n", t.programs, t.translated, t.refused + t.failed,
			wrote ? "" : ", written to ", wrote ? "" : b->output);
	return rc;
}

static int build(struct build *b, struct input *in)
{
	struct work w = { .translate = &b->t, .timing = b->timing, .threads = (unsigned)b->jobs, .stop = &stop_flag };
	struct ui ui = { .w = &w, .quiet = b->a.quiet, .bar = !b->a.quiet && isatty(2), .start = time(NULL) };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }; /* the second one kills */
	struct xl_target *target;
	bool unread = false;
	int rc = 0, one;

	target = translate_target(&b->t, &rc);
	if (!target)
		return rc;
	w.target = target;
	w.package = xl_package_writer_new(target, &b->t.options);
	w.progress = progress;
	w.user = &ui;
	for (int i = 0; i < b->npath; i++) {
		one = input_open(&in[i], b->path[i]);
		if (!one && in[i].package) {
			fprintf(stderr, "%s: error: a package holds no guest programs [io]\n", b->path[i]);
			one = XL_UNREADABLE;
		}
		if (!one && in[i].cache && xl_cache_damaged(in[i].cache))
			one = XL_UNREADABLE;
		rc = one > rc ? one : rc;
		/* A damaged cache is used as far as it goes; a file that is none of ours ends it, unless told to go on. */
		if (in[i].cache || in[i].record)
			one = add_jobs(&w, &in[i]);
		else
			unread = true;
		rc = one > rc ? one : rc;
	}
	if (w.package && (!unread || b->keep_going)) {
		sigaction(SIGINT, &act, NULL);
		sigaction(SIGTERM, &act, NULL);
		one = work_run(&w);
		if (ui.bar)
			fputs("\r\033[K", stderr);
		rc = one > rc ? one : rc;
		if (rc != XL_INTERNAL || !one)
			rc = finish(b, &w, rc);
	} else if (!w.package) {
		rc = XL_INTERNAL;
	}
	work_free(&w);
	xl_target_free(target);
	return rc;
}

int cmd_build(int argc, char **argv)
{
	struct build b = { .a = { .argc = argc, .argv = argv, .command = "build" } };
	struct input *in = calloc((size_t)argc, sizeof(*in));
	char text[2048];
	int rc;

	b.path = calloc((size_t)argc, sizeof(*b.path));
	if (!in || !b.path) {
		free(in);
		free(b.path);
		return XL_INTERNAL;
	}
	snprintf(text, sizeof(text), form, translate_usage);
	b.a.usage = text;
	rc = parse(&b) ? b.a.exit_code : build(&b, in);
	for (int i = 0; i < b.npath; i++)
		input_close(&in[i]);
	free(in);
	free(b.path);
	return rc;
}
