/* cmd_list.c - what is in a cache or package: a table, or JSON. */
#include "cmd.h"

#include <stdlib.h>

static const char usage[] = "FILE [--json]\n\n"
	"One line a program: number, key, stage, cpu, wave size, guest words, module words (packages), name.\n\n"
	"  --json   an array of objects\n";

static void row(bool json, uint32_t i, const char *key, const char *stage, const char *cpu, uint32_t wave, uint32_t words,
		const char *module, const char *name, const char *code)
{
	if (!json) {
		printf("%5u  %.12s  %-6s %-8s %2u %8u %8s  %s\n", i, key, stage, cpu, wave, words, module, name);
		return;
	}
	printf("%s\n{\"number\":%u,\"name\":", i ? "," : "", i);
	json_string(stdout, name);
	printf(",\"key\":\"%s\",\"stage\":\"%s\",\"cpu\":", key, stage);
	json_string(stdout, cpu);
	printf(",\"wave\":%u,\"guest_words\":%u", wave, words);
	if (*module)
		printf(",\"status\":\"%s\",\"words\":%s", code ? "refused" : "ok", code ? "0" : module);
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
		    info.words ? NULL : info.ndiag ? info.diag[0].code : "");
	}
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
			row(json, number, info.key, info.stage, info.cpu, info.wave, info.words, "", info.name, NULL);
		}
		input_unread(in, r);
	}
	return rc;
}

int cmd_list(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "list", .usage = usage, .most = 1,
		.names = "one FILE" };
	struct xl_slot *slot;
	struct input in;
	bool json = false;
	int k, rc;

	while ((k = args_next(&a)) >= 0)
		json = true;
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!a.npos)
		return usage_error(&a, "no FILE");
	rc = input_open(&in, a.pos[0]);
	if (rc)
		return rc;
	slot = xl_slot_new();
	if (json)
		printf("[");
	if (in.package && slot)
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
