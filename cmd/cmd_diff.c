/* cmd_diff.c - what changed between two packages: programs added, gone, and those that something else became of. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "OLD NEW [--json]\n\n"
	"One line a program that is not the same in both packages, then the counts. Exit 0: no differences, 1: some.\n"
	"Programs are the same by NAME.STAGE; of several with one name, those with equal keys go together first.\n\n"
	"  --json       the same as JSON\n"
	"  -q, --quiet  the exit status only\n";

/* What is compared of a program. */
struct row { const char *name, *state; char key[33], module[33], generated[33]; const char *code; uint32_t words; int status; bool paired; };
struct table { struct row *row; uint32_t n; struct xl_package *package; };
enum change { ADDED, GONE, LOST, WON, REASON, GREW, SHRANK, MODULE, GENERATED, KEY, STATE, SAME, CHANGES };
static const struct { const char *name, *text; } changes[CHANGES] = {
	[ADDED] = { "added", "added" }, [GONE] = { "gone", "gone" }, [LOST] = { "lost", "translated before, not now" },
	[WON] = { "won", "translated now, not before" }, [REASON] = { "reason", "refused for another reason" },
	[GREW] = { "grew", "more words" }, [SHRANK] = { "shrank", "fewer words" }, [MODULE] = { "module", "another module of as many words" },
	[GENERATED] = { "stage", "another generated stage, or one of the two has none" },
	[KEY] = { "key", "another guest program with the same result" },
	[STATE] = { "state", "the same in a pipeline of another state" }, [SAME] = { "same", "the same" },
};

static int load(struct table *t, const struct xl_package *p, struct xl_slot *slot)
{
	uint32_t n = xl_package_programs(p);

	t->row = calloc(n + 1u, sizeof(*t->row));
	if (!t->row)
		return XL_INTERNAL;
	for (t->n = 0; t->n < n; t->n++) {
		struct xl_package_program info;
		struct row *r = &t->row[t->n];

		xl_package_get(p, slot, t->n, &info);
		*r = (struct row){ .name = info.name, .state = info.state, .words = info.words, .status = info.status };
		memcpy(r->key, info.key, sizeof(r->key));
		memcpy(r->module, info.module, sizeof(r->module));
		memcpy(r->generated, info.generated, sizeof(r->generated));
		for (uint32_t i = 0; i < info.ndiag && !r->code && info.status != XL_OK; i++)
			r->code = strcmp(info.diag[i].severity, "error") ? NULL : info.diag[i].code;
		r->code = r->code ? r->code : "";
	}
	return 0;
}

static enum change compare(const struct row *a, const struct row *b)
{
	if ((a->status == XL_OK) != (b->status == XL_OK))
		return a->status == XL_OK ? LOST : WON;
	if (strcmp(a->code, b->code))
		return REASON;
	if (a->words != b->words)
		return a->words < b->words ? GREW : SHRANK;
	if (strcmp(a->module, b->module))
		return MODULE;
	if (strcmp(a->generated, b->generated))
		return GENERATED;
	if (strcmp(a->key, b->key))
		return KEY;
	return strcmp(a->state, b->state) ? STATE : SAME;
}

struct out { uint32_t count[CHANGES]; bool json, quiet, first; };

static void state(char *to, size_t cap, const struct row *r)
{
	if (r->status == XL_OK)
		snprintf(to, cap, "%u words", r->words);
	else
		snprintf(to, cap, "%s %s", r->status == XL_REFUSED ? "refused" : "failed", r->code);
}

static void json_state(const char *field, const struct row *r)
{
	static const char *const names[] = { [XL_OK] = "ok", [XL_REFUSED] = "refused", [XL_INTERNAL] = "failed" };

	printf(",\"%s\":", field);
	if (!r) {
		printf("null");
		return;
	}
	printf("{\"key\":\"%s\",\"status\":\"%s\",\"code\":", r->key, names[r->status]);
	json_string(stdout, r->status == XL_OK ? NULL : r->code);
	printf(",\"words\":%u}", r->words);
}

static void tell(struct out *o, enum change c, const struct row *a, const struct row *b)
{
	char was[80] = "", is[80] = "";

	o->count[c]++;
	if (c == SAME || o->quiet)
		return;
	if (o->json) {
		printf("%s\n{\"change\":\"%s\",\"name\":", o->first ? "" : ",", changes[c].name);
		json_string(stdout, (a ? a : b)->name);
		json_state("old", a);
		json_state("new", b);
		printf("}");
		o->first = false;
		return;
	}
	if (a)
		state(was, sizeof(was), a);
	if (b)
		state(is, sizeof(is), b);
	printf("%-7s %s: %s%s%s\n", changes[c].name, (a ? a : b)->name, was, a && b ? " -> " : "", is);
}

/* Rows [i, ie) and [k, ke) have one name. */
static void same_name(struct out *o, struct row *a, uint32_t na, struct row *b, uint32_t nb)
{
	for (uint32_t i = 0; i < na; i++) {
		for (uint32_t k = 0; k < nb && !a[i].paired; k++) {
			if (b[k].paired || strcmp(a[i].key, b[k].key))
				continue;
			a[i].paired = b[k].paired = true;
			tell(o, compare(&a[i], &b[k]), &a[i], &b[k]);
		}
	}
	for (uint32_t i = 0, k = 0; i < na || k < nb;) {
		if (i < na && a[i].paired)
			i++;
		else if (k < nb && b[k].paired)
			k++;
		else if (i < na && k < nb)
			tell(o, compare(&a[i], &b[k]), &a[i], &b[k]), i++, k++;
		else if (i < na)
			tell(o, GONE, &a[i++], NULL);
		else
			tell(o, ADDED, NULL, &b[k++]);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->key, y->key);
}

static void compare_all(struct out *o, struct table *a, struct table *b)
{
	/* A package is sorted, but nobody says so of a file that lies. */
	qsort(a->row, a->n, sizeof(*a->row), by_name);
	qsort(b->row, b->n, sizeof(*b->row), by_name);
	for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
		int c = i == a->n ? 1 : k == b->n ? -1 : strcmp(a->row[i].name, b->row[k].name);
		const char *name = c <= 0 ? a->row[i].name : b->row[k].name;
		uint32_t ie = i, ke = k;

		while (ie < a->n && !strcmp(a->row[ie].name, name))
			ie++;
		while (ke < b->n && !strcmp(b->row[ke].name, name))
			ke++;
		same_name(o, a->row + i, ie - i, b->row + k, ke - k);
		i = ie;
		k = ke;
	}
}

static void stamps(struct out *o, const struct xl_package *a, const struct xl_package *b)
{
	static const char *const what[] = { "translator", "options", "target", "requirements" };
	const char *x[4], *y[4];

	x[0] = xl_package_stamp(a, &x[1], &x[2], &x[3]);
	y[0] = xl_package_stamp(b, &y[1], &y[2], &y[3]);
	for (unsigned i = 0; i < 4; i++) {
		if (!strcmp(x[i], y[i]) || o->quiet)
			continue;
		if (o->json) {
			printf("%s\n{\"stamp\":\"%s\",\"old\":", o->first ? "" : ",", what[i]);
			json_string(stdout, x[i]);
			printf(",\"new\":");
			json_string(stdout, y[i]);
			printf("}");
			o->first = false;
		} else if (i < 3) {
			printf("stamp   %s: %s -> %s\n", what[i], x[i], y[i]);
		} else {
			printf("stamp   %s differ\n", what[i]);
		}
	}
}

static int diff(struct input *in, bool json, bool quiet)
{
	struct xl_slot *slot = xl_slot_new();
	struct table a = { 0 }, b = { 0 };
	struct out o = { .json = json, .quiet = quiet, .first = true };
	int rc = slot ? 0 : XL_INTERNAL;

	rc = rc ? rc : load(&a, in[0].package, slot);
	rc = rc ? rc : load(&b, in[1].package, slot);
	if (!rc) {
		if (json && !quiet)
			printf("[");
		stamps(&o, in[0].package, in[1].package);
		compare_all(&o, &a, &b);
		if (json && !quiet)
			printf("\n]\n");
		for (unsigned c = 0; c < CHANGES; c++) {
			if (!json && !quiet && o.count[c])
				printf("%8u %s\n", o.count[c], changes[c].text);
			rc |= c != SAME && o.count[c];
		}
	}
	free(a.row);
	free(b.row);
	xl_slot_free(slot);
	return rc;
}

int cmd_diff(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "diff", .usage = usage, .most = 2,
		.names = "two packages" };
	struct input in[2];
	bool json = false;
	int k, rc = 0, opened;

	while ((k = args_next(&a)) >= 0)
		json = true;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (a.npos < 2)
		return usage_error(&a, "OLD and NEW are needed");
	for (opened = 0; opened < 2 && !rc; opened++) {
		rc = input_open(&in[opened], a.pos[opened]);
		rc = rc ? rc : input_package(&in[opened]);
	}
	rc = rc ? rc : diff(in, json, a.quiet);
	while (opened)
		input_close(&in[--opened]);
	return rc;
}
