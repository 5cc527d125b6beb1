/* pack_test.c - modules in the form that packages have them: every module comes back as it was, whatever it is; what does not
 * come from packing is noticed or harmless. The table of operands is compared with the headers of SPIR-V. */
#include "../libxlate/package/xlp_spirv.h"
#include "../libxlate/xlate.h"

#include <glob.h>
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed, failed;
#define CHECK(cond) ((cond) ? (void)passed++ : (failed++, (void)printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

static uint32_t state = 12345;
static uint32_t draw(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

extern void SpvHasResultAndType(SpvOp, bool *, bool *); /* inline in the header: this is its definition */

/* ---- the table against spirv.h, which says of each opcode whether it has a result and a type */
static void row(const char *name, unsigned op, unsigned value, const char *operands)
{
	bool result, type;

	SpvHasResultAndType((SpvOp)op, &result, &type);
	if (op != value || (strchr(operands, 'r') != NULL) != result || (strchr(operands, 't') != NULL) != type) {
		failed++;
		printf("pack_test: %s (%u) is not %s\n", name, op, operands);
	} else {
		passed++;
	}
}

/* A pattern's name says its letters; what is of one length has a loop-free path of eight words. */
static const char *pattern(const char *name, const char *letters)
{
	char of[16];
	size_t n = strlen(letters);

	CHECK(n < sizeof(of) && (n <= 8 || strpbrk(letters, "(?s")));
	for (size_t i = 0; i <= n && i < sizeof(of); i++)
		of[i] = letters[i];
	for (char *c = of; *c; c++)
		*c = *c == '(' ? '_' : *c == '?' ? 'O' : *c;
	CHECK(!strcmp(n ? of : "none", name));
	return letters;
}

static void table_test(void)
{
#define PATTERN(name, letters) const char *const is_##name = pattern(#name, letters);
#include "../libxlate/package/xlp_spirv.def"
#define SHAPE(name, op, of) row(#name, op, SpvOp##name, is_##of);
#include "../libxlate/package/xlp_spirv.def"
}

/* The packed bytes with the room that is wanted behind them. */
static uint8_t *roomy(const uint8_t *v, size_t size, size_t n)
{
	uint8_t *copy = calloc(size + XLP_SPIRV_ROOM(n), 1);

	memcpy(copy, v, size);
	return copy;
}

/* ---- round trips. 1: packed, 0: not of this form */
static int trip(struct xlp_spirv *s, const uint32_t *w, size_t n, struct buf *out)
{
	uint32_t *back = malloc(n * 4 + 1);
	uint8_t *packed;
	int rc;

	out->n = 0;
	rc = xlp_spirv_pack(s, w, n, out);
	CHECK(rc >= 0 && (!rc || !out->n));
	packed = rc ? NULL : roomy(out->v, out->n, n);
	if (!rc)
		CHECK(!xlp_spirv_unpack(s, packed, out->n, back, n) && !memcmp(back, w, n * 4));
	free(packed);
	free(back);
	return !rc;
}

/* Words of a real module changed: often no module any more, but what is taken comes back. */
static unsigned broken(struct xlp_spirv *s, const uint32_t *w, size_t n, unsigned times)
{
	uint32_t *copy = malloc(n * 4);
	struct buf out = { 0 };
	unsigned taken = 0;

	while (times--) {
		memcpy(copy, w, n * 4);
		for (uint32_t k = 1 + draw(3); k; k--) {
			uint32_t at = draw((uint32_t)n);

			copy[at] = draw(2) ? copy[at] ^ 1u << draw(32) : copy[draw((uint32_t)n)];
		}
		taken += (unsigned)trip(s, copy, n - draw(3), &out);
	}
	buf_free(&out);
	free(copy);
	return taken;
}

/* Bytes of a packed module changed: refused, or other words; never more than there is room for. */
static unsigned damaged(struct xlp_spirv *s, const uint8_t *v, size_t size, size_t n, unsigned times)
{
	uint8_t *copy = roomy(v, size, n);
	uint32_t *back = malloc(n * 4);
	unsigned refused = 0;

	while (times--) {
		memcpy(copy, v, size);
		for (uint32_t k = 1 + draw(3); k; k--)
			copy[draw((uint32_t)size)] ^= (uint8_t)(1 << draw(8));
		refused += xlp_spirv_unpack(s, copy, size - draw(2) * draw((uint32_t)size), back, n) != 0;
	}
	free(copy);
	free(back);
	return refused;
}

static void corpus_test(void)
{
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = xl_context_new(target);
	static const struct xl_options o = { .skip_validation = 1 };
	struct xlp_spirv s = { 0 };
	struct buf out = { 0 };
	unsigned modules = 0, taken = 0, refused = 0, tried = 0;
	size_t words = 0, bytes = 0;
	glob_t g;

	CHECK(!glob("corpus/navi21/*.json", 0, NULL, &g) && !glob("corpus/sm*/*.json", GLOB_APPEND, NULL, &g));
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct xl_record *r = xl_record_import(g.gl_pathv[i], NULL, NULL);

		for (uint32_t k = 0; r && k < xl_record_programs(r); k++) {
			const struct xl_translation *t = xl_translate(c, r, k, &o);

			if (!t->words)
				continue;
			modules++;
			words += t->nwords;
			if (!trip(&s, t->words, t->nwords, &out)) { /* an instruction that the table lacks, most likely */
				failed++;
				printf("pack_test: a program of %s is stored as it is\n", g.gl_pathv[i]);
				continue;
			}
			bytes += out.n;
			if (i % 4)
				continue;
			tried += 50;
			refused += damaged(&s, out.v, out.n, t->nwords, 50);
			taken += broken(&s, t->words, t->nwords, 20);
		}
		xl_record_free(r);
	}
	printf("%u modules, %zu bytes, packed %zu; %u of %u damaged ones noticed\n", modules, words * 4, bytes, refused, tried);
	CHECK(modules > 100 && bytes * 3 < words * 4 && taken > 20 && refused > tried / 2);
	globfree(&g);
	buf_free(&out);
	xlp_spirv_free(&s);
	xl_context_free(c);
	xl_target_free(target);
}

/* Modules that no compiler makes: ids without order, without a definition, too large, twice; cut instructions. */
static void odd_test(void)
{
	static const uint32_t h[5] = { 0x07230203, 0x00010600, 0, 8, 0 };
	static const struct { bool taken; uint32_t n, w[16]; } odd[] = {
		{ true, 0, { 0 } },
		{ true, 4, { 2 << 16 | 19, 1, 2 << 16 | 20, 2 } },                  /* OpTypeVoid %1, OpTypeBool %2 */
		{ true, 4, { 2 << 16 | 19, 5, 2 << 16 | 20, 7 } },                  /* ids left out */
		{ false, 4, { 2 << 16 | 19, 7, 2 << 16 | 20, 5 } },                 /* ids backwards */
		{ false, 4, { 2 << 16 | 19, 1, 2 << 16 | 20, 1 } },                 /* defined twice */
		{ false, 2, { 2 << 16 | 19, 0 } },
		{ false, 2, { 2 << 16 | 19, 8 } },                                  /* not below the bound */
		{ false, 4, { 4 << 16 | 32, 1, 7, 6 } },                            /* a type that is not there */
		{ true, 3, { 3 << 16 | 32, 1, 7 } },                                /* too short: plain words */
		{ false, 2, { 9 << 16 | 19, 1 } },                                  /* leaves the module */
		{ false, 1, { 19 } },                                               /* no length */
		{ true, 3, { 3 << 16 | 4999, 0xffffffff, 0 } },                     /* unknown: plain words */
		{ true, 4, { 4 << 16 | 10, 0x61616161, 0, 9 } },                    /* words behind the end of a string */
		{ true, 2, { 2 << 16 | 10, 0x61616161 } },                          /* a string without an end */
		{ true, 5, { 2 << 16 | 19, 1, 3 << 16 | 54, 1, 2 } },               /* OpFunction without its last operands */
	};
	struct xlp_spirv s = { 0 };
	struct buf out = { 0 };
	uint32_t w[32];

	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		memcpy(w, h, sizeof(h));
		memcpy(w + 5, odd[i].w, odd[i].n * 4);
		w[3] = odd[i].n + 5 < 8 ? odd[i].n + 5 : 8;
		if (trip(&s, w, 5 + odd[i].n, &out) != odd[i].taken) {
			failed++;
			printf("pack_test: odd module %u\n", i);
		}
	}
	CHECK(!trip(&s, h, 4, &out));
	buf_free(&out);
	xlp_spirv_free(&s);
}

int main(void)
{
	table_test();
	odd_test();
	corpus_test();
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
