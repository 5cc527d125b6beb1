/* report_page.c - all that is shown of one program: guest code, IR, SPIR-V, pictures, remarks, diagnostics; as JSON. */
#include "graph.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

struct dump { char *pass, *text; bool bad; };

static void on_dump(void *user, const char *pass, const char *text)
{
	struct dump *d = user;

	free(d->pass);
	free(d->text);
	d->pass = strdup(pass);
	d->text = strdup(text);
	d->bad |= !d->pass || !d->text;
}

/* The text, cut at the end of a line where it is long, and a line that says so. */
static void put_text(const struct report *r, FILE *f, const char *field, char *s)
{
	size_t n = s ? strlen(s) : 0, keep = REPORT_TEXT;

	if (!s)
		return;
	fprintf(f, ",\"%s\":", field);
	if (r->full || n <= keep) {
		json_string(f, s);
		return;
	}
	while (keep && s[keep - 1] != '\n')
		keep--;
	s[keep] = 0;
	json_string(f, s);
	fprintf(f, ",\"%s_cut\":%zu", field, n - keep);
}

static char *disassembly(const struct xl_program_info *p)
{
	char *bytes = NULL, text[512];
	size_t size = 0, step;
	FILE *f = open_memstream(&bytes, &size);

	if (!f)
		return NULL;
	for (size_t at = xl_isa_next(p->cpu, p->code, p->exec_size, 0); at < p->exec_size;
	     at = xl_isa_next(p->cpu, p->code, p->exec_size, at + step)) {
		int n = xl_disassemble(p->cpu, p->wave, p->code, p->exec_size, at, text, sizeof(text));

		step = n > 0 ? (size_t)n : 4;
		fprintf(f, "%5zx  %s\n", at, n > 0 ? text : n == -2 ? "!truncated" : "!invalid");
		if (size > REPORT_TEXT * 64u) /* nobody reads that */
			break;
	}
	if (fclose(f)) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static void picture(struct report_worker *w, FILE *f, const char *field, const struct xl_program_info *p, const char *ir)
{
	struct graph_limits limits = w->r->full ? GRAPH_LIMITS : (struct graph_limits){ 120, 24, 72 };
	char *svg = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&svg, &n);
	struct graph g;
	bool ok;

	graph_init(&g, limits);
	if (ir)
		graph_of_ir(&g, ir);
	else
		graph_of_code(&g, p);
	graph_layout(&g);
	ok = to && graph_svg(&g, to, ir ? "IR" : p->cpu, false);
	ok = to && !fclose(to) && ok;
	if (ok) {
		fprintf(f, ",\"%s\":", field);
		json_string(f, svg);
	}
	w->bad |= !ok;
	free(svg);
	graph_free(&g);
}

static void diags(FILE *f, const struct xl_diag *d, uint32_t n)
{
	fputs(",\"diag\":[", f);
	for (uint32_t i = 0; i < n; i++) {
		fprintf(f, "%s[%lld,", i ? "," : "", d[i].addr == XL_NO_ADDR ? -1LL : (long long)d[i].addr);
		json_string(f, d[i].severity);
		fputs(",", f);
		json_string(f, d[i].inst);
		fputs(",", f);
		json_string(f, d[i].text);
		fputs(",", f);
		json_string(f, d[i].code);
		fputs("]", f);
	}
	fputs("]", f);
}

static void remarks(const struct report *r, FILE *f, const struct xl_translation *t)
{
	uint32_t n = !r->full && t->nremark > 400 ? 400 : t->nremark;

	fputs(",\"remark\":[", f);
	for (uint32_t i = 0; i < n; i++) {
		fprintf(f, "%s[%lld,", i ? "," : "", t->remark[i].addr == XL_NO_ADDR ? -1LL : (long long)t->remark[i].addr);
		json_string(f, t->remark[i].pass);
		fputs(",", f);
		json_string(f, t->remark[i].text);
		fputs("]", f);
	}
	fprintf(f, "],\"remark_cut\":%u", t->nremark - n);
}

static void translated(struct report_worker *w, FILE *f, const struct report_row *row, const struct xl_record *record,
		       const struct xl_program_info *p, const uint32_t *words, size_t nwords)
{
	struct xl_options o = w->r->translate.options;
	const struct xl_translation *t;
	struct dump d = { 0 };

	o.dump = on_dump;
	o.user = &d;
	t = xl_translate(w->context, record, row->program, &o);
	remarks(w->r, f, t);
	w->bad |= d.bad;
	if ((t->words != NULL) != (words != NULL) || (words && (t->nwords != nwords || memcmp(t->words, words, nwords * 4))))
		fputs(",\"differs\":true", f);
	if (d.text && d.pass) {
		picture(w, f, "ir_svg", p, d.text);
		fputs(",\"after\":", f);
		json_string(f, d.pass);
		put_text(w->r, f, "ir", d.text);
	}
	free(d.pass);
	free(d.text);
}

static void spirv(struct report_worker *w, FILE *f, const char *field, const uint32_t *words, size_t nwords)
{
	struct xl_log log = { 0 };
	char *text = words ? xl_spirv_text(w->context, words, nwords, &log) : NULL;

	put_text(w->r, f, field, text);
	free(text);
}

void report_page(struct report_worker *w, FILE *f, const struct report_row *row)
{
	const struct report *r = w->r;
	struct xl_record *record = row->record == XL_NO_PROGRAM ? NULL : input_read(r->cache, row->record);
	struct xl_log log = { 0 };
	struct xl_package_program of;
	struct xl_program_info p;
	const uint32_t *words;
	size_t nwords = 0;
	char *text;

	fputs("{\"name\":", f);
	json_string(f, row->name);
	xl_package_get(r->package->package, w->slot, row->index, &of);
	diags(f, of.diag, of.ndiag);
	words = of.generated_words ? xl_package_generated(r->package->package, w->slot, row->index, &nwords, &log) : NULL;
	spirv(w, f, "geom", words, nwords);
	words = row->words ? xl_package_module(r->package->package, w->slot, row->index, &nwords, &log) : NULL;
	spirv(w, f, "spv", words, nwords);
	if (record) {
		xl_record_program(record, row->program, &p);
		text = disassembly(&p);
		put_text(r, f, "dis", text);
		free(text);
		picture(w, f, "svg", &p, NULL);
		if (row->status != XL_INTERNAL)
			translated(w, f, row, record, &p, words, nwords);
		input_unread(r->cache, record);
	}
	fputs("}", f);
}
