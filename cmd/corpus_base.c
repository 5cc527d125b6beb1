/* corpus_base.c - the baseline of a corpus: a line of tab-separated columns a program, "-" where something is not known; and what
 * changed since. */
#include "corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "family\tname\tstage\tstatus\tcode\tvalid\tequal\twords\tcost\n";
enum { COLUMNS = 9 };

int corpus_row_order(const void *a, const void *b)
{
	const struct corpus_row *x = a, *y = b;
	int c = strcmp(x->family, y->family);

	c = c ? c : strcmp(x->name, y->name);
	return c ? c : strcmp(x->stage, y->stage);
}

static char *field(const char *s)
{
	return strcmp(s, "-") ? strdup(s) : NULL;
}

static double value(const char *s)
{
	char *end;
	double v = strtod(s, &end);

	return *end || end == s || !(v >= 0) ? -1 : v;
}

static bool parse(struct corpus_base *b, size_t *cap, char *line)
{
	char *f[COLUMNS];
	struct corpus_row *grown, *r;
	unsigned n = 0;

	line[strcspn(line, "\r\n")] = 0;
	for (char *s = line; s && n < COLUMNS; s = strchr(s, '\t'), s = s ? (*s = 0, s + 1) : NULL)
		f[n++] = s;
	if (n != COLUMNS || !*f[0] || !*f[1] || !*f[2])
		return false;
	if (b->n == *cap) {
		grown = realloc(b->row, (*cap = *cap * 2 + 64) * sizeof(*grown));
		if (!grown)
			return false;
		b->row = grown;
	}
	r = &b->row[b->n];
	*r = (struct corpus_row){ .family = strdup(f[0]), .name = strdup(f[1]), .stage = strdup(f[2]), .status = field(f[3]), .code = field(f[4]),
		.valid = field(f[5]), .equal = field(f[6]), .words = value(f[7]), .cost = value(f[8]) };
	b->n++;
	return r->family && r->name && r->stage;
}

int corpus_base_read(struct corpus_base *b, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0, room = 0;
	unsigned number = 1;
	int rc = 0;

	if (!f && errno == ENOENT)
		return -1;
	if (!f) {
		fprintf(stderr, "%s: error: cannot read %s: %s [io]\n", path, path, strerror(errno));
		return XL_UNREADABLE;
	}
	if (getline(&line, &room, f) < 0 || strcmp(line, head))
		rc = XL_UNREADABLE;
	while (!rc && getline(&line, &room, f) > 0 && ++number)
		rc = parse(b, &cap, line) ? 0 : XL_UNREADABLE;
	if (rc)
		fprintf(stderr, "%s:%u: error: not a line of a baseline [io]\n", path, number);
	free(line);
	fclose(f);
	if (b->n)
		qsort(b->row, b->n, sizeof(*b->row), corpus_row_order);
	return rc;
}

void corpus_base_free(struct corpus_base *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		corpus_row_free(&b->row[i]);
	free(b->row);
	memset(b, 0, sizeof(*b));
}

static const struct corpus_row *find(const struct corpus_row *v, uint32_t n, const struct corpus_row *r)
{
	return n ? bsearch(r, v, n, sizeof(*r), corpus_row_order) : NULL;
}

static const char *dash(const char *s)
{
	return s ? s : "-";
}

static void put_number(FILE *f, const char *format, double v)
{
	if (v < 0)
		fputs("-", f);
	else
		fprintf(f, format, v);
}

int corpus_base_write(const struct corpus *c, const struct corpus_base *old, const char *path)
{
	struct xl_log log = stderr_log();
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	int rc = XL_INTERNAL;

	if (f)
		fputs(head, f);
	for (uint32_t i = 0; f && i < c->nrow; i++) {
		const struct corpus_row *r = &c->row[i], *was = find(old->row, old->n, r);
		/* What was not measured now stays as it was measured. */
		const char *equal = r->equal || !was ? r->equal : was->equal;

		fprintf(f, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t", r->family, r->name, r->stage, dash(r->status), dash(r->code), dash(r->valid), dash(equal));
		put_number(f, "%.0f", r->words);
		fputs("\t", f);
		put_number(f, "%.3f", r->cost < 0 && was ? was->cost : r->cost);
		fputs("\n", f);
	}
	if (f && !fclose(f))
		rc = (int)xl_file_write(path, text, n, &log);
	free(text);
	return rc;
}

/* ---- what changed */
enum verdict { SAME, OTHER, BETTER, WORSE };
struct finding { enum verdict verdict; char text[240]; };

static void found(struct finding *f, enum verdict v, const char *what, const char *was, const char *is)
{
	size_t n = strlen(f->text);

	snprintf(f->text + n, sizeof(f->text) - n, "%s%s%s%s -> %s", n ? ", " : "", what, *what ? " " : "", was, is);
	f->verdict = v > f->verdict ? v : f->verdict;
}

static int rank(const char *status)
{
	return !status || !strcmp(status, "failed") ? 2 : strcmp(status, "ok") != 0;
}

/* Good where it is `good`; what is not known is not compared. */
static void word(struct finding *f, const char *what, const char *good, const char *was, const char *is)
{
	if (!was || !is || !strcmp(was, is))
		return;
	found(f, !strcmp(was, good) ? WORSE : !strcmp(is, good) ? BETTER : OTHER, what, was, is);
}

static void amount(struct finding *f, const char *what, const char *format, double was, double is, double tolerance)
{
	char a[32], b[32];
	double by = was > 0 ? 100 * (is - was) / was : 0;

	snprintf(a, sizeof(a), format, was);
	snprintf(b, sizeof(b), format, is);
	/* A module that is gone is the status's matter. */
	if (was > 0 && is > 0 && strcmp(a, b))
		found(f, by > tolerance ? WORSE : by < -tolerance ? BETTER : SAME, what, a, b);
}

static void compare(struct finding *f, const struct corpus_row *was, const struct corpus_row *is, double tolerance)
{
	int a = rank(was->status), b = rank(is->status);

	memset(f, 0, sizeof(*f));
	if (a != b)
		found(f, b > a ? WORSE : BETTER, "", a ? dash(was->code) : "ok", b ? dash(is->code) : "ok");
	else if (a && strcmp(dash(was->code), dash(is->code)))
		found(f, OTHER, "", dash(was->code), dash(is->code));
	word(f, "valid", "yes", was->valid, is->valid);
	word(f, "result", "equal", was->equal, is->equal);
	amount(f, "words", "%.0f", was->words, is->words, tolerance);
	amount(f, "cost", "%.3f", was->cost, is->cost, tolerance);
}

static void junit_case(FILE *f, const struct corpus_row *r, const char *worse)
{
	if (!f)
		return;
	fputs("  <testcase classname=\"", f);
	xml_text(f, r->family);
	fputs("\" name=\"", f);
	xml_text(f, r->name);
	fputs(".", f);
	xml_text(f, r->stage);
	if (!worse) {
		fputs("\"/>\n", f);
		return;
	}
	fputs("\">\n    <failure message=\"", f);
	xml_text(f, worse);
	fputs("\"/>\n  </testcase>\n", f);
}

struct counts { uint32_t programs, ok, valid, equal, judged, worse, better, other, fresh, gone; };

static void count(struct counts *n, const struct corpus_row *r)
{
	n->programs++;
	n->ok += r->status && !strcmp(r->status, "ok");
	n->valid += r->valid && !strcmp(r->valid, "yes");
	n->judged += r->equal != NULL;
	n->equal += r->equal && !strcmp(r->equal, "equal");
}

static void line(FILE *f, bool quiet, const char *what, const struct corpus_row *r, const char *text)
{
	if (!quiet)
		fprintf(f, "%-7s %s %s.%s: %s\n", what, r->family, r->name, r->stage, text);
}

static void sums(FILE *f, const struct counts *n, bool base)
{
	fprintf(f, "%u programs: %u translated, %u valid", n->programs, n->ok, n->valid);
	if (n->judged)
		fprintf(f, ", %u of %u equal", n->equal, n->judged);
	if (base)
		fprintf(f, "; %u worse, %u better, %u otherwise changed, %u new, %u gone", n->worse, n->better, n->other, n->fresh, n->gone);
	fputs("\n", f);
}

uint32_t corpus_compare(FILE *f, const struct corpus *c, const struct corpus_base *b, double tolerance, bool quiet, FILE *junit)
{
	static const char *const names[] = { [OTHER] = "changed", [BETTER] = "better", [WORSE] = "worse" };
	struct counts n = { 0 };
	struct finding x;

	for (uint32_t i = 0; i < c->nrow; i++) {
		const struct corpus_row *r = &c->row[i], *was = b ? find(b->row, b->n, r) : NULL;

		count(&n, r);
		x.verdict = SAME;
		if (was)
			compare(&x, was, r, tolerance);
		n.fresh += b && !was;
		n.worse += x.verdict == WORSE;
		n.better += x.verdict == BETTER;
		n.other += x.verdict == OTHER;
		junit_case(junit, r, x.verdict == WORSE ? x.text : NULL);
		if (x.verdict != SAME)
			line(f, quiet, names[x.verdict], r, x.text);
		if (b && !was)
			line(f, quiet, "new", r, r->status && !strcmp(r->status, "ok") ? "ok" : dash(r->code));
	}
	for (uint32_t i = 0; b && i < b->n; i++) {
		if (find(c->row, c->nrow, &b->row[i]))
			continue;
		n.gone++;
		line(f, quiet, "gone", &b->row[i], "the folder has no such program");
		junit_case(junit, &b->row[i], "the folder has no such program");
	}
	sums(f, &n, b);
	return n.worse + n.gone;
}
