/* input.c - files that hold programs, and picking one of them. */
#include "cmd.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int input_open(struct input *in, const char *path)
{
	struct xl_log log = stderr_log();
	enum xl_status status = XL_OK;

	memset(in, 0, sizeof(*in));
	in->path = path;
	/* Standard input is read once: it can only be a cache. */
	in->kind = strcmp(path, "-") ? xl_file_kind(path) : 'c';
	switch (in->kind) {
	case 'p':
		in->package = xl_package_open(path, &log, &status);
		break;
	case 'e':
		in->cache = xl_cache_import(path, &log, &status);
		break;
	case 'j':
		in->record = xl_record_import(path, &log, &status);
		break;
	case '?':
		fprintf(stderr, "%s: error: not a guest cache, package, record JSON or code object [bad-cache]\n", path);
		return XL_UNREADABLE;
	default:
		/* An unreadable file, too: opening it says what is wrong. */
		in->kind = 'c';
		in->cache = xl_cache_open(path, &log, &status);
	}
	return (int)status;
}

bool input_is_file(const char *input, const char *path)
{
	struct stat a, b;

	return strcmp(input, "-") && strcmp(path, "-") && !stat(input, &a) && !stat(path, &b) && S_ISREG(a.st_mode) &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int input_stays(const struct args *a, const char *input, const char *output)
{
	return input_is_file(input, output) ? usage_error(a, "%s is an input, which it would replace", output) : 0;
}

int input_package(const struct input *in)
{
	if (in->package)
		return 0;
	fprintf(stderr, "%s: error: not a package [bad-package]\n", in->path);
	return XL_UNREADABLE;
}

int input_guest(const struct input *in)
{
	if (!in->package)
		return 0;
	fprintf(stderr, "%s: error: a package holds no guest code; give the cache [io]\n", in->path);
	return XL_UNREADABLE;
}

void input_close(struct input *in)
{
	xl_cache_free(in->cache);
	xl_package_free(in->package);
	xl_record_free(in->record);
	memset(in, 0, sizeof(*in));
}

uint32_t input_records(const struct input *in)
{
	return in->cache ? xl_cache_records(in->cache) : in->record ? 1 : 0;
}

struct xl_record *input_read(const struct input *in, uint32_t i)
{
	struct xl_log log = stderr_log();
	enum xl_status status;

	return in->cache ? xl_cache_read(in->cache, i, &log, &status) : in->record;
}

void input_unread(const struct input *in, struct xl_record *r)
{
	if (r != in->record)
		xl_record_free(r);
}

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int folder_list(const char *path, struct dirent ***list)
{
	return scandir(path, list, no_dots, by_bytes);
}

/* ---- picking */
struct want { const char *key; unsigned long number; bool has_number, hex; size_t len; };

static struct want want_of(const char *key, uint32_t total)
{
	struct want w = { .key = key, .len = strlen(key) };

	w.has_number = args_number(key, total ? total - 1 : 0, &w.number) && total;
	w.hex = w.len >= 4 && w.len <= 32 && strspn(key, "0123456789abcdef") == w.len;
	return w;
}

/* 2 exactly named, 1 named by its pipeline or by a key's prefix, 0 no. A number counts as exact. */
static int matches(const struct want *w, uint32_t number, const char *name, const char *stage, const char *key)
{
	size_t base = strlen(name) - strlen(stage) - 1;

	if (!strcmp(w->key, name) || (w->has_number && w->number == number))
		return 2;
	if ((w->len == base && !strncmp(w->key, name, base)) || (w->hex && !strncmp(w->key, key, w->len)))
		return 1;
	return 0;
}

static int pick_result(const struct input *in, const char *key, unsigned found, bool one_key)
{
	if (found == 1 || (found > 1 && one_key))
		return XL_OK;
	if (!found)
		fprintf(stderr, "%s: error: no program %s [not-found]\n", in->path, key);
	else
		fprintf(stderr, "%s: error: %s names %u programs; give NAME.STAGE or the number that list prints [not-found]\n",
			in->path, key, found);
	return XL_USAGE;
}

struct search { int best; unsigned found; char key[33]; bool one_key; };

/* True: this one is the pick so far. */
static bool offer(struct search *s, int m, const char *key)
{
	if (!m || m < s->best)
		return false;
	if (m == s->best) {
		s->found++;
		s->one_key &= !strcmp(s->key, key);
		return false;
	}
	s->best = m;
	s->found = 1;
	s->one_key = true;
	strcpy(s->key, key);
	return true;
}

static uint32_t total_programs(const struct input *in)
{
	uint32_t n = 0;

	if (in->package)
		return xl_package_programs(in->package);
	for (uint32_t i = 0; i < input_records(in); i++) {
		struct xl_record *r = input_read(in, i);

		n += r ? xl_record_programs(r) : 0;
		input_unread(in, r);
	}
	return n;
}

static int pick_record(struct input *in, const char *key, struct picked *out)
{
	struct want w = want_of(key, total_programs(in));
	struct search s = { 0 };
	uint32_t number = 0;

	for (uint32_t i = 0; i < input_records(in); i++) {
		struct xl_record *r = input_read(in, i);
		bool keep = false;

		for (uint32_t k = 0; r && k < xl_record_programs(r); k++, number++) {
			struct xl_program_info info;

			xl_record_program(r, k, &info);
			if (!offer(&s, matches(&w, number, info.name, info.stage, info.key), info.key))
				continue;
			if (out->record && out->record != r)
				input_unread(in, out->record);
			out->record = r;
			out->program = k;
			keep = true;
		}
		if (!keep)
			input_unread(in, r);
	}
	return pick_result(in, key, s.found, s.one_key);
}

static int pick_package(struct input *in, const char *key, struct picked *out)
{
	uint32_t n = xl_package_programs(in->package);
	struct want w = want_of(key, n);
	struct xl_slot *slot = xl_slot_new();
	struct search s = { 0 };

	for (uint32_t i = 0; slot && i < n; i++) {
		struct xl_package_program p;

		xl_package_get(in->package, slot, i, &p);
		if (offer(&s, matches(&w, i, p.name, p.stage, p.key), p.key))
			out->program = i;
	}
	xl_slot_free(slot);
	return slot ? pick_result(in, key, s.found, s.one_key) : XL_INTERNAL;
}

int input_pick(struct input *in, const char *key, struct picked *out)
{
	int rc;

	memset(out, 0, sizeof(*out));
	rc = in->package ? pick_package(in, key, out) : pick_record(in, key, out);
	if (rc && out->record) {
		input_unread(in, out->record);
		out->record = NULL;
	}
	return rc;
}

int open_and_pick(const struct args *a, struct input *in, struct picked *out)
{
	const char *const *pos = a->pos;
	int rc, file = 0;

	if (!a->npos)
		return usage_error(a, "a FILE is needed");
	/* KEY FILE is as clear as FILE KEY. */
	if (a->npos == 2 && strcmp(pos[0], "-") && !xl_file_kind(pos[0]) && xl_file_kind(pos[1]))
		file = 1;
	rc = input_open(in, pos[file]);
	if (rc)
		return rc;
	/* A file with one program needs no key. */
	if (a->npos == 1 && total_programs(in) != 1)
		rc = usage_error(a, total_programs(in) ? "%s holds %u programs: a KEY is needed" : "%s holds %u programs", in->path,
				 total_programs(in));
	else
		rc = input_pick(in, a->npos == 2 ? pos[!file] : "0", out);
	if (rc)
		input_close(in);
	return rc;
}
