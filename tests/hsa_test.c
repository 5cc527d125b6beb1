/* hsa_test.c - the code objects of corpus/hsa, imported, translated and run on lavapipe; the same kernels as C on the CPU say
 * what must come out. Without a Vulkan device everything is translated and validated, nothing is run (exit 77).
 *
 * hsa_test [-v] [FILE.co [KERNEL]] */
#define _XOPEN_SOURCE 700
#include "../libxlate/xlate.h"
#include "hsa_gpu.h"
#include "hsa_ref.h"

#include <math.h>
#include <stdio.h>

enum { ARGS = 5, FLOATS = 1, NEEDLE = 2 };
struct arg { u32 bytes; u32 fill; const void *value; u32 align; }; /* value NULL: a buffer, filled by rule `fill` */
enum { ZEROS, NOISE, BYTES, SMALL_FLOATS, LETTERS, ONES };
#define B(bytes, fill) { bytes, fill, NULL, 8 }
#define A(v) { sizeof(v), 0, &(v), _Alignof(__typeof__(v)) }

static const float k_a = 1.5f;
static const u32 k_n = 250, k_width = 16, k_first = 27, k_each = 3, k_size = 16, k_data = 1000, k_text = 500, k_len = 2, k_line = 24,
	k_rounds = 5, k_queens = 6, k_index = 40, k_code = 40;
static const int k_scale = 900;
static const u8 k_byte = 77;
static const struct params k_params = { { 3, 5, 7, 11, 13, 17 }, 0x8001, 5, 1, 0x123456789abcdef0 };
static const struct large k_large = { { 9, 8, 7, 6, [40] = 1234, [63] = 99 } };

static const struct kernel {
	const char *name;
	void (*run)(void **);
	u32 size[3], groups[3];
	struct arg arg[ARGS];
	int floats;
} kernels[] = {
	{ "saxpy", call_saxpy, { 64, 1, 1 }, { 4, 1, 1 }, { B(1024, SMALL_FLOATS), B(1024, SMALL_FLOATS), A(k_a), A(k_n) }, FLOATS },
	{ "wide", call_wide, { 64, 1, 1 }, { 2, 1, 1 }, { B(1024, ZEROS), B(1024, NOISE), B(1024, NOISE) }, 0 },
	{ "narrow", call_narrow, { 64, 1, 1 }, { 2, 1, 1 },
	  { B(128, ZEROS), B(256, ZEROS), B(128, NOISE), B(256, NOISE), A(k_byte) }, 0 },
	{ "mandel", call_mandel, { 8, 8, 1 }, { 2, 3, 1 }, { B(16 * 24 * 4, ZEROS), A(k_width), A(k_scale) }, 0 },
	{ "collatz", call_collatz, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), A(k_first), A(k_each) }, 0 },
	{ "ratio", call_ratio, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(512, SMALL_FLOATS), B(512, SMALL_FLOATS) }, FLOATS },
	{ "reduce", call_reduce, { 128, 1, 1 }, { 3, 1, 1 }, { B(12, ZEROS), B(1536, NOISE) }, 0 },
	{ "matmul", call_matmul, { 8, 8, 1 }, { 2, 2, 1 }, { B(1024, ZEROS), B(1024, NOISE), B(1024, NOISE), A(k_size) }, 0 },
	{ "sort", call_sort, { 128, 1, 1 }, { 2, 1, 1 }, { B(1024, NOISE) }, 0 },
	{ "histogram", call_histogram, { 64, 1, 1 }, { 3, 1, 1 }, { B(64, ZEROS), B(1000, NOISE), A(k_data) }, 0 },
	{ "scan", call_scan, { 128, 1, 1 }, { 2, 1, 1 }, { B(1024, ZEROS), B(1024, NOISE) }, 0 },
	{ "strfind", call_strfind, { 64, 1, 1 }, { 8, 1, 1 },
	  { B(12, ONES), B(500, LETTERS), A(k_text), B(4, LETTERS), A(k_len) }, 0 },
	{ "crc", call_crc, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(128 * 24, NOISE), A(k_line) }, 0 },
	{ "grid", call_grid, { 16, 4, 1 }, { 2, 3, 1 }, { B(32 * 12 * 4, ZEROS) }, 0 },
	{ "calls", call_calls, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(512, NOISE), A(k_rounds) }, 0 },
	{ "nested", call_nested, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(512, NOISE), A(k_rounds) }, 0 },
	{ "queens", call_queens, { 16, 1, 1 }, { 1, 1, 1 }, { B(64, ZEROS), A(k_queens) }, 0 },
	{ "record", call_record, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(512, NOISE), A(k_params) }, 0 },
	{ "many", call_many, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), A(k_large), A(k_index) }, 0 },
	{ "machine", call_machine, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(64, BYTES), A(k_code) }, 0 },
	{ "modes", call_modes, { 64, 1, 1 }, { 2, 1, 1 }, { B(512, ZEROS), B(512, SMALL_FLOATS) }, 0 },
};
enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

static void fill(u8 *v, u32 bytes, u32 rule, u32 seed)
{
	u32 x = seed * 2654435761u + 12345;
	float f;

	for (u32 i = 0; i < bytes; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		v[i] = rule == ZEROS ? 0 : rule == ONES ? 255 : rule == LETTERS ? (u8)('a' + x % 3) : (u8)(x >> 9);
	}
	for (u32 i = 0; rule == SMALL_FLOATS && i + 4 <= bytes; i += 4) {
		f = (float)(v[i] + 1) * (v[i + 1] & 1 ? 0.25f : -3.5f);
		memcpy(v + i, &f, 4);
	}
	if (rule == LETTERS && bytes < 8)
		memcpy(v, "ab", 2);
}

static bool same(const u8 *a, const u8 *b, u32 bytes, int floats)
{
	if (!floats)
		return !memcmp(a, b, bytes);
	for (u32 i = 0; i + 4 <= bytes; i += 4) {
		float x, y, m;

		memcpy(&x, a + i, 4);
		memcpy(&y, b + i, 4);
		m = fmaxf(1, fmaxf(fabsf(x), fabsf(y)));
		if (memcmp(a + i, b + i, 4) && !(isnan(x) && isnan(y)) && !(fabsf(x - y) <= 1e-4f * m))
			return false;
	}
	return true;
}

struct test { struct hsa_gpu *gpu; struct xl_context *context; unsigned passed, failed; bool verbose; };

/* Both sides start from the same bytes; by-value arguments lie where the guest's layout puts them. */
static bool execute(struct test *t, const struct kernel *k, const struct xl_translation *x, const char *where)
{
	static u8 memory[ARGS][HSA_BUFFER], values[HSA_BUFFER];
	void *args[ARGS];
	u32 at = 0;

	memset(values, 0, sizeof(values));
	for (u32 i = 0; i < ARGS && k->arg[i].bytes; i++) {
		const struct arg *a = &k->arg[i];

		at = (at + a->align - 1) & ~(a->align - 1);
		if (a->value) {
			memcpy(values + at, a->value, a->bytes);
			memcpy(memory[i], a->value, a->bytes);
		} else {
			fill(memory[i], a->bytes, a->fill, i + 1);
			memcpy(t->gpu->memory[i + 1], memory[i], a->bytes);
		}
		args[i] = memory[i];
		at += a->value ? a->bytes : 8;
	}
	memcpy(t->gpu->memory[0], values, at);
	if (!hsa_run(t->gpu, x->words, x->nwords, values, k->groups)) {
		printf("%s %s: the pipeline cannot be made or run\n", where, k->name);
		return false;
	}
	ref_run(k->run, args, k->size, k->groups);
	for (u32 i = 0; i < ARGS && k->arg[i].bytes; i++) {
		if (!k->arg[i].value && !same(memory[i], t->gpu->memory[i + 1], k->arg[i].bytes, k->floats)) {
			u32 b = 0;

			while (memory[i][b] == t->gpu->memory[i + 1][b])
				b++;
			printf("%s %s: argument %u differs at byte %u of %u\n", where, k->name, i, b, k->arg[i].bytes);
			return false;
		}
	}
	return true;
}

static void one(struct test *t, const struct xl_record *r, const char *where)
{
	const struct xl_translation *x = xl_translate(t->context, r, 0, NULL);
	const char *name = xl_record_name(r);
	u32 k = 0;
	bool ok = x->status == XL_OK;

	while (k < KERNELS && strcmp(kernels[k].name, name))
		k++;
	if (k == KERNELS) {
		printf("%s: no kernel is called %s\n", where, name);
		ok = false;
	}
	for (u32 i = 0; i < x->ndiag && !ok; i++)
		printf("%s %s: +0x%x %s: %s [%s]\n", where, name, x->diag[i].addr, x->diag[i].inst ? x->diag[i].inst : "", x->diag[i].text,
		       x->diag[i].code);
	if (ok && t->gpu)
		ok = execute(t, &kernels[k], x, where);
	if (t->verbose)
		printf("%s %s: %s, %zu words\n", where, name, ok ? "equal" : "failed", x->nwords);
	t->passed += ok;
	t->failed += !ok;
}

static void log_diag(void *user, const struct xl_diag *d)
{
	(void)user;
	printf("%s: %s\n", d->file ? d->file : "", d->text);
}

static void file(struct test *t, const char *path, const char *only)
{
	struct xl_log log = { log_diag, NULL };
	struct xl_cache *c = xl_cache_import(path, &log, NULL);

	if (!c || xl_cache_damaged(c) || !xl_cache_records(c)) {
		printf("%s: not imported\n", path);
		t->failed++;
	}
	for (u32 i = 0; c && i < xl_cache_records(c); i++) {
		struct xl_record *r = xl_cache_read(c, i, &log, NULL);

		if (r && (!only || !strcmp(only, xl_record_name(r))))
			one(t, r, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
		t->failed += !r;
		xl_record_free(r);
	}
	xl_cache_free(c);
}

int main(int argc, char **argv)
{
	static const char *const files[] = { "arith-gfx1030.co", "arith-gfx700.co", "arith-v6.co", "arith-object.o", "memory-gfx1030.co",
		"memory-gfx700.co", "memory-v3.co", "control-gfx1030.co", "control-gfx700.co", "control-v4.co", "call-gfx1030.co" };
	static struct hsa_gpu gpu;
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct test t = { .context = target ? xl_context_new(target) : NULL };
	const char *why = hsa_open(&gpu);
	char path[256];
	int i = 1;

	t.gpu = why ? NULL : &gpu;
	if (i < argc && !strcmp(argv[i], "-v"))
		t.verbose = i++;
	if (!t.context)
		return 1;
	if (i < argc)
		file(&t, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
	for (u32 k = 0; i == argc && k < sizeof(files) / sizeof(files[0]); k++) {
		snprintf(path, sizeof(path), "corpus/hsa/%s", files[k]);
		file(&t, path, NULL);
	}
	xl_context_free(t.context);
	xl_target_free(target);
	if (why && !t.failed) {
		printf("skip: %s\n", why);
		return 77;
	}
	printf("hsa: %u passed, %u failed, 0 skipped\n", t.passed, t.failed);
	return t.failed != 0;
}
