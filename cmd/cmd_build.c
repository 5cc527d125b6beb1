/* cmd_build.c - caches to a package: every program translated and validated, or refused with a reason. */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] = "CACHE... -o PKG [-t TARGET] [-j N]\n\n"
	"Translates every program of the caches (or record JSON files), validates the modules, writes the package. A refused\n"
	"program is reported and the rest goes on; the exit code is then 1. Programs are translated in worker processes: one\n"
	"that crashes, hangs or eats memory costs that program only, is reported, and the exit code is 4.\n\n"
	"  -o, --output PKG         where to write; replaced at once, or not at all\n"
	"  -j, --jobs N             worker processes (default: the processors that this process may run on)\n"
	"  --since OLD              take from this package what has not changed, if its stamp is ours\n"
	"  --shard I/N              part I of N (1 to N) of the records; xlate merge joins the packages\n"
	"  --keep-going             go on when an input cannot be read\n"
	"  --fail-fast              stop at the first program that is refused, and write nothing\n"
	"  --time-limit S           seconds of processor time for one program (default 60, 0 none)\n"
	"  --memory-limit MIB       memory of a worker process (default 2048, 0 none)\n"
	"  --keep-failed DIR        write the records of programs that crashed, hung or ate memory there\n"
	"  --no-isolation           threads instead of processes, no limits: a crash ends the build\n"
	"  --report json|junit      what became of every program, on standard output\n"
	"  --timing                 figures: seconds and words, on standard output\n"
	"  -q, --quiet              no summary and no progress\n";

static double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct ui {
	const struct work *w;
	bool bar;
	uint32_t said, refused, skipped; /* skipped: done before the start */
	double start, drawn;
};

static void say_job(struct ui *ui, const struct job *j)
{
	if (j->text)
		fputs(j->text, stderr);
	for (uint32_t k = 0; k < j->nout; k++) {
		struct xl_package_program p;

		work_program(ui->w, &j->out[k], &p);
		for (uint32_t i = 0; i < p.ndiag; i++)
			say_diag(stderr, &p.diag[i], j->in->path);
		ui->refused += p.status != XL_OK;
	}
}

static void say_done(struct ui *ui)
{
	for (; ui->said < ui->w->njob && ui->w->job[ui->said].done; ui->said++)
		say_job(ui, &ui->w->job[ui->said]);
}

static void progress(void *user)
{
	struct ui *ui = user;
	double t = clock_now(), s = t - ui->start;
	uint32_t done = ui->w->ndone - ui->skipped, left = ui->w->njob - ui->w->ndone;

	if (ui->said < ui->w->njob && ui->w->job[ui->said].done) {
		if (ui->bar && ui->drawn > 0)
			fputs("\r\033[K", stderr);
		say_done(ui);
	}
	if (!ui->bar || s < 1 || t - ui->drawn < 0.1)
		return;
	ui->drawn = t;
	fprintf(stderr, "\r\033[K%u of %u, %.0f/s, ", ui->w->ndone, ui->w->njob, done / s);
	if (done)
		fprintf(stderr, "%.0f s left, ", s * left / done);
	fprintf(stderr, "%u refused", ui->refused);
	fflush(stderr);
}

static void timing(const struct cost *c, double run, double write)
{
	printf("figure decode_seconds %.6f s\nfigure translate_seconds %.6f s\nfigure validate_seconds %.6f s\n", c->decode,
	       c->translate, c->validate);
	printf("figure pack_seconds %.6f s\nfigure run_seconds %.6f s\nfigure write_seconds %.6f s\n", c->pack, run, write);
	printf("figure guest_words %llu words\nfigure module_words %llu words\n", (unsigned long long)c->words_in,
	       (unsigned long long)c->words_out);
}

struct build {
	struct args a;
	struct translate t;
	const char *output, *since, *keep_failed, **path;
	bool keep_going, fail_fast, threads, timing;
	enum { REPORT_NONE, REPORT_JSON, REPORT_JUNIT } report;
	unsigned jobs;
	unsigned long time_limit, memory_limit;
	struct shard shard;
	int npath;
};

static bool shard_of(const char *s, struct shard *out)
{
	const char *slash = strchr(s, '/');
	char first[12];
	unsigned long i, n;

	if (!slash || (size_t)(slash - s) >= sizeof(first))
		return false;
	memcpy(first, s, (size_t)(slash - s));
	first[slash - s] = 0;
	if (!args_number(first, 1000000, &i) || !args_number(slash + 1, 1000000, &n) || !i || i > n)
		return false;
	*out = (struct shard){ (uint32_t)i, (uint32_t)n };
	return true;
}

enum { OUTPUT = OPT_OWN, JOBS, SINCE, SHARD, KEEP, FAST, TIME, MEMORY, KEEP_FAILED, THREADS, REPORT, TIMING };

static int option(struct build *b, int k)
{
	const char *v = b->a.value;

	switch (k) {
	case OUTPUT:
		b->output = v;
		return 0;
	case JOBS:
		return args_jobs(&b->a, &b->jobs);
	case SINCE:
		b->since = v;
		return 0;
	case SHARD:
		return shard_of(v, &b->shard) ? 0 : usage_error(&b->a, "--shard is I/N, I from 1 to N");
	case KEEP:
		b->keep_going = true;
		return 0;
	case FAST:
		b->fail_fast = true;
		return 0;
	case TIME:
		return args_number(v, 1000000, &b->time_limit) ? 0 : usage_error(&b->a, "--time-limit is whole seconds");
	case MEMORY:
		return args_number(v, 1 << 20, &b->memory_limit) ? 0 : usage_error(&b->a, "--memory-limit is MiB");
	case KEEP_FAILED:
		b->keep_failed = v;
		return 0;
	case THREADS:
		b->threads = true;
		return 0;
	case REPORT:
		b->report = !strcmp(v, "json") ? REPORT_JSON : !strcmp(v, "junit") ? REPORT_JUNIT : REPORT_NONE;
		return b->report ? 0 : usage_error(&b->a, "--report knows json and junit");
	default:
		b->timing = true;
		return 0;
	}
}

static int parse(struct build *b)
{
	static const struct opt opts[] = { TRANSLATE_OPTS, { "output", 'o', true }, { "jobs", 'j', true },
		{ "since", 0, true }, { "shard", 0, true }, { "keep-going", 'k', false }, { "fail-fast", 0, false },
		{ "time-limit", 0, true }, { "memory-limit", 0, true }, { "keep-failed", 0, true },
		{ "no-isolation", 0, false }, { "report", 0, true }, { "timing", 0, false }, { NULL, 0, false } };
	int k;

	b->a.opt = opts;
	b->jobs = processors();
	b->time_limit = 60;
	b->memory_limit = 2048;
	while ((k = args_next(&b->a)) >= 0 || k == ARGS_POSITIONAL) {
		int rc = 0;

		if (k == ARGS_POSITIONAL)
			b->path[b->npath++] = b->a.value;
		else
			rc = k < OPT_OWN ? translate_option(&b->a, k, &b->t) : option(b, k);
		if (rc) {
			b->a.exit_code = rc;
			return -1;
		}
	}
	if (k == ARGS_STOP)
		return -1;
	for (int i = 0; b->output && i < b->npath; i++) {
		b->a.exit_code = input_stays(&b->a, b->path[i], b->output);
		if (b->a.exit_code)
			return -1;
	}
	if (b->npath && b->output && *b->output)
		return 0;
	b->a.exit_code = usage_error(&b->a, !b->npath ? "no CACHE" : "no --output");
	return -1;
}

/* Everything is translated: write, report, sum up. */
static int finish(const struct build *b, struct work *w, double start, int rc)
{
	struct xl_log log = stderr_log();
	double ran = clock_now();
	struct totals t;
	int wrote = 0, one;

	totals_of(w, &t, &rc);
	if (*w->stop || w->refused) {
		fprintf(stderr, "%s after %u programs; %s is as it was\n", w->refused ? "stopped" : "interrupted", t.programs,
			b->output);
		return rc > XL_REFUSED ? rc : XL_REFUSED;
	}
	if (b->keep_failed) {
		one = keep_failed(w, b->keep_failed);
		rc = one > rc ? one : rc;
	}
	if (b->report == REPORT_JSON)
		report_json(stdout, w, &t, xl_target_name(w->target));
	if (b->report == REPORT_JUNIT)
		report_junit(stdout, w, &t, xl_target_name(w->target));
	wrote = (int)xl_package_write(w->package, b->output, &log);
	rc = wrote > rc ? wrote : rc;
	if (b->timing)
		timing(&w->cost, ran - start, clock_now() - ran);
	if (b->a.quiet)
		return rc;
	fprintf(stderr, "%u programs: %u translated, %u refused%s%s\n", t.programs, t.translated, t.refused + t.failed,
		wrote ? "" : ", written to ", wrote ? "" : b->output);
	report_reasons(stderr, &t);
	if (t.copied)
		fprintf(stderr, "%u were copied from %s\n", t.copied, b->since);
	if (t.same)
		fprintf(stderr, "%u are the same as others\n", t.same);
	return rc;
}

/* Inputs to jobs. 0, or the exit code so far; *unread: one is none of ours. */
static int read_inputs(const struct build *b, struct work *w, struct input *in, bool *unread)
{
	struct map seen = { 0 };
	int rc = 0, one;

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
			one = jobs_add(w, &in[i], b->shard, &seen);
		else
			*unread = true;
		rc = one > rc ? one : rc;
	}
	map_free(&seen);
	return rc;
}

/* An older package helps or does not: whatever is wrong with it, everything is translated then. */
static struct xl_package *open_since(const struct build *b, const struct work *w)
{
	struct xl_log log = stderr_log();
	struct xl_package *p = b->since ? xl_package_open(b->since, &log, NULL) : NULL;
	bool fine = p && xl_package_same_stamp(w->package, p);

	if (p && !fine && !b->a.quiet)
		fprintf(stderr, "%s: note: another translator, target or other options made it: nothing is taken from it\n", b->since);
	if (fine && !xl_package_check_packed(p, &log) && !xl_package_index(p))
		return p;
	xl_package_free(p);
	return NULL;
}

static int run(const struct build *b, struct work *w, int rc)
{
	struct ui ui = { .w = w, .bar = !b->a.quiet && isatty(2), .start = clock_now() };
	int one;

	w->progress = progress;
	w->user = &ui;
	w->stop = stop_on_signals();
	one = jobs_copy(w);
	ui.skipped = w->ndone;
	if (!one)
		one = work_run(w);
	if (ui.drawn > 0)
		fputs("\r\033[K", stderr);
	if (w->slot)
		say_done(&ui);
	if (one == XL_INTERNAL)
		fprintf(stderr, "error: the build cannot go on: no memory, or no processes [out-of-memory]\n");
	if (one)
		return one;
	if (w->refused) /* what came after the first that is not done has not been said */
		for (; ui.said < w->njob; ui.said++)
			if (w->job[ui.said].done)
				say_job(&ui, &w->job[ui.said]);
	return finish(b, w, ui.start, rc);
}

static int build(struct build *b, struct input *in)
{
	struct work w = { .translate = &b->t, .timing = b->timing, .threads = b->jobs,
		.fail_fast = b->fail_fast, .isolated = !b->threads, .time_limit = (double)b->time_limit,
		.memory_limit = b->memory_limit };
	struct xl_target *target;
	struct xl_package *since = NULL;
	bool unread = false;
	int rc = 0;

	target = translate_target(&b->t, &rc);
	if (!target)
		return rc;
	w.target = target;
	w.package = xl_package_writer_new(target, &b->t.options);
	rc = w.package ? read_inputs(b, &w, in, &unread) : XL_INTERNAL;
	if (w.package && (!unread || b->keep_going)) {
		w.since = since = open_since(b, &w);
		rc = run(b, &w, rc);
	}
	work_free(&w);
	xl_package_free(since);
	xl_target_free(target);
	return rc;
}

int cmd_build(int argc, char **argv)
{
	struct build b = { .a = { .argc = argc, .argv = argv, .command = "build", .usage = usage, .more = translate_usage } };
	struct input *in = calloc((size_t)argc, sizeof(*in));
	int rc;

	b.path = calloc((size_t)argc, sizeof(*b.path));
	if (!in || !b.path) {
		free(in);
		free(b.path);
		return XL_INTERNAL;
	}
	rc = parse(&b) ? b.a.exit_code : build(&b, in);
	for (int i = 0; i < b.npath; i++)
		input_close(&in[i]);
	free(in);
	free(b.path);
	return rc;
}
