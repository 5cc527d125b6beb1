/* cmd_export.c - a package's modules as files, or as a Fossilize database. */
#include "build.h"
#include "foz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "--spv DIR | --foz FILE  PKG [KEY...]\n\n"
	"Writes DIR/NAME.STAGE.spv for every translated program, or for the named ones; or their modules as a Fossilize database.\n\n"
	"  --spv DIR        where to write; made when it is not there\n"
	"  --reflection     also DIR/NAME.STAGE.json\n"
	"  --foz FILE       shader modules only: a package does not have what Vulkan pipelines are made of\n";

struct export {
	const char *dir, *foz;
	bool reflection;
	struct foz modules;
	struct map names;
	uint32_t renamed;
	uint64_t last;   /* name and key of the latest one that needed a number, and its number: */
	unsigned number; /* those alike stand one behind the other in a package */
};

static bool taken(struct export *e, const char *name)
{
	uint64_t h = map_text(0, name);

	if (map_get(&e->names, h) != MAP_NONE)
		return true;
	map_put(&e->names, h, 0);
	return false;
}

/* The file's name: the program's; of several with one name the first in the package has it, the others have their key, too. */
static char *file_name(struct export *e, const struct xl_package_program *p)
{
	size_t len = strlen(p->name) + 32;
	char *name = malloc(len);
	uint64_t base;

	if (!name)
		return NULL;
	snprintf(name, len, "%s", p->name);
	if (!taken(e, name))
		return name;
	e->renamed++;
	snprintf(name, len, "%s-%.8s", p->name, p->key);
	base = map_text(0, name);
	if (base != e->last)
		e->number = 1;
	e->last = base;
	while (taken(e, name))
		snprintf(name, len, "%s-%.8s-%u", p->name, p->key, ++e->number);
	return name;
}

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

/* One module to where modules go. The slot that it came from holds one at a time. */
static int put(struct export *e, const struct xl_package_program *p, const char *name, const char *suffix, const uint32_t *words, size_t n)
{
	if (!words)
		return XL_UNREADABLE;
	if (e->foz && !foz_add(&e->modules, words, n)) {
		fprintf(stderr, "%s: error: another module has the same hash in a Fossilize database [limit]\n", p->name);
		return XL_REFUSED;
	}
	return e->dir ? write_one(e->dir, name, suffix, words, n * 4) : 0;
}

static int export_one(const struct xl_package *p, struct xl_slot *slot, uint32_t i, struct export *e)
{
	struct xl_log log = stderr_log();
	struct xl_package_program info;
	const uint32_t *words;
	const char *text;
	char *name = NULL;
	size_t n;
	int rc;

	xl_package_get(p, slot, i, &info);
	if (!info.words)
		return 0; /* refused */
	if (e->dir && !(name = file_name(e, &info)))
		return XL_INTERNAL;
	words = xl_package_module(p, slot, i, &n, &log);
	rc = put(e, &info, name, ".spv", words, n);
	if (!rc && e->dir && e->reflection) {
		text = xl_package_reflection(p, slot, i, &log);
		rc = text ? write_one(e->dir, name, ".json", text, strlen(text)) : XL_UNREADABLE;
	}
	if (!rc && info.generated_words) {
		words = xl_package_generated(p, slot, i, &n, &log);
		rc = put(e, &info, name, ".geom.spv", words, n);
	}
	free(name);
	return rc;
}

static int write_foz(const struct foz *f, const char *path)
{
	struct xl_log log = stderr_log();
	size_t n;
	uint8_t *v = foz_finish(f, &n);
	int rc = v ? (int)xl_file_write(path, v, n, &log) : XL_INTERNAL;

	free(v);
	return rc;
}

static int export_all(struct input *in, struct export *e, const char *const *key, int nkey)
{
	struct xl_slot *slot = xl_slot_new();
	int rc = slot ? 0 : XL_INTERNAL;

	if (e->dir && mkdir(e->dir, 0777) && errno != EEXIST) {
		fprintf(stderr, "error: cannot make %s: %s [io]\n", e->dir, strerror(errno));
		rc = XL_UNREADABLE;
	}
	for (int i = 0; !rc && i < nkey; i++) {
		struct picked p;

		rc = input_pick(in, key[i], &p);
		if (!rc)
			rc = export_one(in->package, slot, p.program, e);
	}
	for (uint32_t i = 0; !rc && !nkey && i < xl_package_programs(in->package); i++)
		rc = export_one(in->package, slot, i, e);
	if (!rc && e->foz)
		rc = write_foz(&e->modules, e->foz);
	if (e->renamed)
		fprintf(stderr, "%u programs have the name of another one: their files are named NAME.STAGE-KEY\n", e->renamed);
	foz_free(&e->modules);
	map_free(&e->names);
	xl_slot_free(slot);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	enum { SPV, REFLECTION, FOZ };
	static const struct opt opts[] = { { "spv", 0, true }, { "reflection", 0, false }, { "foz", 0, true }, { NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "export", .usage = usage };
	struct export e = { 0 };
	const char **pos = calloc((size_t)argc, sizeof(*pos));
	struct input in = { 0 };
	int k, n = 0, rc;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == SPV)
			e.dir = a.value;
		else if (k == FOZ)
			e.foz = a.value;
		else if (k == REFLECTION)
			e.reflection = true;
		else
			pos[n++] = a.value;
	}
	if (k == ARGS_STOP)
		rc = a.exit_code;
	else if (!n || (!e.dir && !e.foz))
		rc = usage_error(&a, !n ? "no package" : "no --spv DIR and no --foz FILE");
	else
		rc = e.foz ? input_stays(&a, pos[0], e.foz) : 0;
	if (k != ARGS_STOP && !rc) {
		rc = input_open(&in, pos[0]);
		rc = rc ? rc : input_package(&in);
		rc = rc ? rc : export_all(&in, &e, pos + 1, n - 1);
	}
	input_close(&in);
	free(pos);
	return rc;
}
