/* cmd_version.c - version and build facts. */
#include "cmd.h"

int cmd_version(int argc, char **argv)
{
	static const struct opt opts[] = { { "json", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "version", .usage = "[--json]\n" };
	struct xl_isa_info info;
	bool json = false;
	int k;

	while ((k = args_next(&a)) >= 0)
		json = true;
	if (k != ARGS_END)
		return k == ARGS_STOP ? a.exit_code : usage_error(&a, "no argument is taken");
	if (!json) {
		printf("xlate %s\n", xl_version());
		return 0;
	}
	printf("{\"xlate\":\"%s\",\"cpus\":[", xl_version());
	for (uint32_t i = 0; xl_isa_get(i, &info); i++)
		printf("%s\"%s\"", i ? "," : "", info.cpu);
	printf("]}\n");
	return 0;
}
