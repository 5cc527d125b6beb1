/* cmd_corpus.c - a corpus of recorded programs against its baseline. */
#define _GNU_SOURCE
#include "corpus.h"
#include "temp.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] = "run DIR [--update] [--executor VKEXEC] [--compiler RADVDUMP]\n\n"
	"Translates and validates every program recorded in the folders of DIR and compares with DIR/baseline.tsv: translated, valid,\n"
	"equal, words, cost. Prints what changed; exit 1 when something got worse or is gone.\n\n"
	"  --update                 write the baseline anew\n"
	"  --baseline FILE          another file than DIR/baseline.tsv\n"
	"  --executor VKEXEC        run original and translation and compare what they write (build/tests/vkexec)\n"
	"  --compiler RADVDUMP      compile original and translation with RADV and compare instructions (build/tests/radvdump)\n"
	"  --tolerance PERCENT      by how much words and cost may grow (default 1)\n"
	"  --report junit           a test case a program, on standard output; the table then goes to standard error\n"
	"  -j, --jobs N             worker processes (default: the processors that this process may run on)\n"
	"  -q, --quiet              the counts only\n";

struct run { const char *baseline, *executor, *compiler; unsigned long tolerance; bool update, junit; };

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int judge(const struct args *a, struct corpus *c, const struct run *r, const char *baseline)
{
	struct corpus_base base = { 0 };
	int rc = corpus_base_read(&base, baseline), fresh = rc == -1;
	char *xml = NULL;
	size_t n = 0;
	FILE *table = r->junit ? stderr : stdout, *junit = r->junit ? open_memstream(&xml, &n) : NULL;
	uint32_t worse = 0;

	rc = fresh ? 0 : rc;
	if (!rc)
		worse = corpus_compare(table, c, fresh ? NULL : &base, (double)r->tolerance, a->quiet, junit);
	if (junit && !fclose(junit) && !rc)
		printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"xlate corpus\" tests=\"%u\" failures=\"%u\" errors=\"0\">\n%s"
		       "</testsuite>\n", c->nrow, worse, xml);
	free(xml);
	if (!rc && r->update) {
		rc = corpus_base_write(c, &base, baseline);
		if (!rc && !a->quiet)
			fprintf(stderr, "%s is written\n", baseline);
	} else if (!rc && fresh) {
		fprintf(stderr, "%s: note: there is no baseline yet; --update writes it\n", baseline);
	} else if (!rc && worse) {
		rc = XL_REFUSED;
	}
	corpus_base_free(&base);
	return rc;
}

static int run(const struct args *a, struct corpus *c, const struct run *r)
{
	size_t len = strlen(c->dir) + 16;
	char *work = temp_name("xlate-corpus-"), *own = malloc(len);
	int rc = work && own ? corpus_find(c) : XL_INTERNAL;

	if (rc) {
		free(work);
		free(own);
		return rc;
	}
	snprintf(own, len, "%s/baseline.tsv", c->dir);
	c->stop = stop_on_signals();
	c->work = mkdtemp(work);
	if (!c->work) {
		perror(work);
		rc = XL_UNREADABLE;
	}
	rc = rc ? rc : corpus_translate(c, NULL, c->translate.target ? c->translate.target : "lavapipe", "modules", true);
	if (!rc && !*c->stop && r->executor)
		rc = corpus_execute(c, r->executor);
	if (!rc && !*c->stop && r->compiler)
		rc = corpus_costs(c, r->compiler);
	if (c->work)
		nftw(c->work, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (*c->stop && rc <= XL_REFUSED) {
		fprintf(stderr, "interrupted; the baseline is as it was\n");
		rc = XL_REFUSED;
	}
	rc = rc ? rc : judge(a, c, r, r->baseline ? r->baseline : own);
	free(work);
	free(own);
	return rc;
}

enum { UPDATE = OPT_OWN, BASELINE, EXECUTOR, COMPILER, TOLERANCE, REPORT, JOBS };

static int option(struct args *a, int k, struct run *r, struct corpus *c)
{
	switch (k) {
	case UPDATE: r->update = true; return 0;
	case BASELINE: r->baseline = a->value; return 0;
	case EXECUTOR: r->executor = a->value; return 0;
	case COMPILER: r->compiler = a->value; return 0;
	case TOLERANCE: return args_number(a->value, 1000, &r->tolerance) ? 0 : usage_error(a, "--tolerance is whole percent");
	case REPORT: r->junit = true; return strcmp(a->value, "junit") ? usage_error(a, "--report knows junit") : 0;
	case JOBS: return args_jobs(a, &c->threads);
	default: return translate_option(a, k, &c->translate);
	}
}

int cmd_corpus(int argc, char **argv)
{
	static const struct opt opts[] = { TRANSLATE_OPTS, { "update", 0, false }, { "baseline", 0, true }, { "executor", 0, true },
		{ "compiler", 0, true }, { "tolerance", 0, true }, { "report", 0, true }, { "jobs", 'j', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "corpus", .usage = usage, .more = translate_usage,
		.most = 2, .names = "run and DIR" };
	struct run r = { .tolerance = 1 };
	struct corpus c = { .threads = processors() };
	int k, rc = 0;

	while (!rc && (k = args_next(&a)) >= 0)
		rc = option(&a, k, &r, &c);
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (a.npos && strcmp(a.pos[0], "run"))
		return usage_error(&a, "it knows run, not %s", a.pos[0]);
	if (a.npos != 2)
		return usage_error(&a, a.npos ? "no DIR" : "run DIR is needed");
	c.dir = a.pos[1];
	rc = run(&a, &c, &r);
	corpus_free(&c);
	return rc;
}
