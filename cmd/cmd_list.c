/* cmd_list.c - what is in a cache or package: a table, or JSON. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "FILE [--json] [--pipelines]\n\n"
	"One line a program: number, key, stage, cpu, wave size, guest words, module words (packages), name.\n\n"
	"  --json        an array of objects\n"
	"  --pipelines   of a package: the programs that were captured together, and the state they were captured with\n";

static void row(bool json, uint32_t i, const char *key, const char *stage, const char *cpu, uint32_t wave, uint32_t words,
		const char *module, const char *name, const char *code, uint32_t generated)
{
	if (!json) {
		printf("%5u  %.12s  %-6s %-8s %2u %8u %8s  %s%s\n", i, key, stage, cpu, wave, words, module, name,
		       generated ? " + geom" : "");
		return;
	}
	printf("%s\n{\"number\":%u,\"name\":", i ? "," : "", i);
	json_string(stdout, name);
	printf(",\"key\":\"%s\",\"stage\":\"%s\",\"cpu\":", key, stage);
	json_string(stdout, cpu);
	printf(",\"wave\":%u,\"guest_words\":%u", wave, words);
	if (*module)
		printf(",\"status\":\"%s\",\"words\":%s", code ? "refused" : "ok", code ? "0" : module);
	if (generated)
		printf(",\"generated\":{\"stage\":\"geom\",\"words\":%u}", generated);
	if (code) {
		printf(",\"code\":");
		json_string(stdout, code);
	}
	printf("}");
}

static void list_package(const struct xl_package *p, struct xl_slot *slot, bool json)
{
	for (uint32_t i = 0; i < xl_package_programs(p); i++) {
		struct xl_package_program info;
		char words[16];

		xl_package_get(p, slot, i, &info);
		snprintf(words, sizeof(words), "%u", info.words);
		row(json, i, info.key, info.stage, info.cpu, info.wave, info.guest_words, info.words ? words : "refused", info.name,
		    info.words ? NULL : info.ndiag ? info.diag[0].code : "", info.generated_words);
	}
}

/* Lines become items; JSON strings stand alone. */
static void state(const char *s, bool json)
{
	for (const char *sep = json ? "" : "  "; *s; sep = json ? "," : ", ") {
		size_t n = strcspn(s, "\n");
		char line[160];

		snprintf(line, sizeof(line), "%.*s", (int)n, s);
		s += n + (s[n] == '\n');
		printf("%s", sep);
		if (json)
			json_string(stdout, line);
		else
			printf("%s", line);
	}
}

static int list_pipelines(struct xl_package *p, struct xl_slot *slot, bool json)
{
	if (xl_package_index_pipelines(p))
		return XL_INTERNAL;
	for (uint32_t i = 0; i < xl_package_pipelines(p); i++) {
		struct xl_package_pipeline one;
		char name[512];
		int refused = 0;

		xl_package_pipeline(p, i, &one);
		snprintf(name, sizeof(name), "%.*s", (int)one.name_length, one.name);
		printf(json ? "%s\n{\"number\":%u,\"name\":" : "%.0s%5u  ", i ? "," : "", i);
		if (json)
			json_string(stdout, name);
		else
			printf("%s ", name);
		printf("%s", json ? ",\"programs\":[" : "");
		for (uint32_t k = 0; k < one.nprogram; k++) {
			struct xl_package_program info;

			xl_package_get(p, slot, one.program[k], &info);
			refused |= !info.words;
			printf(json ? "%s{\"number\":%u,\"stage\":\"%s\",\"status\":\"%s\"}" : "%.0s%.0u %s%.0s", k ? "," : "",
			       json ? one.program[k] : 0, info.stage, info.words ? "ok" : "refused");
		}
		printf("%s", json ? "],\"state\":[" : refused ? "  refused" : "");
		state(one.state, json);
		printf("%s", json ? "]}" : "\n");
	}
	return 0;
}

static int list_records(const struct input *in, bool json)
{
	uint32_t number = 0;
	int rc = in->cache && xl_cache_damaged(in->cache) ? XL_UNREADABLE : 0;

	for (uint32_t i = 0; i < input_records(in); i++) {
		struct xl_record *r = input_read(in, i);

		if (!r)
			rc = XL_UNREADABLE;
		for (uint32_t k = 0; r && k < xl_record_programs(r); k++, number++) {
			struct xl_program_info info;

			xl_record_program(r, k, &info);
			row(json, number, info.key, info.stage, info.cpu, info.wave, info.words, "", info.name, NULL, 0);
		}
		input_unread(in, r);
	}
	return rc;
}

int cmd_list(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { "pipelines", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "list", .usage = usage, .most = 1,
		.names = "one FILE" };
	struct xl_slot *slot;
	struct input in;
	bool json = false, pipelines = false;
	int k, rc;

	while ((k = args_next(&a)) >= 0) {
		json |= k == 0;
		pipelines |= k == 1;
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!a.npos)
		return usage_error(&a, "no FILE");
	rc = input_open(&in, a.pos[0]);
	if (!rc && pipelines)
		rc = input_package(&in);
	if (rc) {
		input_close(&in);
		return rc;
	}
	slot = xl_slot_new();
	if (json)
		printf("[");
	if (pipelines && slot)
		rc = list_pipelines(in.package, slot, json);
	else if (in.package && slot)
		list_package(in.package, slot, json);
	else if (slot)
		rc = list_records(&in, json);
	else
		rc = XL_INTERNAL;
	if (json)
		printf("\n]\n");
	xl_slot_free(slot);
	input_close(&in);
	return rc;
}
