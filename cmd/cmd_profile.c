/* cmd_profile.c - target profiles: the shipped ones, and the facts in use. */
#include "cmd.h"

static const char usage[] = "[NAME|FILE] [--json]\n\n"
	"Without a name: the shipped profiles. With one: every fact in use and where it came from.\n";

int cmd_profile(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "profile", .usage = usage };
	struct translate t = { 0 };
	struct xl_target *target;
	const char *name, *from;
	char value[256];
	bool json = false;
	int k, rc = 0;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == ARGS_POSITIONAL && t.target)
			return usage_error(&a, "one profile only");
		if (k == ARGS_POSITIONAL)
			t.target = a.value;
		else
			json = true;
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!t.target) {
		for (uint32_t i = 0; (name = xl_target_shipped(i)); i++)
			puts(name);
		return 0;
	}
	target = translate_target(&t, &rc);
	if (!target)
		return rc;
	if (json)
		printf("{");
	for (uint32_t i = 0; xl_target_fact(target, i, &name, value, sizeof(value), &from); i++) {
		if (!json) {
			printf("%-32s %-16s %s\n", name, value, from);
			continue;
		}
		printf("%s\n", i ? "," : "");
		json_string(stdout, name);
		printf(":{\"value\":");
		json_string(stdout, value);
		printf(",\"from\":");
		json_string(stdout, from);
		printf("}");
	}
	if (json)
		printf("\n}\n");
	xl_target_free(target);
	return 0;
}
