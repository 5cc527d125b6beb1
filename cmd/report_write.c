/* report_write.c - the page: style, data and script in one file. A nonce made of the package's checksum and a content policy see to
 * it that only our own script runs and that nothing is fetched, whatever names a package holds. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

static const char graph_style[] =
#include "cmd_graph.css.inc"
	;
static const char style[] =
#include "cmd_report.css.inc"
	;
static const char body[] =
#include "cmd_report.html.inc"
	;
static const char script[] =
#include "cmd_report.js.inc"
	;

/* Strings to small numbers, in the order that they are met. */
struct names { const char **v; uint32_t n; size_t cap; bool bad; };

static uint32_t number_of(struct names *t, const char *s)
{
	const char **grown;

	for (uint32_t i = 0; i < t->n; i++) {
		if (!strcmp(t->v[i], s))
			return i;
	}
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 16;
		grown = realloc(t->v, t->cap * sizeof(*grown));
		if (!grown) {
			t->bad = true;
			return 0;
		}
		t->v = grown;
	}
	t->v[t->n] = s;
	return t->n++;
}

/* JSON that may stand in a script element: no '<'. */
static void safe_string(FILE *f, const char *s)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return;
	json_string(to, s);
	fclose(to);
	for (size_t i = 0; text && i < n; i++) {
		if (text[i] == '<' || text[i] == '>' || text[i] == '&')
			fprintf(f, "\\u%04x", (unsigned char)text[i]);
		else
			fputc(text[i], f);
	}
	free(text);
}

static void list(FILE *f, const char *field, const struct names *t)
{
	fprintf(f, ",\"%s\":[", field);
	for (uint32_t i = 0; i < t->n; i++) {
		fputs(i ? "," : "", f);
		safe_string(f, t->v[i]);
	}
	fputs("]\n", f);
}

static void rows(const struct report *r, FILE *f, struct names *stages, struct names *cpus, struct names *codes)
{
	fputs(",\"rows\":[", f);
	for (uint32_t i = 0; i < r->nrow; i++) {
		const struct report_row *row = &r->row[i];

		fprintf(f, "%s\n[", i ? "," : "");
		safe_string(f, row->name);
		fprintf(f, ",%u,%u,%u,%u,%u,%d,%d,\"%s\",", number_of(stages, row->stage), number_of(cpus, row->cpu), row->wave, row->guest_words,
			row->words, row->status == XL_OK ? 0 : row->status == XL_REFUSED ? 1 : 2,
			row->code ? (int)number_of(codes, row->code) : -1, row->key);
		fprintf(f, "%ld,%ld,", row->seconds < 0 ? -1L : (long)(row->seconds * 1e6),
			row->detail == XL_NO_PROGRAM ? -1L : (long)row->detail);
		safe_string(f, row->text ? row->text : "");
		fputs("]", f);
	}
	fputs("]\n", f);
}

static bool data(const struct report *r, FILE *f)
{
	struct names stages = { 0 }, cpus = { 0 }, codes = { 0 };
	const char *options, *target, *needs, *translator = xl_package_stamp(r->package->package, &options, &target, &needs);
	bool ok;

	fputs("<script type=\"application/json\" id=\"data\">{\"schema\":1,\"file\":", f);
	safe_string(f, strrchr(r->package->path, '/') ? strrchr(r->package->path, '/') + 1 : r->package->path);
	fputs(",\"translator\":", f);
	safe_string(f, translator);
	fputs(",\"options\":", f);
	safe_string(f, options);
	fputs(",\"target\":", f);
	safe_string(f, target);
	fprintf(f, ",\"cache\":%s,\"full\":%s,\"chunk\":%d,\"pages\":%u", r->cache ? "true" : "false", r->full ? "true" : "false", REPORT_CHUNK,
		r->nchunk * REPORT_CHUNK < r->npage ? r->nchunk * REPORT_CHUNK : r->npage);
	rows(r, f, &stages, &cpus, &codes);
	list(f, "stages", &stages);
	list(f, "cpus", &cpus);
	list(f, "codes", &codes);
	fputs("}</script>\n", f);
	ok = !stages.bad && !cpus.bad && !codes.bad;
	free(stages.v);
	free(cpus.v);
	free(codes.v);
	return ok;
}

static void base64(FILE *f, const uint8_t *v, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t w = (uint32_t)v[i] << 16 | (i + 1 < n ? (uint32_t)v[i + 1] << 8 : 0) | (i + 2 < n ? v[i + 2] : 0);

		fputc(digits[w >> 18], f);
		fputc(digits[w >> 12 & 63], f);
		fputc(i + 1 < n ? digits[w >> 6 & 63] : '=', f);
		fputc(i + 2 < n ? digits[w & 63] : '=', f);
	}
}

bool report_write(const struct report *r, FILE *f)
{
	unsigned long long nonce = xl_package_hash(r->package->package);
	const char *name = strrchr(r->package->path, '/');

	fprintf(f, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-%016llx'; "
		"script-src 'nonce-%016llx'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", nonce, nonce);
	xml_text(f, name ? name + 1 : r->package->path);
	fprintf(f, " \xc2\xb7 xlate report</title>\n<style nonce=\"%016llx\">\n%s%s</style>\n</head>\n", nonce, graph_style, style);
	fputs(body, f);
	if (!data(r, f))
		return false;
	for (uint32_t i = 0; i < r->nchunk; i++) {
		fprintf(f, "<script type=\"text/plain\" id=\"c%u\">", i);
		base64(f, r->chunk[i].v, r->chunk[i].n);
		fputs("</script>\n", f);
	}
	fprintf(f, "<script nonce=\"%016llx\">\n%s</script>\n</body>\n</html>\n", nonce, script);
	return !ferror(f);
}
