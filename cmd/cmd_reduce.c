/* cmd_reduce.c - the smallest program that still fails the same way. */
#include "reduce.h"
#include "temp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] = "CACHE [--program] KEY -o SMALL.xgc [--test COMMAND]\n\n"
	"Makes a failing program small: leaves out other programs, resources and facts, code and operands, as long as it fails the same\n"
	"way: the same diagnostic code at the same mnemonic, or the same signal, or a hang.\n\n"
	"  --program KEY            the program; as the second argument, too\n"
	"  -o, --output SMALL.xgc   a cache with the small program's record\n"
	"  --test COMMAND           what decides instead: run by sh with a cache as its last argument, 0 is `still interesting`\n"
	"  --attempts N             try N candidates at most (default 20000)\n"
	"  --time-limit S           seconds of processor time for a candidate; more is a hang (default 60)\n"
	"  -q, --quiet              no summary and no progress\n";

static const char *end_text(const struct reduce_end *e, char *text, size_t cap)
{
	static const char *const kinds[] = { [END_OK] = "translated", [END_REFUSED] = "refused", [END_CRASH] = "crash", [END_HANG] = "hang",
		[END_MEMORY] = "out of memory" };

	if (e->kind == END_REFUSED)
		snprintf(text, cap, "%s%s%s", e->code, *e->inst ? " at " : "", e->inst);
	else if (e->signal && e->kind == END_CRASH)
		snprintf(text, cap, "crash, signal %d", e->signal);
	else
		snprintf(text, cap, "%s", kinds[e->kind]);
	return text;
}

/* ---- parts: chunks of half, a quarter, ... of those that are left */
static bool parts(struct reduce *r)
{
	uint8_t *keep = malloc(r->nkeep + 1u);
	uint32_t *v = malloc((r->nkeep + 1u) * sizeof(*v)), n = 0;
	bool gained = false;

	for (uint32_t i = 0; v && i < r->nkeep; i++) {
		if (r->keep[i])
			v[n++] = i;
	}
	for (uint32_t chunk = keep && v ? n : 0; chunk; chunk /= 2) {
		for (uint32_t i = 0; i < n && reduce_goes_on(r); i += chunk) {
			bool any = false;

			memcpy(keep, r->keep, r->nkeep);
			for (uint32_t k = i; k < i + chunk && k < n; k++) {
				any |= keep[v[k]];
				keep[v[k]] = 0;
			}
			gained |= any && reduce_try(r, &r->code, keep);
		}
	}
	free(keep);
	free(v);
	return gained;
}

static uint32_t kept(const struct reduce *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nkeep; i++)
		n += r->keep[i];
	return n;
}

static void shrink(struct reduce *r, bool bar)
{
	bool again = true;

	while (again && reduce_goes_on(r)) {
		again = parts(r);
		again |= reduce_cut(r);
		again |= reduce_blank(r);
		again |= reduce_remove(r);
		again |= reduce_operands(r);
		if (bar)
			fprintf(stderr, "\r\033[K%lu attempts: %u instructions, %u parts", r->attempts - r->left, reduce_instructions(r, &r->code),
				kept(r));
	}
	if (bar)
		fputs("\r\033[K", stderr);
}

static int finish(const struct reduce *r, const char *output, uint32_t before, bool quiet)
{
	struct xl_log log = stderr_log();
	struct xl_cache_writer *w = xl_cache_writer_new();
	uint32_t program;
	struct xl_record *small = reduce_record(r, &r->code, r->keep, &program);
	int rc = w && small && !xl_cache_add(w, small) ? (int)xl_cache_write(w, output, &log) : XL_INTERNAL;

	if (!rc && !quiet) {
		char text[96];

		fprintf(stderr, "%s: %u instructions of %u, %u parts of %u, %u bytes of code of %u, after %lu attempts%s\n%s\n",
			r->test ? "the command says yes" : end_text(&r->want, text, sizeof(text)), reduce_instructions(r, &r->code), before, kept(r), r->nkeep,
			r->code.size, r->info.code_size, r->attempts - r->left,
			*r->stop ? " (interrupted)" : r->left ? "" : " (all that were allowed)", output);
	}
	xl_record_free(small);
	xl_cache_writer_free(w);
	return rc ? rc : *r->stop ? XL_REFUSED : 0;
}

static int reduce(struct reduce *r, const struct args *a, const char *output)
{
	char *candidate = r->test ? temp_name("xlate-reduce-") : NULL, text[96];
	int fd, rc = XL_INTERNAL;
	uint32_t before;

	xl_record_program(r->record, r->program, &r->info);
	r->nkeep = xl_record_parts(r->record, r->program);
	r->code = (struct reduce_code){ malloc(r->info.code_size + 16u), r->info.code_size, r->info.exec_size, r->info.entry };
	r->keep = malloc(r->nkeep + 1u);
	fd = candidate ? mkstemp(candidate) : -1;
	if (fd >= 0) {
		close(fd);
	} else if (candidate) {
		perror(candidate);
		rc = XL_UNREADABLE;
	}
	r->candidate = candidate;
	r->stop = stop_on_signals();
	r->left = r->attempts;
	if (r->code.v && r->keep && (!r->test || fd >= 0) && (r->test || reduce_end_of(r, r->record, r->program, &r->want))) {
		memcpy(r->code.v, r->info.code, r->info.code_size);
		memset(r->keep, 1, r->nkeep);
		before = reduce_instructions(r, &r->code);
		if (!r->test && r->want.kind == END_OK) {
			fprintf(stderr, "%s: error: it does not fail; --test says what is interesting [not-found]\n", r->info.name);
			rc = XL_USAGE;
		} else if (!reduce_try(r, &r->code, r->keep)) {
			rc = *r->stop ? XL_REFUSED : XL_USAGE;
			if (!*r->stop)
				fprintf(stderr, "%s: error: %s as a record by itself [not-found]\n", r->info.name,
					r->test ? "the command does not exit with 0 for it" : "it does not fail the same way");
		} else {
			if (!a->quiet && !r->test)
				fprintf(stderr, "%s: %s\n", r->info.name, end_text(&r->want, text, sizeof(text)));
			shrink(r, !a->quiet && isatty(2));
			rc = finish(r, output, before, a->quiet);
		}
	}
	if (fd >= 0)
		unlink(candidate);
	free(candidate);
	free(r->code.v);
	free(r->keep);
	return rc;
}

enum { PROGRAM = OPT_OWN, OUTPUT, TEST, ATTEMPTS, TIME };

static int option(struct args *a, int k, struct reduce *r, const char **output, const char **key)
{
	unsigned long n;

	switch (k) {
	case PROGRAM: *key = a->value; return 0;
	case OUTPUT: *output = a->value; return 0;
	case TEST: r->test = a->value; return 0;
	case ATTEMPTS: return args_number(a->value, 100000000, &r->attempts) && r->attempts ? 0 : usage_error(a, "--attempts is 1 or more");
	case TIME:
		if (!args_number(a->value, 100000, &n) || !n)
			return usage_error(a, "--time-limit is whole seconds");
		r->time_limit = (unsigned)n;
		return 0;
	default: return translate_option(a, k, &r->translate);
	}
}

int cmd_reduce(int argc, char **argv)
{
	static const struct opt opts[] = { TRANSLATE_OPTS, { "program", 0, true }, { "output", 'o', true }, { "test", 0, true },
		{ "attempts", 0, true }, { "time-limit", 0, true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "reduce", .usage = usage, .more = translate_usage,
		.most = 2, .names = "CACHE and KEY" };
	struct reduce r = { .attempts = 20000, .time_limit = 60 };
	const char *key = NULL, *output = NULL;
	struct xl_target *target;
	struct input in;
	struct picked p;
	int k, rc = 0;

	while (!rc && (k = args_next(&a)) >= 0)
		rc = option(&a, k, &r, &output, &key);
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!a.npos || !output || !*output)
		return usage_error(&a, a.npos ? "no --output" : "no CACHE");
	if (key && a.npos == 2)
		return usage_error(&a, "one KEY only");
	if (key)
		a.pos[a.npos++] = key;
	rc = open_and_pick(&a, &in, &p);
	if (rc)
		return rc;
	rc = input_guest(&in);
	rc = rc ? rc : input_stays(&a, in.path, output);
	target = rc ? NULL : translate_target(&r.translate, &rc);
	if (target) {
		r.record = p.record;
		r.program = p.program;
		r.target = target;
		rc = reduce(&r, &a, output);
	}
	xl_target_free(target);
	if (p.record)
		input_unread(&in, p.record);
	input_close(&in);
	return rc;
}
