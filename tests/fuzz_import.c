/* fuzz_import.c - mutated records through import, cache, translation and package, in process.
 *
 * Input: text length 4, the record's JSON, then for each code file that is asked for, in order, its length 4 and bytes. Or a
 * code object as it is. */
#include "../libxlate/xlate.h"
#include "fuzz.h"

static struct xl_target *target;
static struct xl_context *context;

/* How deep the inputs got: printed at the end. An internal error is a bug of ours, found by chance. */
static unsigned long imported, translated, refused, internal;

static void report(void)
{
	printf("%lu imported; programs: %lu translated, %lu refused, %lu internal errors\n", imported, translated, refused,
	       internal);
}

struct files { const uint8_t *v; size_t n, at; };

static int next_file(void *user, const char *name, const uint8_t **bytes, size_t *size)
{
	struct files *f = user;
	uint32_t len;

	(void)name;
	if (f->n - f->at < 4)
		return -1;
	memcpy(&len, f->v + f->at, 4);
	f->at += 4;
	if (len > f->n - f->at)
		len = (uint32_t)(f->n - f->at);
	*bytes = f->v + f->at;
	*size = len;
	f->at += len;
	return 0;
}

/* Everything that is done with a record. Validation is the costly part and not ours: every 16th input has it. */
static void use(const struct xl_record *r, int thorough)
{
	struct xl_options o = { .skip_validation = !thorough, .verify = 1 };
	struct xl_package_writer *w = xl_package_writer_new(target, &o);

	for (uint32_t i = 0; i < xl_record_programs(r); i++) {
		const struct xl_translation *t = xl_translate(context, r, i, &o);

		xl_package_add(w, r, i, t);
		translated += t->status == XL_OK;
		refused += t->status == XL_REFUSED;
		internal += t->status == XL_INTERNAL;
		if (t->status == XL_INTERNAL && getenv("FUZZ_VERBOSE") && t->ndiag)
			fprintf(stderr, "-i %lu: %s: %s\n", FUZZ_INDEX, t->diag[t->ndiag - 1].code, t->diag[t->ndiag - 1].text);
	}
	if (thorough)
		xl_package_write(w, "/dev/null", NULL);
	xl_package_writer_free(w);
}

static void round_trip(const struct xl_record *r)
{
	struct xl_cache_writer *w = xl_cache_writer_new();
	size_t size;
	const void *bytes;
	struct xl_cache *c;
	struct xl_record *back;

	xl_cache_add(w, r);
	bytes = xl_cache_bytes(w, &size);
	c = xl_cache_open_memory("fuzz.xgc", bytes, size, NULL, NULL);
	back = c ? xl_cache_read(c, 0, NULL, NULL) : NULL;
	if (!back)
		abort(); /* what was imported must come back */
	use(back, 1);
	free(xl_record_json(back, 1));
	xl_record_free(back);
	xl_cache_free(c);
	xl_cache_writer_free(w);
}

static bool is_object(const uint8_t *v, size_t n)
{
	return n >= 4 && !memcmp(v, "\177ELF", 4);
}

static void use_object(const uint8_t *v, size_t n, unsigned count)
{
	struct xl_cache *c = xl_cache_import_memory("fuzz.co", v, n, NULL, NULL);

	for (uint32_t i = 0; c && i < xl_cache_records(c); i++) {
		struct xl_record *r = xl_cache_read(c, i, NULL, NULL);

		if (!r)
			abort(); /* what was imported must come back */
		imported++;
		use(r, (count + i) % 16 == 0);
		xl_record_free(r);
	}
	xl_cache_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	static unsigned count;
	struct files files = { v, n, 0 };
	struct xl_reader reader = { next_file, &files };
	struct xl_record *r;
	uint32_t text;

	if (!target) {
		target = xl_target_open("lavapipe", NULL, NULL);
		context = target ? xl_context_new(target) : NULL;
		if (!context)
			abort();
		atexit(report);
	}
	if (is_object(v, n))
		use_object(v, n, count++);
	if (n < 4 || is_object(v, n))
		return 0;
	memcpy(&text, v, 4);
	if (text > n - 4)
		text = (uint32_t)(n - 4);
	files.at = 4 + text;
	r = xl_record_import_memory("fuzz.json", (const char *)v + 4, text, &reader, NULL, NULL);
	imported += r != NULL;
	if (r && count++ % 16 == 0)
		round_trip(r);
	else if (r)
		use(r, 0);
	xl_record_free(r);
	return 0;
}

static void put32(struct fuzz_bytes *b, size_t v)
{
	uint32_t w = (uint32_t)v;

	b->v = realloc(b->v, b->n + 4);
	memcpy(b->v + b->n, &w, 4);
	b->n += 4;
}

static void put(struct fuzz_bytes *b, const void *v, size_t n)
{
	b->v = realloc(b->v, b->n + n + 1);
	memcpy(b->v + b->n, v, n);
	b->n += n;
}

/* A record with its code files in the order that it names them. */
static void add_record(const char *path)
{
	struct fuzz_bytes json = fuzz_read(path), all = { NULL, 0 };
	const char *at = (const char *)json.v;
	char file[1024];

	put32(&all, json.n);
	put(&all, json.v, json.n);
	while (at && (at = strstr(at, "\"code\":"))) {
		const char *a = strchr(at + 7, '"'), *b = a ? strchr(a + 1, '"') : NULL;
		const char *slash = strrchr(path, '/');
		struct fuzz_bytes code;

		if (!b)
			break;
		snprintf(file, sizeof(file), "%.*s%.*s", (int)(slash + 1 - path), path, (int)(b - a - 1), a + 1);
		code = fuzz_read(file);
		put32(&all, code.n);
		put(&all, code.v, code.n);
		free(code.v);
		at = b;
	}
	if (all.n < 1 << 16)
		fuzz_add_seed(all.v, all.n);
	free(all.v);
	free(json.v);
}

static void add_object(const char *path)
{
	struct fuzz_bytes b = fuzz_read(path);

	fuzz_add_seed(b.v, b.n);
	free(b.v);
}

static void fuzz_seeds(void)
{
	static const char *const families[] = { "navi21", "navi21-w32", "bonaire", "sm86", "sm53" };
	const char *more = getenv("CORPUS");
	char dir[1024];

	fuzz_walk("corpus/hsa", ".co", add_object);
	fuzz_walk("corpus/hsa", ".o", add_object);
	for (unsigned i = 0; i < 5; i++) {
		snprintf(dir, sizeof(dir), "corpus/%s", families[i]);
		fuzz_walk(dir, ".json", add_record);
		if (more && *more) {
			snprintf(dir, sizeof(dir), "%s/%s", more, families[i]);
			fuzz_walk(dir, ".json", add_record);
		}
	}
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	(void)v;
	(void)n;
}

/* One section of an object: code, descriptors, metadata or tables. */
static void object_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	uint64_t table, offset, size;
	uint16_t count;

	memcpy(&table, v + 40, 8);
	memcpy(&count, v + 60, 2);
	if (r % 4 == 0 || !count || table > n || count * 64u > n - table)
		return;
	memcpy(&offset, v + table + r / 4 % count * 64 + 24, 8);
	memcpy(&size, v + table + r / 4 % count * 64 + 32, 8);
	if (size < 4 || offset > n || size > n - offset)
		return;
	*from = offset;
	*len = size;
}

/* Most inputs differ in their code only: a mutated record rarely gets as far as translation. */
static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	uint32_t text;

	if (is_object(v, n)) {
		object_window(v, n, r, from, len);
		return;
	}
	memcpy(&text, v, 4);
	if (r % 8 == 0)
		return; /* anywhere, lengths too */
	*from = r % 8 == 1 ? 4 : 8 + (size_t)text;
	*len = r % 8 == 1 ? text : n - *from;
}
