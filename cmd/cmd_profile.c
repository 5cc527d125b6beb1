/* cmd_profile.c - target profiles: the shipped ones, and the facts in use. */
#include "cmd.h"

#include <stdlib.h>

static const char usage[] = "[NAME|FILE]\n\n"
	"Without a name: the shipped profiles. With one: every fact in use, as JSON, with the profile's name for it.\n";

int cmd_profile(int argc, char **argv)
{
	struct args a = { .argc = argc, .argv = argv, .command = "profile", .usage = usage };
	struct translate t = { 0 };
	struct xl_target *target;
	const char *name;
	char *text;
	int k, rc = 0;

	while ((k = args_next(&a)) == ARGS_POSITIONAL) {
		if (t.target)
			return usage_error(&a, "one profile only");
		t.target = a.value;
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
	text = xl_target_json(target);
	if (text)
		puts(text);
	else
		rc = XL_INTERNAL;
	free(text);
	xl_target_free(target);
	return rc;
}
