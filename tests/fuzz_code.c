/* fuzz_code.c - any bytes as machine code of every cpu: decoder and disassembler alone. */
#include "../libxlate/xlate.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *v, size_t n)
{
	struct xl_isa_info info;
	char text[512];

	if (n > 4096)
		n = 4096;
	for (uint32_t i = 0; xl_isa_get(i, &info); i++) {
		uint32_t wave = info.waves & 64 ? 64 : 32;
		/* A copy of exactly that size: one byte too many is seen. */
		uint8_t *code = malloc(n ? n : 1);

		memcpy(code, v, n);
		for (size_t at = xl_isa_next(info.cpu, code, n, 0); at < n;) {
			int r = xl_disassemble(info.cpu, wave, code, n, at, text, sizeof(text));

			if (r > 0 && (size_t)r > n - at)
				abort(); /* longer than what is there */
			if (strlen(text) >= sizeof(text))
				abort();
			at = xl_isa_next(info.cpu, code, n, at + (r > 0 ? (size_t)r : 4));
		}
		free(code);
	}
	return 0;
}

static void add(const char *path)
{
	struct fuzz_bytes b = fuzz_read(path);

	if (b.n)
		fuzz_add_seed(b.v, b.n < 2048 ? b.n : 2048);
	free(b.v);
}

static void fuzz_seeds(void)
{
	fuzz_walk("corpus/navi21", ".bin", add);
	fuzz_walk("corpus/bonaire", ".bin", add);
	fuzz_walk("corpus/sm86", ".bin", add);
	fuzz_walk("corpus/sm53", ".bin", add);
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
