/* cmd_import.c - record files into one guest cache. */
#include "build.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "FILE|DIR... -o CACHE [-q]\n\n"
	"Reads record JSON files (one pipeline each; code files lie beside them), AMD code objects (one pipeline a kernel), guest\n"
	"caches, and folders of them, and writes one guest cache. What is there twice is written once.\n"
	"Files that cannot be read are reported and left out; the exit code is then 3.\n\n"
	"  -o, --output CACHE   where to write (- is standard output)\n"
	"  -q, --quiet          no summary\n";

struct import { struct xl_cache_writer *w; struct map seen; unsigned records, files, twice; };

/* What a record is: its name, and its programs with all that their translations depend on. */
static uint64_t contents(const struct xl_record *r)
{
	uint64_t h = map_text(0, xl_record_name(r));

	for (uint32_t i = 0; i < xl_record_programs(r); i++) {
		struct xl_program_info info;

		xl_record_program(r, i, &info);
		h = (map_text(h, info.name) ^ xl_record_content(r, i)) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

static int add_record(struct import *m, const struct xl_record *r)
{
	uint64_t h = contents(r);

	if (map_get(&m->seen, h) != MAP_NONE) {
		m->twice++;
		return 0;
	}
	if (!map_put(&m->seen, h, 0) || xl_cache_add(m->w, r))
		return XL_INTERNAL;
	m->records++;
	return 0;
}

/* Adds all records of one input. */
static int add(struct import *m, const char *path)
{
	struct input in;
	int rc = input_open(&in, path), one;

	m->files++;
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

		one = r ? add_record(m, r) : XL_UNREADABLE;
		rc = one > rc ? one : rc;
		input_unread(&in, r);
	}
	input_close(&in);
	return rc;
}

/* ---- folders: what is a container there, by its first bytes, in order of name */
static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* JSON of other kinds (manifests, reports) lies in folders, too: a record has executables. */
static bool is_record(const char *path)
{
	static const char word[] = "\"executables\"";
	FILE *f = fopen(path, "rb");
	size_t at = 0;
	int c;

	while (f && at < sizeof(word) - 1 && (c = getc(f)) != EOF)
		at = c == word[at] ? at + 1 : c == word[0];
	if (f)
		fclose(f);
	return at == sizeof(word) - 1;
}

static int add_folder(struct import *m, const char *path, unsigned depth)
{
	enum { DEEP = 64 };
	struct dirent **list = NULL;
	int n = depth < DEEP ? folder_list(path, &list) : -1, rc = 0, one;

	if (n < 0) {
		fprintf(stderr, "%s: error: cannot read %s: %s [io]\n", path, path, depth < DEEP ? strerror(errno) : "too many folders in folders");
		return XL_UNREADABLE;
	}
	for (int i = 0; i < n; i++) {
		size_t len = strlen(path) + strlen(list[i]->d_name) + 2;
		char *file = malloc(len);
		struct stat st;
		int kind;

		one = file ? 0 : XL_INTERNAL;
		if (file && rc != XL_INTERNAL) {
			snprintf(file, len, "%s/%s", path, list[i]->d_name);
			/* Links are not followed: they may lead round. */
			if (lstat(file, &st) || S_ISDIR(st.st_mode)) {
				one = add_folder(m, file, depth + 1);
			} else if (S_ISREG(st.st_mode)) {
				kind = xl_file_kind(file);
				if (kind == 'c' || kind == 'e' || kind == 0 || (kind == 'j' && is_record(file)))
					one = add(m, file);
			}
		}
		rc = one > rc ? one : rc;
		free(file);
		free(list[i]);
	}
	free(list);
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

static int import(struct import *m, const char **path, int npath, const char *output, bool quiet)
{
	struct xl_log log = stderr_log();
	int rc = 0, one;

	for (int i = 0; i < npath; i++) {
		one = is_folder(path[i]) ? add_folder(m, path[i], 0) : add(m, path[i]);
		rc = one > rc ? one : rc;
	}
	if (rc == XL_INTERNAL)
		return rc;
	if (!rc && !m->files) {
		fprintf(stderr, "%s: error: no guest cache, record JSON or code object in it [io]\n", path[0]);
		rc = XL_UNREADABLE;
	}
	/* A wrong name must not empty the cache that is there. */
	if (rc && !m->records) {
		if (!quiet)
			fprintf(stderr, "nothing imported, %s is not written\n", output);
		return rc;
	}
	one = (int)xl_cache_write(m->w, output, &log);
	if (!quiet && !one) {
		fprintf(stderr, "%u pipelines from %u files, written to %s\n", m->records, m->files, output);
		if (m->twice)
			fprintf(stderr, "%u were there twice\n", m->twice);
	}
	return one > rc ? one : rc;
}

int cmd_import(int argc, char **argv)
{
	static const struct opt opts[] = { { "output", 'o', true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "import", .usage = usage };
	const char *output = NULL, **path = calloc((size_t)argc, sizeof(*path));
	struct import m = { .w = xl_cache_writer_new() };
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
	else if (!m.w)
		rc = XL_INTERNAL;
	else
		rc = import(&m, path, npath, output, a.quiet);
	xl_cache_writer_free(m.w);
	map_free(&m.seen);
	free(path);
	return rc;
}
