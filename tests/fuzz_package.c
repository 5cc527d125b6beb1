/* fuzz_package.c - mutated packages: opened, every program, module and reflection read, modules both ways. Hashes of header and
 * sections are repaired in half of the inputs. */
#include "../libxlate/package/xlp.h"
#include "../libxlate/package/xlp_form.h"
#include "../libxlate/xlate.h"
#include "fuzz.h"

#include <xxhash.h>

/* A module of n words into memory of exactly that many: what the slot has, or nothing where it has none. `name` is its hash. */
static void read_again(const struct xl_package *p, struct xl_slot *slot, uint32_t i, int generated, const uint32_t *module,
		       uint32_t n, const char *name)
{
	uint32_t *words = malloc(n ? n * sizeof(*words) : 1);
	uint8_t hash[16];
	char text[33] = "";

	if (!words)
		return;
	if (xl_package_read(p, slot, i, generated, words, n + 1, hash, NULL) != XL_UNREADABLE)
		abort();
	if (xl_package_read(p, slot, i, generated, words, n, hash, NULL) != (module ? XL_OK : XL_UNREADABLE))
		abort();
	for (unsigned k = 0; module && k < 16; k++)
		snprintf(text + 2 * k, 3, "%02x", hash[k]);
	if (module && (memcmp(words, module, n * sizeof(*words)) || (*name && strcmp(text, name))))
		abort();
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	struct xl_package *p = xl_package_open_memory("fuzz.xlp", v, n, NULL, NULL);
	struct xl_slot *slot = xl_slot_new();

	for (uint32_t i = 0; p && i < xl_package_programs(p) && i < 64; i++) {
		struct xl_package_program info;
		const uint32_t *module;
		size_t words;

		xl_package_get(p, slot, i, &info);
		module = xl_package_module(p, slot, i, &words, NULL);
		read_again(p, slot, i, 0, module, module ? (uint32_t)words : info.words, info.module);
		(void)xl_package_reflection(p, slot, i, NULL);
		module = xl_package_generated(p, slot, i, &words, NULL);
		read_again(p, slot, i, 1, module, module ? (uint32_t)words : info.generated_words, info.generated);
		(void)xl_package_generated_reflection(p, slot, i, NULL);
	}
	if (p && !xl_package_index_pipelines(p)) {
		for (uint32_t i = 0; i < xl_package_pipelines(p); i++) {
			struct xl_package_pipeline one;

			xl_package_pipeline(p, i, &one);
			if (!one.nprogram || strlen(one.name) < one.name_length || strlen(one.state) > n)
				abort();
		}
		(void)xl_package_find_pipeline(p, "c");
	}
	xl_slot_free(slot);
	xl_package_free(p);
	return 0;
}

static void fuzz_seeds(void)
{
	static const uint32_t words[] = { 0x07230203, 0x00010600, 0, 5, 0, 2 << 16 | 17, 1, 2 << 16 | 19, 1, 3 << 16 | 33, 3, 1,
		5 << 16 | 54, 1, 2, 0, 3, 2 << 16 | 248, 4, 1 << 16 | 253, 1 << 16 | 56 };
	static const struct xlp_guard guard[2] = { { STATE_WORKGROUP, 42 }, { STATE_SHARED, 7 } };
	static const struct xlp_diag diag = { DIAG_UNLIFTED, 16, "v_foo", "a reason" };
	struct xlp_program p[] = {
		{ .name = "b.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 9 } }, .ndiag = 1, .diag = &diag },
		{ .name = "c.comp", .cpu = "gfx1030", .stage = STAGE_COMPUTE, .wave = 32, .key = { { 7 } }, .nguard = 2,
		  .guard = guard, .words = words, .nwords = sizeof(words) / 4, .reflection = "{}" },
		{ .name = "a.frag", .cpu = "sm86", .stage = STAGE_FRAGMENT, .wave = 32, .key = { { 7 } }, .nguard = 1,
		  .guard = guard, .words = words, .nwords = 5, .reflection = "{\"a\":1}" },
	};
	struct xlp_stamp stamp = { "xlate", "options", "lavapipe", "capability 1\n" };
	struct xlp_packer *packer = xlp_packer_new();
	struct buf b = { 0 };
	struct arena a;
	const char *clash;

	arena_init(&a, SIZE_MAX / 2);
	if (xlp_frame(packer, XLP_MODULE, words, sizeof(words), &a, &p[2].generated) ||
	    xlp_frame(packer, XLP_TEXT, "{ }", 4, &a, &p[2].generated_text))
		abort();
	if (!xlp_encode(p, 3, &stamp, &b, &clash))
		fuzz_add_seed(b.v, b.n);
	xlp_packer_free(packer);
	arena_free(&a);
	buf_free(&b);
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	const size_t head = XLP_HEADER + XLP_SECTIONS * XLP_SECTION;
	uint64_t size = n, sum;

	if (n < head || v[n - 1] & 1)
		return;
	memcpy(v + 16, &size, 8);
	for (unsigned i = 0; i < XLP_SECTIONS; i++) {
		uint8_t *row = v + XLP_HEADER + i * XLP_SECTION;
		uint64_t at, len;

		memcpy(&at, row, 8);
		memcpy(&len, row + 8, 8);
		if (at > n || len > n - at)
			continue;
		sum = XXH3_64bits(v + at, (size_t)len);
		memcpy(row + 24, &sum, 8);
	}
	memset(v + XLP_SUM_AT, 0, 8);
	sum = XXH3_64bits(v, head);
	memcpy(v + XLP_SUM_AT, &sum, 8);
}

static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	(void)v, (void)n, (void)r, (void)from, (void)len;
}
