/* cmd_show.c - all that is known of one program. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "FILE KEY [--json]\n\n"
	"A record (with the state it was captured in), or a package's program with its reflection and diagnostics. KEY is a\n"
	"number that list prints, NAME.STAGE, NAME, or the first digits of a key.\n\n"
	"  --json   records: all facts; packages: the reflection\n"
	"  --code   with --json: records with their code in hex\n";

static int show_package(const struct xl_package *p, uint32_t i, bool json)
{
	struct xl_log log = stderr_log();
	struct xl_slot *slot = xl_slot_new();
	struct xl_package_program info;
	const char *text;

	if (!slot)
		return XL_INTERNAL;
	xl_package_get(p, slot, i, &info);
	text = info.words ? xl_package_reflection(p, slot, i, &log) : NULL;
	if (json) {
		printf("%s\n", text ? text : "null");
	} else {
		printf("name        %s\nkey         %s\nstage       %s\ncpu         %s\nwave        %u\nguest words %u\n", info.name,
		       info.key, info.stage, info.cpu, info.wave, info.guest_words);
		if (info.words)
			printf("words       %u\n", info.words);
		else
			printf("refused\n");
		for (const char *s = info.state; *s; s += strcspn(s, "\n") + 1)
			printf("%s%.*s\n", s == info.state ? "state       " : "            ", (int)strcspn(s, "\n"), s);
		for (uint32_t k = 0; k < info.ndiag; k++)
			say_diag(stdout, &info.diag[k], NULL);
		if (text)
			printf("reflection  %s\n", text);
		if (info.generated_words) {
			text = xl_package_generated_reflection(p, slot, i, &log);
			printf("generated   %u words, %s\n", info.generated_words, text ? text : "damaged");
		}
	}
	xl_slot_free(slot);
	return 0;
}

static int show_record(const struct xl_record *r, uint32_t i, bool json, bool code)
{
	struct xl_program_info info;
	char *text;

	if (json) {
		text = xl_record_json(r, code);
		if (!text)
			return XL_INTERNAL;
		printf("%s\n", text);
		free(text);
		return 0;
	}
	xl_record_program(r, i, &info);
	printf("name        %s\nkey         %s\nstage       %s\nisa         %s\ncpu         %s\nwave        %u\n", info.name, info.key,
	       info.stage, info.isa, info.cpu, info.wave);
	printf("code        %u bytes, %u to execute, %u words, entry at 0x%x\npipeline    %s, %u programs\n", info.code_size,
	       info.exec_size, info.words, info.entry, xl_record_name(r), xl_record_programs(r));
	return 0;
}

int cmd_show(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { "code", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "show", .usage = usage, .most = 2,
		.names = "FILE and KEY" };
	struct input in;
	struct picked p;
	bool json = false, code = false;
	int k, rc;

	while ((k = args_next(&a)) >= 0) {
		json |= k == 0;
		code |= k == 1;
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	rc = open_and_pick(&a, &in, &p);
	if (rc)
		return rc;
	rc = in.package ? show_package(in.package, p.program, json) : show_record(p.record, p.program, json, code);
	if (p.record)
		input_unread(&in, p.record);
	input_close(&in);
	return rc;
}
