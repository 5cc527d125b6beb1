/* isa_amd_test [DIR] - decoder and disassembler of gfx7 and gfx10 against the lines of DIR/gfx7 and DIR/gfx10 (fixtures/isa).
 *
 * Every file there but mnemonics.txt has lines `bytes TAB text TAB cpu[/wWAVE],...`, # starts a comment; bytes are hex in memory
 * order. text is what must be printed for exactly these bytes, or !invalid, or !truncated. One test per file; the lines that
 * differ are shown. The other tests are written out below, with values from the definition of the instruction set.
 * The last line counts.
 */
#include "../libxlate/isa/amd/amd.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed, failed;

static void verdict(const char *name, bool ok)
{
	printf("%s %s\n", ok ? "ok" : "FAIL", name);
	ok ? passed++ : failed++;
}

static size_t from_hex(const char *s, size_t n, uint8_t *out, size_t cap)
{
	size_t k = 0;
	unsigned byte;

	for (size_t i = 0; i + 1 < n && k < cap; i += 2) {
		if (sscanf(s + i, "%2x", &byte) != 1)
			break;
		out[k++] = (uint8_t)byte;
	}
	return k;
}

/* The decoder sees a heap copy of exactly n bytes, so that a sanitizer notices a read behind them. */
static int disasm(const struct isa *isa, const struct isa_cpu *cpu, uint32_t wave, const uint8_t *bytes, size_t n, char *text,
                  size_t cap)
{
	uint8_t *copy = malloc(n ? n : 1);
	int length;

	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	length = isa->disasm(cpu, wave, copy, n, 0, text, cap);
	free(copy);
	return length;
}

static bool check_line(const char *hex, const uint8_t *bytes, size_t n, const char *want, const char *where)
{
	const struct isa_cpu *cpu;
	const struct isa *isa;
	char name[32], text[256];
	unsigned wave = 64;
	int length, expected = (int)n;

	if (sscanf(where, "%31[^/,]/w%u", name, &wave) < 1 || !(isa = isa_find(name, &cpu))) {
		printf("%s: unknown cpu in: %s\n", hex, where);
		return false;
	}
	length = disasm(isa, cpu, wave, bytes, n, text, sizeof(text));
	if (!strcmp(want, "!invalid"))
		expected = ISA_E_INVALID;
	else if (!strcmp(want, "!truncated"))
		expected = ISA_E_TRUNCATED;
	if (length == expected && (expected < 0 ? !text[0] : !strcmp(text, want)))
		return true;
	printf("%s on %s: want %d %s, got %d %s\n", hex, name, expected, want, length, text);
	return false;
}

static bool check_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[1024];
	unsigned bad = 0, lines = 0;

	while (f && fgets(line, sizeof(line), f)) {
		char *text = strchr(line, '\t'), *where = text ? strchr(text + 1, '\t') : NULL;
		uint8_t bytes[64];
		size_t n;

		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || !where)
			continue;
		*text++ = 0;
		*where++ = 0;
		n = from_hex(line, strlen(line), bytes, sizeof(bytes));
		for (; where && bad < 20; where = strchr(where, ',') ? strchr(where, ',') + 1 : NULL) {
			lines++;
			bad += !check_line(line, bytes, n, text, where);
		}
	}
	if (f)
		fclose(f);
	return lines && !bad;
}

/* Mnemonic as printed without encoding suffix. */
static void base_name(char *s)
{
	static const char *const suffixes[] = { "_e32", "_e64", "_sdwa", "_dpp" };
	size_t n = strlen(s);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t k = strlen(suffixes[i]);

		if (n > k && !strcmp(s + n - k, suffixes[i])) {
			s[n - k] = 0;
			return;
		}
	}
}

static bool in_table(const struct isa *isa, const char *mnemonic)
{
	struct isa_row row;

	for (const struct isa_cpu *c = isa->cpus; c->name; c++) {
		for (size_t i = 0; isa->row(c, i, &row); i++) {
			if (row.present && !strcmp(row.mnemonic, mnemonic))
				return true;
		}
	}
	return false;
}

static bool all_mnemonics(const struct isa *isa, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[128];
	unsigned lines = 0, missing = 0;

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || !line[0])
			continue;
		lines++;
		base_name(line);
		if (!in_table(isa, line)) {
			printf("%s: not in the table: %s\n", path, line);
			missing++;
		}
	}
	if (f)
		fclose(f);
	return lines && !missing;
}

static void check_folder(const char *dir, const struct isa *isa)
{
	char path[1024], name[512];
	struct dirent *e;
	char *names[64];
	size_t count = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/%s", dir, isa->name);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		size_t n = strlen(e->d_name);

		if (n > 4 && !strcmp(e->d_name + n - 4, ".txt") && count < 64) {
			names[count] = malloc(n + 1);
			if (!names[count])
				abort();
			memcpy(names[count++], e->d_name, n + 1);
		}
	}
	if (d)
		closedir(d);
	for (size_t i = 0; i < count; i++) { /* in order of name */
		for (size_t k = i + 1; k < count; k++) {
			if (strcmp(names[k], names[i]) < 0) {
				char *t = names[i];

				names[i] = names[k];
				names[k] = t;
			}
		}
		snprintf(path, sizeof(path), "%s/%s/%s", dir, isa->name, names[i]);
		snprintf(name, sizeof(name), "%s/%s", isa->name, names[i]);
		verdict(name, !strcmp(names[i], "mnemonics.txt") ? all_mnemonics(isa, path) :
			!strncmp(names[i], "exec", 4) || check_file(path)); /* amd_alu_test has these */
		free(names[i]);
	}
	if (!count)
		verdict(path, false);
}

static int decode(const char *cpu_name, uint32_t wave, const char *hex, struct amd_inst *in)
{
	const struct isa_cpu *cpu;
	uint8_t bytes[64];
	size_t n = from_hex(hex, strlen(hex), bytes, sizeof(bytes));

	return isa_find(cpu_name, &cpu) ? amd_decode(cpu, wave, bytes, n, 0, in) : 0;
}

static bool is(const struct amd_opnd *o, uint32_t kind, uint32_t index, uint32_t dwords, uint64_t value)
{
	if (o->kind == kind && o->index == index && o->dwords == dwords && o->value == value)
		return true;
	printf("operand: kind %u index %u dwords %u value %llx\n", o->kind, o->index, o->dwords, (unsigned long long)o->value);
	return false;
}

/* v_add_f16 v5, 1.0, v2; v_add_f32 v5, 1.0, v2; v_add_f64 v[5:6], 1.0, v[2:3]; v_add_f64 with a literal. */
static bool constants(void)
{
	struct amd_inst in;

	return decode("gfx1030", 64, "f2040a64", &in) == 4 && is(&in.src[0], AMD_K_FLOAT, 0, 1, 0x3c00) &&
	       is(&in.src[1], AMD_K_VGPR, 2, 1, 0) && is(&in.dst[0], AMD_K_VGPR, 5, 1, 0) &&
	       decode("gfx1030", 64, "f2040a06", &in) == 4 && is(&in.src[0], AMD_K_FLOAT, 0, 1, 0x3f800000) &&
	       decode("gfx1030", 64, "050064d5f2040200", &in) == 8 &&
	       is(&in.src[0], AMD_K_FLOAT, 0, 2, 0x3ff0000000000000) &&
	       decode("gfx1030", 64, "050064d5ff0402000000f03f", &in) == 12 &&
	       is(&in.src[0], AMD_K_LITERAL, 0, 2, 0x3ff0000000000000) &&
	       /* s_mov_b64 s[4:5], -1: all 64 bits; s_mov_b32: 32 */
	       decode("gfx700", 64, "c10484be", &in) == 4 && is(&in.src[0], AMD_K_INT, 0, 2, UINT64_MAX) &&
	       decode("gfx700", 64, "c10384be", &in) == 4 && is(&in.src[0], AMD_K_INT, 0, 1, 0xffffffff);
}

/* VCC where the short forms imply it, one or two SGPRs by wave size; EXEC for gfx10's v_cmpx, a mask and EXEC on gfx7. */
static bool implied_masks(void)
{
	struct amd_inst in;

	return decode("gfx1030", 64, "01050402", &in) == 4 && is(&in.src[2], AMD_K_SPECIAL, AMD_VCC_LO, 2, 0) &&
	       decode("gfx1030", 32, "01050402", &in) == 4 && is(&in.src[2], AMD_K_SPECIAL, AMD_VCC_LO, 1, 0) &&
	       decode("gfx1030", 64, "0105227c", &in) == 4 && is(&in.dst[0], AMD_K_SPECIAL, AMD_EXEC_LO, 2, 0) &&
	       in.flags & AMD_F_CMPX && decode("gfx700", 64, "0105227c", &in) == 4 &&
	       is(&in.dst[0], AMD_K_SPECIAL, AMD_VCC_LO, 2, 0) && in.flags & AMD_F_CMPX &&
	       /* v_addc_u32 v5, vcc, v1, v2, vcc */
	       decode("gfx700", 64, "01050a50", &in) == 4 && is(&in.dst[1], AMD_K_SPECIAL, AMD_VCC_LO, 2, 0) &&
	       is(&in.src[2], AMD_K_SPECIAL, AMD_VCC_LO, 2, 0);
}

/* Branch distances are dwords from the next instruction, signed; s_load offsets are bytes on both generations. */
static bool distances(void)
{
	struct amd_inst in;

	return decode("gfx1030", 64, "020082bf", &in) == 4 && in.branch_target == 12 && in.flags & ISA_F_BRANCH &&
	       in.flags & ISA_F_END && decode("gfx700", 64, "feff85bf", &in) == 4 && in.branch_target == -4 &&
	       !(in.flags & ISA_F_END) && decode("gfx700", 64, "040100c0", &in) == 4 && in.offset == 16 &&
	       decode("gfx1030", 64, "000000f4040000fa", &in) == 8 && in.offset == 4 &&
	       decode("gfx1030", 64, "000000f4fcff1ffa", &in) == 8 && in.offset == -4 && in.soffset.kind == AMD_K_NONE;
}

/* Returning and plain atomics, stores, LDS loads: which of dst and data is there. */
static bool memory_roles(void)
{
	struct amd_inst in;

	return decode("gfx1030", 64, "0000c8e000010280", &in) == 8 && in.dst[0].kind == AMD_K_NONE &&
	       is(&in.data[0], AMD_K_VGPR, 1, 1, 0) && decode("gfx1030", 64, "0040c8e000010280", &in) == 8 &&
	       is(&in.dst[0], AMD_K_VGPR, 1, 1, 0) && is(&in.sbase, AMD_K_SGPR, 8, 4, 0) &&
	       /* compare-and-swap takes two dwords and returns one */
	       decode("gfx1030", 64, "0040c4e000010280", &in) == 8 && is(&in.dst[0], AMD_K_VGPR, 1, 1, 0) &&
	       is(&in.data[0], AMD_K_VGPR, 1, 2, 0) &&
	       decode("gfx700", 64, "000030e000010280", &in) == 8 && in.data[0].kind == AMD_K_NONE &&
	       is(&in.dst[0], AMD_K_VGPR, 1, 1, 0) && in.addr.kind == AMD_K_OFF;
}

/* A descriptor that ends in VCC: compilers use s[104:107] where VCC is free. Odd SGPR numbers are flagged. */
static bool odd_registers(void)
{
	struct amd_inst in;

	return decode("gfx1030", 64, "011a08f4000000fa", &in) == 8 && is(&in.dst[0], AMD_K_SGPR, 104, 4, 0) && !in.odd &&
	       decode("gfx1030", 64, "030484be", &in) == 4 && is(&in.src[0], AMD_K_SGPR, 2, 2, 0) && in.odd &&
	       in.src[0].unaligned;
}

/* Random bytes: no read behind the end (sanitizers look), a length within the bytes, the same answer with more bytes behind. */
static bool random_bytes(const struct isa *isa)
{
	uint64_t state = 0x9e3779b97f4a7c15;

	for (unsigned i = 0; i < 200000; i++) {
		const struct isa_cpu *cpu = isa->cpus;
		uint8_t bytes[24];
		char text[256], longer[256];
		size_t n;
		int length, again;

		for (size_t k = 0; k < sizeof(bytes); k++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			bytes[k] = (uint8_t)(state >> 56);
		}
		n = 1 + state % 20;
		length = disasm(isa, cpu, 64, bytes, n, text, sizeof(text));
		again = isa->disasm(cpu, 64, bytes, sizeof(bytes), 0, longer, sizeof(longer));
		if (length == 0 || length > (int)n || (length < 0 && text[0]) ||
		    (length > 0 && (again != length || strcmp(text, longer)))) {
			printf("%s: case %u: %d %s / %d %s\n", isa->name, i, length, text, again, longer);
			return false;
		}
	}
	return true;
}

/* A short buffer is filled and terminated, never overrun. */
static bool short_text(void)
{
	const struct isa_cpu *cpu;
	const struct isa *isa = isa_find("gfx1030", &cpu);
	uint8_t bytes[8];
	char text[8] = "#######";

	from_hex("050064d5f2040200", 16, bytes, sizeof(bytes));
	return isa->disasm(cpu, 64, bytes, 8, 0, text, 5) == 8 && !strcmp(text, "v_ad") && text[5] == '#';
}

static bool names(void)
{
	const struct isa_cpu *cpu;

	return isa_find("gfx10", &cpu) == &isa_gfx10 && !strcmp(cpu->name, "gfx1030") &&
	       isa_find("gfx1013", &cpu) == &isa_gfx10 && !strcmp(cpu->name, "gfx1013") &&
	       isa_find("gfx7", &cpu) == &isa_gfx7 && !strcmp(cpu->name, "gfx700") && cpu->waves == 64 &&
	       !isa_find("gfx9", &cpu);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "fixtures/isa";

	check_folder(dir, &isa_gfx10);
	check_folder(dir, &isa_gfx7);
	verdict("constants", constants());
	verdict("implied masks", implied_masks());
	verdict("distances", distances());
	verdict("memory roles", memory_roles());
	verdict("odd registers", odd_registers());
	verdict("random bytes gfx10", random_bytes(&isa_gfx10));
	verdict("random bytes gfx7", random_bytes(&isa_gfx7));
	verdict("short text", short_text());
	verdict("names", names());
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
