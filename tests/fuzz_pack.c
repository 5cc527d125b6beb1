/* fuzz_pack.c - any bytes as a packed module, and any words as a module: what packs comes back. The first byte says which, the
 * next two of how many words. Seeds are translated programs, both ways. */
#include "../libxlate/package/xlp_spirv.h"
#include "../libxlate/xlate.h"
#include "fuzz.h"

static struct xlp_spirv spirv;

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	struct buf out = { 0 };
	uint32_t *w, *back;
	uint8_t *packed;
	size_t words;
	bool bad;

	if (n < 3)
		return 0;
	words = v[0] & 1 ? (n - 3) / 4 : v[1] | (size_t)v[2] << 8;
	w = malloc(words * 4 + 1); /* exactly that many: one too many is seen */
	back = malloc(words * 4 + 1);
	if (v[0] & 1) {
		memcpy(w, v + 3, words * 4);
		n = xlp_spirv_pack(&spirv, w, words, &out) ? 0 : out.n;
	} else {
		n -= 3;
		buf_put(&out, v + 3, n);
	}
	packed = malloc(n + XLP_SPIRV_ROOM(words)); /* exactly that much */
	if (n)
		memcpy(packed, out.v, n);
	memset(packed + n, v[0], XLP_SPIRV_ROOM(words));
	bad = xlp_spirv_unpack(&spirv, packed, n, back, words) != 0;
	if (v[0] & 1 && n && (bad || memcmp(w, back, words * 4)))
		abort();
	free(packed);
	buf_free(&out);
	free(w);
	free(back);
	return 0;
}

static struct xl_context *context;

static void add(const char *path)
{
	static const struct xl_options o = { .skip_validation = 1 };
	struct xl_record *r = xl_record_import(path, NULL, NULL);

	for (uint32_t k = 0; r && k < xl_record_programs(r); k++) {
		const struct xl_translation *t = xl_translate(context, r, k, &o);
		uint8_t head[3] = { 1, (uint8_t)t->nwords, (uint8_t)(t->nwords >> 8) };
		struct buf b = { 0 };

		if (!t->words || t->nwords > 3000)
			continue;
		buf_put(&b, head, 3);
		buf_put(&b, t->words, t->nwords * 4);
		fuzz_add_seed(b.v, b.n);
		b.n = 0;
		head[0] = 0;
		buf_put(&b, head, 3);
		if (!xlp_spirv_pack(&spirv, t->words, t->nwords, &b))
			fuzz_add_seed(b.v, b.n);
		buf_free(&b);
	}
	xl_record_free(r);
}

static void fuzz_seeds(void)
{
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);

	context = xl_context_new(target);
	fuzz_walk("corpus/navi21", ".json", add);
	fuzz_walk("corpus/sm86", ".json", add);
	xl_context_free(context);
	xl_target_free(target);
}

static void fuzz_repair(uint8_t *v, size_t n)
{
	(void)v;
	(void)n;
}

static void fuzz_window(const uint8_t *v, size_t n, uint64_t r, size_t *from, size_t *len)
{
	(void)v, (void)n, (void)r, (void)from, (void)len;
}
