/* fuzz_cache.c - mutated guest caches: opened, every record read. Half of the inputs get their record hashes repaired, so
 * that what lies behind the hash is reached. */
#include "../libxlate/xlate.h"
#include "fuzz.h"

#include <xxhash.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	struct xl_cache *c = xl_cache_open_memory("fuzz.xgc", v, n, NULL, NULL);

	for (uint32_t i = 0; c && i < xl_cache_records(c); i++) {
		struct xl_record *r = xl_cache_read(c, i, NULL, NULL);

		if (r) {
			char *text = xl_record_json(r, 0);

			for (uint32_t k = 0; k < xl_record_programs(r); k++) {
				struct xl_program_info info;

				xl_record_program(r, k, &info);
			}
			free(text);
		}
		xl_record_free(r);
	}
	xl_cache_free(c);
	return 0;
}

/* The same cache with its payloads stored raw, so that mutations reach the fields: zstd would hide them. */
static void add_raw(const uint8_t *v, size_t n)
{
	static uint8_t out[1 << 20], raw[1 << 19];
	size_t m = 16;

	memcpy(out, v, 16);
	for (size_t at = 16; at + 16 <= n;) {
		uint32_t size, type, head, flags, packed;
		size_t got;

		memcpy(&size, v + at, 4);
		memcpy(&type, v + at + 4, 4);
		head = 20; /* blob: hash, size */
		if (type == 2) { /* pipeline: size, name */
			memcpy(&head, v + at + 20, 4);
			head += 8;
		}
		memcpy(&flags, v + at + 16 + head, 4);
		packed = size - head - 4;
		got = flags ? ZSTD_decompress(raw, sizeof(raw), v + at + 20 + head, packed) : packed;
		if (ZSTD_isError(got) || m + got + head + 64 > sizeof(out))
			return;
		if (!flags)
			memcpy(raw, v + at + 20 + head, packed);
		memcpy(out + m, v + at, 16 + head);
		memset(out + m + 16 + head, 0, 4);
		memcpy(out + m + 20 + head, raw, got);
		size = (uint32_t)(head + 4 + got);
		memcpy(out + m, &size, 4);
		memset(out + m + 16 + size, 0, 8);
		m += 16 + ((size + 7u) & ~7u);
		memcpy(&size, v + at, 4);
		at += 16 + ((size + 7u) & ~7u);
	}
	out[m - 1] = 0;
	fuzz_repair(out, m);
	fuzz_add_seed(out, m);
}

static void add(const char *path)
{
	static unsigned count;
	struct xl_cache_writer *w = xl_cache_writer_new();
	struct xl_record *r = count++ % 8 ? NULL : xl_record_import(path, NULL, NULL);
	const uint8_t *v;
	size_t size;

	if (r) {
		xl_cache_add(w, r);
		xl_cache_add(w, r);
		v = xl_cache_bytes(w, &size);
		fuzz_add_seed(v, size);
		add_raw(v, size);
	}
	xl_record_free(r);
	xl_cache_writer_free(w);
}

static void fuzz_seeds(void)
{
	fuzz_walk("corpus/navi21", ".json", add);
	fuzz_walk("corpus/sm86", ".json", add);
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	if (n < 16 || v[n - 1] & 1)
		return;
	for (size_t at = 16; n - at >= 16;) {
		uint32_t size, type;
		uint64_t sum;

		memcpy(&size, v + at, 4);
		memcpy(&type, v + at + 4, 4);
		if (size > n - at - 16)
			return;
		sum = XXH3_64bits_withSeed(v + at + 16, size, type);
		memcpy(v + at + 8, &sum, 8);
		at += 16 + ((size + 7u) & ~7u);
		if (at > n)
			return;
	}
}

static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	(void)v, (void)n, (void)r, (void)from, (void)len;
}
