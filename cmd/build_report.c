/* build_report.c - totals, and `build --report json|junit`: stable, documented in xlate-build(1). */
#include "build.h"

#include <stdlib.h>
#include <string.h>

/* The code of the first error. */
static const char *code_of(const struct xl_package_program *p)
{
	for (uint32_t i = 0; i < p->ndiag; i++) {
		if (!strcmp(p->diag[i].severity, "error"))
			return p->diag[i].code;
	}
	return NULL;
}

static void count_reason(struct totals *t, const char *code)
{
	uint32_t i;

	for (i = 0; i < t->nreason && strcmp(t->reason[i].code, code); i++)
		;
	if (i == sizeof(t->reason) / sizeof(t->reason[0]))
		return;
	if (i == t->nreason)
		t->reason[t->nreason++] = (struct reason){ code, 0 };
	t->reason[i].n++;
}

static int by_count(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->code, y->code);
}

void totals_of(const struct work *w, struct totals *t, int *rc)
{
	memset(t, 0, sizeof(*t));
	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		*rc = j->status > *rc ? j->status : *rc;
		for (uint32_t k = 0; j->done && k < j->nout; k++) {
			struct xl_package_program p;
			const char *code;

			work_program(w, &j->out[k], &p);
			code = code_of(&p);
			t->programs++;
			t->translated += p.status == XL_OK;
			t->refused += p.status == XL_REFUSED;
			t->failed += p.status > XL_REFUSED;
			t->copied += j->out[k].how == HOW_COPIED;
			t->same += j->out[k].how == HOW_SAME;
			if (p.status == XL_OK) {
				t->words_in += p.guest_words;
				t->words_out += p.words;
			} else if (code) {
				count_reason(t, code);
			}
			*rc = (int)p.status > *rc ? (int)p.status : *rc;
		}
	}
	qsort(t->reason, t->nreason, sizeof(t->reason[0]), by_count);
}

void report_reasons(FILE *f, const struct totals *t)
{
	for (uint32_t i = 0; i < t->nreason; i++)
		fprintf(f, "%8u %s\n", t->reason[i].n, t->reason[i].code);
}

/* ---- JSON */
static void json_program(FILE *f, const struct xl_package_program *p, const struct outcome *o)
{
	static const char *const how[] = { "translated", "same", "copied" };
	size_t base = strlen(p->name) - strlen(p->stage) - 1;
	char *name = strndup(p->name, base);

	fputs("{\"name\":", f);
	json_string(f, name ? name : p->name);
	free(name);
	fprintf(f, ",\"stage\":\"%s\",\"cpu\":", p->stage);
	json_string(f, p->cpu);
	fprintf(f, ",\"key\":\"%s\",\"status\":\"%s\",\"code\":", p->key,
		p->status == XL_OK ? "ok" : p->status == XL_REFUSED ? "refused" : "failed");
	json_string(f, p->status == XL_OK ? NULL : code_of(p));
	fprintf(f, ",\"how\":\"%s\",\"words_in\":%u,\"words_out\":%u,\"diagnostics\":[", how[o->how], p->guest_words, p->words);
	for (uint32_t i = 0; i < p->ndiag; i++) {
		const struct xl_diag *d = &p->diag[i];

		fprintf(f, "%s{\"code\":\"%s\",\"kind\":\"%s\"", i ? "," : "", d->code, d->kind);
		if (d->addr != XL_NO_ADDR)
			fprintf(f, ",\"addr\":%u", d->addr);
		fputs(",\"inst\":", f);
		json_string(f, d->inst);
		fputs(",\"text\":", f);
		json_string(f, d->text);
		fputs("}", f);
	}
	fputs("]}", f);
}

void report_json(FILE *f, const struct work *w, const struct totals *t, const char *target)
{
	bool first = true;

	fprintf(f, "{\"schema\":1,\"xlate\":\"%s\",\"target\":", xl_version());
	json_string(f, target);
	fprintf(f, ",\"totals\":{\"programs\":%u,\"translated\":%u,\"refused\":%u,\"failed\":%u,\"copied\":%u,\"same\":%u,"
		"\"words_in\":%llu,\"words_out\":%llu},\"reasons\":{", t->programs, t->translated, t->refused, t->failed, t->copied,
		t->same, (unsigned long long)t->words_in, (unsigned long long)t->words_out);
	for (uint32_t i = 0; i < t->nreason; i++)
		fprintf(f, "%s\"%s\":%u", i ? "," : "", t->reason[i].code, t->reason[i].n);
	fputs("},\"unread\":[", f);
	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		if (!j->status)
			continue;
		fprintf(f, "%s{\"file\":", first ? "" : ",");
		json_string(f, j->in->path);
		fputs(",\"record\":", f);
		json_string(f, j->in->cache ? xl_cache_record_name(j->in->cache, j->record) : NULL);
		fputs("}", f);
		first = false;
	}
	fputs("],\"programs\":[", f);
	first = true;
	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		for (uint32_t k = 0; j->done && k < j->nout; k++) {
			struct xl_package_program p;

			work_program(w, &j->out[k], &p);
			fputs(first ? "\n" : ",\n", f);
			json_program(f, &p, &j->out[k]);
			first = false;
		}
	}
	fputs("\n]}\n", f);
}

/* ---- JUnit */
static void junit_program(FILE *f, const struct xl_package_program *p)
{
	const char *code = code_of(p), *tag = p->status == XL_REFUSED ? "failure" : "error";

	fputs("  <testcase classname=\"", f);
	xml_text(f, p->cpu);
	fprintf(f, ".%s\" name=\"", p->stage);
	xml_text(f, p->name);
	if (p->status == XL_OK) {
		fputs("\"/>\n", f);
		return;
	}
	fprintf(f, "\">\n    <%s type=\"%s\" message=\"", tag, code ? code : "");
	xml_text(f, p->ndiag ? p->diag[0].text : "");
	fputs("\">", f);
	for (uint32_t i = 0; i < p->ndiag; i++) {
		const struct xl_diag *d = &p->diag[i];

		if (d->isa && d->addr != XL_NO_ADDR)
			fprintf(f, "%s+0x%x: ", d->isa, d->addr);
		xml_text(f, d->inst);
		fputs(d->inst ? ": " : "", f);
		xml_text(f, d->text);
		fprintf(f, " [%s]\n", d->code);
	}
	fprintf(f, "</%s>\n  </testcase>\n", tag);
}

void report_junit(FILE *f, const struct work *w, const struct totals *t, const char *target)
{
	uint32_t unread = 0;

	for (uint32_t i = 0; i < w->njob; i++)
		unread += w->job[i].status != 0;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"xlate build ", f);
	xml_text(f, target);
	fprintf(f, "\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n", t->programs + unread, t->refused, t->failed + unread);
	for (uint32_t i = 0; i < w->njob; i++) {
		const struct job *j = &w->job[i];

		for (uint32_t k = 0; j->done && k < j->nout; k++) {
			struct xl_package_program p;

			work_program(w, &j->out[k], &p);
			junit_program(f, &p);
		}
		if (!j->status)
			continue;
		fputs("  <testcase classname=\"record\" name=\"", f);
		xml_text(f, j->in->cache ? xl_cache_record_name(j->in->cache, j->record) : j->in->path);
		fputs("\">\n    <error message=\"", f);
		xml_text(f, j->text);
		fputs("\"/>\n  </testcase>\n", f);
	}
	fputs("</testsuite>\n", f);
}
