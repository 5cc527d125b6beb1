/* cmd_import.c - record files into one guest cache. */
#include "cmd.h"

#include <stdlib.h>

static const char usage[] = "FILE... -o CACHE [-q]\n\n"
	"Reads record JSON files (one pipeline each; code files lie beside them), AMD code objects (one pipeline a kernel) and\n"
	"guest caches, and writes one guest cache.\n"
	"Files that cannot be read are reported and left out; the exit code is then 3.\n\n"
	"  -o, --output CACHE   where to write (- is standard output)\n"
	"  -q, --quiet          no summary\n";

/* Adds all records of one input. */
static int add(struct xl_cache_writer *w, const char *path, unsigned *n)
{
	struct input in;
	int rc = input_open(&in, path);

	if (rc)
		return rc;
	if (in.package) {
		fprintf(stderr, "%s: error: a package holds no guest programs [io]\n", path);
		rc = XL_UNREADABLE;
	}
	if (in.cache && xl_cache_damaged(in.cache))
		rc = XL_UNREADABLE;
	for (uint32_t i = 0; i < input_records(&in); i++) {
		struct xl_record *r = input_read(&in, i);

		if (!r)
			rc = XL_UNREADABLE;
		else if (xl_cache_add(w, r))
			rc = XL_INTERNAL;
		else
			++*n;
		input_unread(&in, r);
	}
	input_close(&in);
	return rc;
}

/* A cache may grow in place; what a cache was made from may not be lost to it. */
static bool replaced(const char **path, int npath, const char *output)
{
	for (int i = 0; i < npath; i++)
		if (input_is_file(path[i], output) && xl_file_kind(path[i]) != 'c')
			return true;
	return false;
}

static int import(struct xl_cache_writer *w, const char **path, int npath, const char *output, bool quiet)
{
	struct xl_log log = stderr_log();
	unsigned n = 0;
	int rc = 0, one;

	for (int i = 0; i < npath; i++) {
		one = add(w, path[i], &n);
		rc = one > rc ? one : rc;
	}
	if (rc == XL_INTERNAL)
		return rc;
	/* A wrong name must not empty the cache that is there. */
	if (rc && !n) {
		if (!quiet)
			fprintf(stderr, "nothing imported, %s is not written\n", output);
		return rc;
	}
	one = (int)xl_cache_write(w, output, &log);
	if (!quiet && !one)
		fprintf(stderr, "%u pipelines from %d files, written to %s\n", n, npath, output);
	return one > rc ? one : rc;
}

int cmd_import(int argc, char **argv)
{
	static const struct opt opts[] = { { "output", 'o', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "import", .usage = usage };
	const char *output = NULL, **path = calloc((size_t)argc, sizeof(*path));
	struct xl_cache_writer *w = xl_cache_writer_new();
	int k, npath = 0, rc;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == ARGS_POSITIONAL)
			path[npath++] = a.value;
		else
			output = a.value;
	}
	if (k == ARGS_STOP)
		rc = a.exit_code;
	else if (!npath || !output || !*output)
		rc = usage_error(&a, !npath ? "no FILE" : "no --output");
	else if (replaced(path, npath, output))
		rc = usage_error(&a, "%s is an input: the cache would replace it", output);
	else if (!w)
		rc = XL_INTERNAL;
	else
		rc = import(w, path, npath, output, a.quiet);
	xl_cache_writer_free(w);
	free(path);
	return rc;
}
