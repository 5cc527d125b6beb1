/* build_report.c - `build --report json`: stable, documented in xlate-build(1). */
#include "build.h"

void report_json(FILE *f, const struct work *w, const struct totals *t, const char *target)
{
	bool first = true;

	fprintf(f, "{\"xlate\":\"%s\",\"target\":", xl_version());
	json_string(f, target);
	fprintf(f, ",\"totals\":{\"programs\":%u,\"translated\":%u,\"refused\":%u,\"failed\":%u,\"words_in\":%llu,"
		"\"words_out\":%llu},\"programs\":[", t->programs, t->translated, t->refused, t->failed,
		(unsigned long long)t->words_in, (unsigned long long)t->words_out);
	for (uint32_t i = 0; i < w->njob; i++) {
		for (uint32_t k = 0; k < w->job[i].nout; k++) {
			const struct outcome *o = &w->job[i].out[k];

			fprintf(f, "%s\n{\"name\":", first ? "" : ",");
			json_string(f, o->name);
			fprintf(f, ",\"stage\":\"%s\",\"cpu\":", o->stage);
			json_string(f, o->cpu);
			fprintf(f, ",\"key\":\"%s\",\"status\":\"%s\",\"code\":", o->key,
				o->status == XL_OK ? "ok" : o->status == XL_REFUSED ? "refused" : "failed");
			json_string(f, o->code);
			fprintf(f, ",\"words_in\":%u,\"words_out\":%u,\"diagnostics\":[%s]}", o->words_in, o->words_out,
				o->json ? o->json : "");
			first = false;
		}
	}
	fputs("\n]}\n", f);
}
