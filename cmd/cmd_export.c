/* cmd_export.c - a package's modules as files. */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "--spv DIR PKG [KEY...]\n\n"
	"Writes DIR/NAME.STAGE.spv for every translated program, or for the named ones.\n\n"
	"  --spv DIR        where to write; made when it is not there\n"
	"  --reflection     also DIR/NAME.STAGE.json\n";

static int write_one(const char *dir, const char *name, const char *suffix, const void *v, size_t n)
{
	struct xl_log log = stderr_log();
	size_t len = strlen(dir) + strlen(name) + strlen(suffix) + 2;
	char *path;
	int rc;

	/* Names come from a file: none may leave the folder. */
	if (!*name || name[0] == '.' || strchr(name, '/')) {
		fprintf(stderr, "error: the name %s is no file name [bad-package]\n", name);
		return XL_UNREADABLE;
	}
	path = malloc(len);
	if (!path)
		return XL_INTERNAL;
	snprintf(path, len, "%s/%s%s", dir, name, suffix);
	rc = (int)xl_file_write(path, v, n, &log);
	free(path);
	return rc;
}

static int export_one(const struct xl_package *p, struct xl_slot *slot, uint32_t i, const char *dir, bool reflection)
{
	struct xl_log log = stderr_log();
	struct xl_package_program info;
	const uint32_t *words;
	const char *text;
	size_t n;
	int rc;

	xl_package_get(p, slot, i, &info);
	if (!info.words)
		return 0; /* refused */
	words = xl_package_module(p, slot, i, &n, &log);
	if (!words)
		return XL_UNREADABLE;
	rc = write_one(dir, info.name, ".spv", words, n * 4);
	if (rc || !reflection)
		return rc;
	text = xl_package_reflection(p, slot, i, &log);
	return text ? write_one(dir, info.name, ".json", text, strlen(text)) : XL_UNREADABLE;
}

static int export_all(struct input *in, const char *dir, const char *const *key, int nkey, bool reflection)
{
	struct xl_slot *slot = xl_slot_new();
	int rc = slot ? 0 : XL_INTERNAL;

	if (mkdir(dir, 0777) && errno != EEXIST) {
		fprintf(stderr, "error: cannot make %s: %s [io]\n", dir, strerror(errno));
		rc = XL_UNREADABLE;
	}
	for (int i = 0; !rc && i < nkey; i++) {
		struct picked p;

		rc = input_pick(in, key[i], &p);
		if (!rc)
			rc = export_one(in->package, slot, p.program, dir, reflection);
	}
	for (uint32_t i = 0; !rc && !nkey && i < xl_package_programs(in->package); i++)
		rc = export_one(in->package, slot, i, dir, reflection);
	xl_slot_free(slot);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	enum { SPV, REFLECTION };
	static const struct opt opts[] = { { "spv", 0, true }, { "reflection", 0, false }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "export", .usage = usage };
	const char *dir = NULL, **pos = calloc((size_t)argc, sizeof(*pos));
	struct input in = { 0 };
	bool reflection = false;
	int k, n = 0, rc;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == SPV)
			dir = a.value;
		else if (k == REFLECTION)
			reflection = true;
		else
			pos[n++] = a.value;
	}
	if (k == ARGS_STOP)
		rc = a.exit_code;
	else if (!n || !dir)
		rc = usage_error(&a, !n ? "no package" : "no --spv DIR");
	else {
		rc = input_open(&in, pos[0]);
		if (!rc && !in.package) {
			fprintf(stderr, "%s: error: not a package [bad-package]\n", pos[0]);
			rc = XL_UNREADABLE;
		}
		if (!rc)
			rc = export_all(&in, dir, pos + 1, n - 1, reflection);
	}
	input_close(&in);
	free(pos);
	return rc;
}
