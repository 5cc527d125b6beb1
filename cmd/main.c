/* main.c - the subcommand table. */
#include "cmd.h"

#include <string.h>

static const struct { const char *name, *what; int (*run)(int, char **); } commands[] = {
#define CMD(name, what) { #name, what, cmd_##name },
	CMDS(CMD)
#undef CMD
};
enum { N = sizeof(commands) / sizeof(commands[0]) };

static void overview(FILE *f)
{
	fputs("usage: xlate COMMAND [options] ...\n\n", f);
	for (unsigned i = 0; i < N; i++)
		fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].what);
	fputs("\nxlate help COMMAND says more. Exit: 0 done, 1 something was refused, 2 usage, 3 unreadable, 4 internal.\n", f);
}

int cmd_help(int argc, char **argv)
{
	static char help[] = "--help";

	if (argc < 2 || !strcmp(argv[1], "--help")) {
		overview(stdout);
		return 0;
	}
	if (argc > 2) {
		fprintf(stderr, "xlate help: one COMMAND only\n");
		return XL_USAGE;
	}
	for (unsigned i = 0; i < N; i++) {
		if (!strcmp(argv[1], commands[i].name)) {
			char *args[] = { argv[1], help, NULL };

			if (!strcmp(argv[1], "help")) {
				overview(stdout);
				return 0;
			}
			return commands[i].run(2, args);
		}
	}
	fprintf(stderr, "xlate help: no command %s; xlate help lists them\n", argv[1]);
	return XL_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		overview(stderr);
		return XL_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(0, NULL);
	if (!strcmp(argv[1], "--version"))
		return cmd_version(1, argv + 1);
	for (unsigned i = 0; i < N; i++) {
		if (!strcmp(argv[1], commands[i].name)) {
			int rc = commands[i].run(argc - 1, argv + 1);

			if (fflush(stdout) || ferror(stdout)) {
				perror("xlate: standard output");
				return rc ? rc : XL_UNREADABLE;
			}
			return rc;
		}
	}
	fprintf(stderr, "xlate: no command %s; xlate help lists them\n", argv[1]);
	return XL_USAGE;
}
