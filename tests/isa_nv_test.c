/* isa_nv_test.c - decoder and disassembler of sm86 and sm53 against fixture lines.
 *
 *   isa_nv_test              all of fixtures/isa/sm86 and sm53, and some random words
 *   isa_nv_test FILE...        each line: hex bytes, tab, expected text, "!invalid", "!truncated" or "*" (must decode);
 *                              the ISA is the name of the file's folder. sm53 words stand at offset 8, behind an empty
 *                              control word.
 *   isa_nv_test --dis ISA      lines "offset hex" on stdin, one text a line: for tests/nv_parity.py
 *   isa_nv_test --fuzz SEED N  N random words per ISA: no crash, and what decodes prints something
 *   isa_nv_test --rows ISA     the table: mnemonic, present, lifted
 */
#include "../libxlate/isa/isa.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct isa *find(const char *name)
{
	if (!strcmp(name, "sm86"))
		return &isa_sm86;
	return strcmp(name, "sm53") ? NULL : &isa_sm53;
}

static size_t parse_hex(const char *s, size_t len, uint8_t *out, size_t cap)
{
	size_t n = 0;
	unsigned byte;

	for (size_t i = 0; i + 1 < len && n < cap; i += 2) {
		if (sscanf(s + i, "%2x", &byte) != 1)
			return 0;
		out[n++] = (uint8_t)byte;
	}
	return n;
}

static void print_one(const struct isa *isa, size_t offset, const uint8_t *bytes, size_t n, char *text, size_t cap)
{
	uint8_t *code = calloc(1, offset + n + 1);
	int r;

	memcpy(code + offset, bytes, n);
	r = isa->disasm(isa->cpus, 32, code, offset + n, offset, text, cap);
	if (r == ISA_E_INVALID)
		snprintf(text, cap, "!invalid");
	else if (r == ISA_E_TRUNCATED)
		snprintf(text, cap, "!truncated");
	free(code);
}

static int dis(const char *name)
{
	const struct isa *isa = find(name);
	char line[256], hex[128], text[512];
	uint8_t bytes[32];
	unsigned long offset;

	while (isa && fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%lx %127s", &offset, hex) != 2)
			return 2;
		print_one(isa, offset, bytes, parse_hex(hex, strlen(hex), bytes, sizeof bytes), text, sizeof text);
		puts(text);
	}
	return isa ? 0 : 2;
}

static unsigned passed, failed, skipped;

static void check_line(const struct isa *isa, const char *file, unsigned no, char *line)
{
	char *tab = strchr(line, '\t'), text[512];
	uint8_t bytes[64];
	size_t n;

	if (!tab) {
		printf("FAIL %s:%u: no tab\n", file, no);
		failed++;
		return;
	}
	n = parse_hex(line, (size_t)(tab - line), bytes, sizeof bytes);
	print_one(isa, isa == &isa_sm53 ? 8 : 0, bytes, n, text, sizeof text);
	if (!strcmp(text, tab + 1) || (!strcmp(tab + 1, "*") && text[0] && text[0] != '!')) {
		passed++;
		return;
	}
	printf("FAIL %s:%u: %.*s: got \"%s\", want \"%s\"\n", file, no, (int)(tab - line), line, text, tab + 1);
	failed++;
}

static int check_file(const char *file)
{
	const struct isa *isa = strstr(file, "sm53") ? find("sm53") : find("sm86");
	FILE *f = fopen(file, "r");
	char line[1024];
	unsigned no = 0;

	if (!f) {
		fprintf(stderr, "isa_nv_test: cannot open %s\n", file);
		return 2;
	}
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		no++;
		if (line[0] && line[0] != '#')
			check_line(isa, file, no, line);
	}
	fclose(f);
	return 0;
}

static int check_folder(const char *folder)
{
	DIR *d = opendir(folder);
	char path[512];
	int rc = d ? 0 : 2;

	for (struct dirent *e; d && (e = readdir(d));) {
		size_t n = strlen(e->d_name);
		if (n < 4 || strcmp(e->d_name + n - 4, ".txt"))
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		rc |= check_file(path);
	}
	if (d)
		closedir(d);
	return rc;
}

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void fuzz(const struct isa *isa, uint64_t seed, unsigned long n)
{
	uint64_t s = seed * 0x9e3779b97f4a7c15ull + 1;
	unsigned long decoded = 0;
	char text[512];

	for (unsigned long i = 0; i < n; i++) {
		uint64_t w[4];
		int r;

		for (unsigned j = 0; j < 4; j++)
			w[j] = next_random(&s);
		if (i & 1) /* sparse words decode far more often */
			for (unsigned j = 0; j < 4; j++)
				w[j] &= next_random(&s) & next_random(&s);
		r = isa->disasm(isa->cpus, 32, (const uint8_t *)w, sizeof w, isa == &isa_sm53 ? 8 : 0, text, sizeof text);
		if (r > 0 && !text[0]) {
			printf("FAIL %s: seed %llu word %lu: decoded to nothing\n", isa->name, (unsigned long long)seed, i);
			failed++;
		}
		decoded += r > 0;
	}
	printf("%s: %lu of %lu random words decode\n", isa->name, decoded, n);
	passed++;
}

static int rows(const char *name)
{
	const struct isa *isa = find(name);
	struct isa_row row;

	for (size_t i = 0; isa && isa->row(isa->cpus, i, &row); i++)
		if (row.present)
			printf("%s %s\n", row.mnemonic, row.lifted ? "lifted" : "decoded");
	return isa ? 0 : 2;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--dis"))
		return dis(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--rows"))
		return rows(argv[2]);
	if (argc == 1) {
		if (check_folder("fixtures/isa/sm86") | check_folder("fixtures/isa/sm53"))
			return 2;
		fuzz(&isa_sm86, 1, 100000);
		fuzz(&isa_sm53, 1, 100000);
	} else if (argc == 4 && !strcmp(argv[1], "--fuzz")) {
		fuzz(&isa_sm86, strtoull(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
		fuzz(&isa_sm53, strtoull(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
	} else {
		for (int i = 1; i < argc; i++)
			if (check_file(argv[i]))
				return 2;
	}
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
