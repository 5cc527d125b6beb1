/* dict_make.c - the dictionary of packages: dict_make OUT RECORD.json..., trained over the modules of recorded programs in the
 * form that the compressor is given, and their reflections. Another dictionary is another XLP_DICTIONARY. */
#include "../../libxlate/xlate_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <zdict.h>

enum { SIZE = 32 << 10 /* 64 KiB take 1 % off programs that it was not trained on */, MOST = 1 << 14 };
/* Codes are as likely as they are at this level, which is near xlp_frame.c's: those of zstd's default, 3, cost 1.5 %. */
static const ZDICT_params_t params = { .compressionLevel = 6 };

static struct buf samples;
static size_t size[MOST];
static uint64_t seen[MOST];
static unsigned n;

static int add(struct xlp_packer *p, enum xlp_kind kind, const void *v, size_t bytes)
{
	struct rec_hash h = record_bytes_hash(v, bytes);
	const uint8_t *form;
	size_t k;

	for (unsigned i = 0; i < n; i++) {
		if (seen[i] == get64(h.b))
			return 0;
	}
	if (n == MOST || xlp_form(p, kind, v, bytes, &form, &k))
		return -1;
	buf_put(&samples, form, k);
	seen[n] = get64(h.b);
	size[n++] = k;
	return samples.bad ? -1 : 0;
}

/* The bytes to refer to, then codes for what is left: training makes codes, too, but of its own level. */
static size_t train(uint8_t *dict)
{
	uint8_t *first = malloc(SIZE);
	size_t got = first ? ZDICT_trainFromBuffer(first, SIZE, samples.v, size, n) : 0, head;

	if (first && !ZDICT_isError(got)) {
		head = ZDICT_getDictHeaderSize(first, got);
		got = ZDICT_isError(head) ? head :
			ZDICT_finalizeDictionary(dict, SIZE, first + head, got - head, samples.v, size, n, params);
	}
	free(first);
	return got;
}

int main(int argc, char **argv)
{
	static const struct xl_options o = { .skip_validation = 1 };
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xlp_packer *p = xlp_packer_new();
	struct xl_log none = { 0 };
	uint8_t *dict = malloc(SIZE);
	struct buf out = { 0 };
	size_t got;

	for (int i = 2; c && p && i < argc; i++) {
		struct xl_record *r = xl_record_import(argv[i], &none, NULL);

		for (uint32_t k = 0; r && k < r->pipeline->nprogram; k++) {
			const struct xl_translation *t = xl_translate(c, r, k, &o);

			if (t->words && (add(p, XLP_MODULE, t->words, t->nwords * 4) ||
					 (t->reflection && add(p, XLP_TEXT, t->reflection, strlen(t->reflection) + 1))))
				return 4;
		}
		xl_record_free(r);
	}
	got = n && dict ? train(dict) : 0;
	if (!got || ZDICT_isError(got)) {
		fprintf(stderr, "dict_make: %s\n", got ? ZDICT_getErrorName(got) : "no programs");
		return 2;
	}
	printf("%zu bytes from %u samples of %zu bytes\n", got, n, samples.n);
	buf_put(&out, dict, got);
	return buf_replace(&out, argv[1]) != 0;
}
