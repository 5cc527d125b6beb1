/* cmd_report.c - a package as one HTML page. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "PKG [CACHE] -o FILE.html\n\n"
	"One self-contained HTML page: totals, refusals by reason, the slowest and the largest, every program with search; and pages of\n"
	"programs. With the CACHE that the package was built from they show guest code, IR, pictures and remarks beside the module,\n"
	"and how long each took to translate.\n\n"
	"  -o, --output FILE        where to write; replaced at once, or not at all\n"
	"  --full                   a page for every program, nothing cut (default: as many as fit in 16 MiB, refused ones first)\n"
	"  --no-times               measure nothing: the same inputs give the same page\n"
	"  -t, --target NAME|FILE   translate for this profile (default: the package's)\n"
	"  -j, --jobs N             threads (default: the processors that this process may run on)\n"
	"  -q, --quiet              no summary\n";

/* ---- rows */
static bool fill(struct report *r, struct xl_slot *slot)
{
	const struct xl_package *p = r->package->package;

	r->nrow = xl_package_programs(p);
	r->row = calloc(r->nrow + 1u, sizeof(*r->row));
	r->page = calloc(r->nrow + 1u, sizeof(*r->page));
	for (uint32_t i = 0; r->row && r->page && i < r->nrow; i++) {
		struct report_row *row = &r->row[i];
		struct xl_package_program of;

		xl_package_get(p, slot, i, &of);
		*row = (struct report_row){ .index = i, .name = of.name, .stage = of.stage, .cpu = of.cpu, .wave = of.wave, .words = of.words,
			.guest_words = of.guest_words, .status = (int)of.status, .record = XL_NO_PROGRAM, .seconds = -1, .detail = XL_NO_PROGRAM };
		memcpy(row->key, of.key, sizeof(row->key));
		for (uint32_t k = 0; k < of.ndiag && !row->code && of.status != XL_OK; k++) {
			if (strcmp(of.diag[k].severity, "error"))
				continue;
			row->code = of.diag[k].code;
			row->text = strdup(of.diag[k].text);
		}
		if (of.status != XL_OK && !row->code)
			row->code = "unknown";
	}
	return r->row && r->page;
}

/* ---- the cache's programs by name and key */
struct where { char *name; char key[33]; uint32_t record, program; };

static int by_where(const void *a, const void *b)
{
	const struct where *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->key, y->key);
}

static bool find_all(struct report *r)
{
	struct where *v = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && i < input_records(r->cache); i++) {
		struct xl_record *record = input_read(r->cache, i);

		for (uint32_t k = 0; ok && record && k < xl_record_programs(record); k++) {
			struct xl_program_info info;

			if (n == cap) {
				struct where *grown = realloc(v, (cap = cap ? cap * 2 : 1024) * sizeof(*v));

				ok = grown != NULL;
				v = ok ? grown : v;
				if (!ok)
					break;
			}
			xl_record_program(record, k, &info);
			v[n] = (struct where){ strdup(info.name), "", i, k };
			memcpy(v[n].key, info.key, sizeof(v[n].key));
			ok = v[n++].name != NULL;
		}
		input_unread(r->cache, record);
	}
	if (ok && n)
		qsort(v, n, sizeof(*v), by_where);
	for (uint32_t i = 0; ok && n && i < r->nrow; i++) {
		struct where want = { (char *)(uintptr_t)r->row[i].name, "", 0, 0 }, *found;

		memcpy(want.key, r->row[i].key, sizeof(want.key));
		found = bsearch(&want, v, n, sizeof(*v), by_where);
		if (found) {
			r->row[i].record = found->record;
			r->row[i].program = found->program;
		}
	}
	while (n)
		free(v[--n].name);
	free(v);
	return ok;
}

/* ---- which programs get pages first: what went wrong, what took long, what is large; then as they come */
static int by_want(const void *a, const void *b)
{
	const struct report_row *x = *(const struct report_row *const *)a, *y = *(const struct report_row *const *)b;

	if (x->status != y->status)
		return x->status > y->status ? -1 : 1;
	if (x->words + x->guest_words != y->words + y->guest_words)
		return x->words + x->guest_words > y->words + y->guest_words ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static int by_time(const void *a, const void *b)
{
	const struct report_row *x = *(const struct report_row *const *)a, *y = *(const struct report_row *const *)b;

	return x->seconds != y->seconds ? (x->seconds > y->seconds ? -1 : 1) : x->index < y->index ? -1 : 1;
}

static void take(struct report *r, bool *taken, struct report_row *const *order, uint32_t n, bool wrong)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = order[i]->index;

		if (taken[k] || (wrong && order[i]->status == XL_OK))
			continue;
		taken[k] = true;
		r->page[r->npage++] = k;
	}
}

static bool choose(struct report *r)
{
	enum { SLOW = 100, LARGE = 100, WRONG = 400 };
	struct report_row **order = calloc(r->nrow + 1u, sizeof(*order));
	bool *taken = calloc(r->nrow + 1u, sizeof(*taken));
	uint32_t n = r->nrow;

	if (order && taken) {
		for (uint32_t i = 0; i < n; i++)
			order[i] = &r->row[i];
		qsort(order, n, sizeof(*order), by_want);
		take(r, taken, order, n < WRONG ? n : WRONG, true);
		qsort(order, n, sizeof(*order), by_time);
		if (n && order[0]->seconds >= 0)
			take(r, taken, order, n < SLOW ? n : SLOW, false);
		qsort(order, n, sizeof(*order), by_want);
		take(r, taken, order, n, true);
		take(r, taken, order, n < LARGE ? n : LARGE, false);
		for (uint32_t i = 0; i < n; i++)
			order[i] = &r->row[i];
		take(r, taken, order, n, false);
	}
	free(order);
	free(taken);
	return order && taken;
}

/* The policies of the stamp: words of the form name=value, and "debug". */
static void policies(struct report *r, struct args *a, const char *options)
{
	static const struct { const char *name; int opt; } names[] = { { "addresses=", OPT_ADDRESSES }, { "bounds=", OPT_BOUNDS },
		{ "float=", OPT_FLOAT }, { "debug", OPT_DEBUG } };
	char word[64];

	for (int n; sscanf(options, " %63[^ ]%n", word, &n) == 1; options += n) {
		for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (strncmp(word, names[i].name, strlen(names[i].name)))
				continue;
			a->value = word + strlen(names[i].name);
			translate_option(a, names[i].opt, &r->translate);
		}
	}
}

static int make(struct report *r, const char *output, bool times, bool quiet)
{
	struct xl_log log = stderr_log();
	struct xl_slot *slot = xl_slot_new();
	char *bytes = NULL;
	size_t size = 0;
	FILE *f = NULL;
	int rc = XL_INTERNAL;

	if (slot && fill(r, slot) && (!r->cache || find_all(r))) {
		if (r->cache && times)
			report_measure(r);
		r->bad |= !choose(r);
		if (!r->bad)
			report_pages(r);
		f = r->bad ? NULL : open_memstream(&bytes, &size);
	}
	if (f) {
		bool ok = report_write(r, f);

		rc = !fclose(f) && ok ? (int)xl_file_write(output, bytes, size, &log) : XL_INTERNAL;
	}
	if (!rc && !quiet) {
		uint32_t absent = 0, n = r->nchunk * REPORT_CHUNK < r->npage ? r->nchunk * REPORT_CHUNK : r->npage;

		fprintf(stderr, "%u programs, %u with a page%s, %zu bytes, written to %s\n", r->nrow, n,
			n < r->nrow ? " (--full: all)" : "", size, output);
		for (uint32_t i = 0; r->cache && i < r->nrow; i++)
			absent += r->row[i].record == XL_NO_PROGRAM;
		if (absent)
			fprintf(stderr, "%s: note: %u of the programs are not in this cache\n", r->cache->path, absent);
	}
	free(bytes);
	xl_slot_free(slot);
	for (uint32_t i = 0; r->row && i < r->nrow; i++)
		free(r->row[i].text);
	for (uint32_t i = 0; r->chunk && i < (r->npage + REPORT_CHUNK - 1) / REPORT_CHUNK; i++)
		free(r->chunk[i].v);
	free(r->chunk);
	free(r->row);
	free(r->page);
	return rc;
}

static int report(struct args *a, struct report *r, const char *output, bool times)
{
	const char *const *path = a->pos;
	struct input package, cache = { 0 };
	struct xl_target *target = NULL;
	const char *options, *own, *needs;
	int rc = input_open(&package, path[0]);

	if (rc)
		return rc;
	rc = input_package(&package);
	rc = rc ? rc : input_stays(a, path[0], output);
	if (path[1] && !rc) {
		rc = input_stays(a, path[1], output);
		rc = rc ? rc : input_open(&cache, path[1]);
		rc = rc ? rc : input_guest(&cache);
	}
	if (!rc) {
		xl_package_stamp(package.package, &options, &own, &needs);
		r->translate.target = r->translate.target ? r->translate.target : own;
		policies(r, a, options);
		target = translate_target(&r->translate, &rc);
	}
	if (target) {
		r->package = &package;
		r->cache = path[1] ? &cache : NULL;
		r->target = target;
		rc = make(r, output, times, a->quiet);
	}
	xl_target_free(target);
	input_close(&cache);
	input_close(&package);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	enum { OUTPUT, FULL, NO_TIMES, TARGET, JOBS };
	static const struct opt opts[] = { { "output", 'o', true }, { "full", 0, false }, { "no-times", 0, false }, { "target", 't', true },
		{ "jobs", 'j', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "report", .usage = usage, .most = 2,
		.names = "PKG and CACHE" };
	struct report r = { .threads = processors() };
	const char *output = NULL;
	bool times = true;
	int k, rc = 0;

	while (!rc && (k = args_next(&a)) >= 0) {
		if (k == OUTPUT)
			output = a.value;
		else if (k == FULL)
			r.full = true;
		else if (k == NO_TIMES)
			times = false;
		else if (k == TARGET)
			r.translate.target = a.value;
		else
			rc = args_jobs(&a, &r.threads);
	}
	if (rc)
		return rc;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!a.npos || !output || !*output)
		return usage_error(&a, a.npos ? "no --output" : "no package");
	return report(&a, &r, output, times);
}
