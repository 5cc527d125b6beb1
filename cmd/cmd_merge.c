/* cmd_merge.c - packages of shards joined: the bytes that one run over everything would have written. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "PKG... -o PKG\n\n"
	"Joins packages that the same xlate made with the same options for the same target (xlate build --shard). Every blob is\n"
	"read and checked. The result has the bytes of one build over all records.\n\n"
	"  -o, --output PKG   where to write; replaced at once, or not at all; it may be one of the inputs\n"
	"  -q, --quiet        no summary\n";

/* All of one package; its bytes stay in use until the writer is freed. */
static int add(struct xl_package_writer *w, const struct xl_package *p, struct xl_slot *slot, const char *path)
{
	struct xl_log log = stderr_log();

	if (!xl_package_same_stamp(w, p)) {
		fprintf(stderr, "%s: error: another translator, target or other options made it than the first [bad-package]\n", path);
		return XL_UNREADABLE;
	}
	for (uint32_t i = 0; i < xl_package_programs(p); i++) {
		struct xl_package_program info;
		size_t n;
		int rc;

		xl_package_get(p, slot, i, &info);
		/* What a damaged shard holds must not spread under a good name. */
		if (info.status == XL_OK && (!xl_package_module(p, slot, i, &n, &log) || !xl_package_reflection(p, slot, i, &log)))
			return XL_UNREADABLE;
		if (info.generated_words && (!xl_package_generated(p, slot, i, &n, &log) ||
		    !xl_package_generated_reflection(p, slot, i, &log)))
			return XL_UNREADABLE;
		rc = (int)xl_package_copy(w, p, i, NULL, 0, NULL, &log);
		if (rc)
			return rc;
	}
	return 0;
}

static int merge(struct input *in, int n, const char *output, bool quiet)
{
	struct xl_log log = stderr_log();
	struct xl_slot *slot = xl_slot_new();
	struct xl_package_writer *w = xl_package_writer_like(in[0].package);
	int rc = slot && w ? 0 : XL_INTERNAL;

	for (int i = 0; i < n && !rc; i++)
		rc = add(w, in[i].package, slot, in[i].path);
	if (!rc)
		rc = (int)xl_package_write(w, output, &log);
	if (!rc && !quiet)
		fprintf(stderr, "%d packages, written to %s\n", n, output);
	xl_package_writer_free(w);
	xl_slot_free(slot);
	return rc;
}

int cmd_merge(int argc, char **argv)
{
	static const struct opt opts[] = { { "output", 'o', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "merge", .usage = usage };
	struct input *in = calloc((size_t)argc, sizeof(*in));
	const char *output = NULL, **path = calloc((size_t)argc, sizeof(*path));
	int k = ARGS_END, n = 0, opened = 0, rc = 0;

	while (in && path && ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL)) {
		if (k == ARGS_POSITIONAL)
			path[n++] = a.value;
		else
			output = a.value;
	}
	if (!in || !path)
		rc = XL_INTERNAL;
	else if (k == ARGS_STOP)
		rc = a.exit_code;
	else if (!n || !output || !*output)
		rc = usage_error(&a, !n ? "no package" : "no --output");
	else {
		for (; opened < n && !rc; opened++) {
			rc = input_open(&in[opened], path[opened]);
			rc = rc ? rc : input_package(&in[opened]);
		}
		if (!rc)
			rc = merge(in, n, output, a.quiet);
	}
	for (int i = 0; i < opened; i++)
		input_close(&in[i]);
	free(in);
	free(path);
	return rc;
}
