/* cmd_dis.c - guest disassembly: a program's, or of bytes in hex, one instruction a line. */
#include "cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "FILE KEY | --cpu CPU [--wave N] --hex FILE|-\n\n"
	"  --cpu CPU     gfx700, gfx1030, sm86, ...: xlate isa lists them\n"
	"  --wave N      32 or 64 (default: the cpu's largest)\n"
	"  --hex FILE    bytes in hex, one instruction a line: its text a line, or !invalid\n"
	"  --raw FILE    a file of machine code\n";

enum { RAW_LIMIT = 64 << 20 };

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Bytes of a line of hex digits, blanks between them allowed. -1: not hex or too long. */
static int hex_bytes(const char *s, uint8_t *out, int cap)
{
	int n = 0;

	for (; *s; s++) {
		int hi, lo;

		if (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')
			continue;
		hi = hex_digit(s[0]);
		lo = hi < 0 ? -1 : hex_digit(s[1]);
		if (lo < 0 || n == cap)
			return -1;
		out[n++] = (uint8_t)(hi << 4 | lo);
		s++;
	}
	return n;
}

static int unreadable(const char *path, const char *why)
{
	fprintf(stderr, "%s: error: cannot read %s: %s [io]\n", path, path, why);
	return XL_UNREADABLE;
}

static int hex_lines(const char *cpu, uint32_t wave, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	uint8_t code[96];
	char *line = NULL, text[512];
	size_t cap = 0, start;
	int rc;

	if (!f)
		return unreadable(path, strerror(errno));
	/* sm53 puts a control word before three instructions: an instruction by itself stands behind an empty one. */
	memset(code, 0, sizeof(code));
	start = xl_isa_next(cpu, code, 32, 0);
	if (start > 16)
		start = 0;
	while (getline(&line, &cap, f) >= 0) {
		int n = hex_bytes(line, code + start, (int)(sizeof(code) - start)), r = -1;

		if (n > 0)
			r = xl_disassemble(cpu, wave, code, start + (size_t)n, start, text, sizeof(text));
		puts(r == n && n > 0 ? text : "!invalid");
		memset(code, 0, sizeof(code));
	}
	rc = ferror(f) ? unreadable(path, strerror(errno)) : 0;
	free(line);
	if (f != stdin)
		fclose(f);
	return rc;
}

static void dis_code(const char *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t at)
{
	char text[512];

	for (at = xl_isa_next(cpu, code, size, at); at < size; at = xl_isa_next(cpu, code, size, at)) {
		int n = xl_disassemble(cpu, wave, code, size, at, text, sizeof(text));
		size_t step = n > 0 ? (size_t)n : size - at < 4 ? size - at : 4;

		printf("%6zx: ", at);
		for (size_t i = 0; i < step; i += 4) {
			uint32_t w = 0;

			for (size_t k = 0; k < 4 && i + k < step; k++)
				w |= (uint32_t)code[at + i + k] << 8 * k;
			printf(" %08x", w);
		}
		printf("%*s%s\n", step < 16 ? (int)(16 - step) / 4 * 9 + 2 : 2, "", n > 0 ? text : n == -2 ? "!truncated" : "!invalid");
		at += step;
	}
}

static int dis_raw(const char *cpu, uint32_t wave, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	uint8_t *code = NULL, part[4096];
	const char *why = NULL;
	size_t n = 0, cap = 0, got;

	if (!f)
		return unreadable(path, strerror(errno));
	while (!why && (got = fread(part, 1, sizeof(part), f)) > 0) {
		uint8_t *grown = code;

		if (n + got > cap)
			grown = realloc(code, cap = (n + got) * 2);
		if (!grown || n + got > RAW_LIMIT) {
			code = grown ? grown : code;
			why = grown ? "more than 64 MiB" : "no memory";
			break;
		}
		code = grown;
		memcpy(code + n, part, got);
		n += got;
	}
	if (!why && ferror(f))
		why = strerror(errno);
	if (f != stdin)
		fclose(f);
	if (!why && n)
		dis_code(cpu, wave, code, n, 0);
	free(code);
	return why ? unreadable(path, why) : 0;
}

static uint32_t default_wave(const char *cpu)
{
	struct xl_isa_info info;

	for (uint32_t i = 0; xl_isa_get(i, &info); i++) {
		if (!strcmp(info.cpu, cpu) || !strcmp(info.isa, cpu))
			return info.waves & 64 ? 64 : 32;
	}
	return 0;
}

static int dis_program(const struct args *a)
{
	struct xl_program_info info;
	struct input in;
	struct picked p;
	int rc = open_and_pick(a, &in, &p);

	if (rc)
		return rc;
	rc = input_guest(&in);
	if (!rc) {
		xl_record_program(p.record, p.program, &info);
		dis_code(info.cpu, info.wave, info.code, info.exec_size, 0);
		input_unread(&in, p.record);
	}
	input_close(&in);
	return rc;
}

int cmd_dis(int argc, char **argv)
{
	enum { CPU, WAVE, HEX, RAW };
	static const struct opt opts[] = { { "cpu", 0, true }, { "wave", 0, true }, { "hex", 0, true }, { "raw", 0, true },
		{ NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "dis", .usage = usage, .most = 2,
		.names = "FILE and KEY" };
	const char *cpu = NULL, *hex = NULL, *raw = NULL;
	unsigned long wave = 0;
	int k;

	while ((k = args_next(&a)) >= 0) {
		if (k == CPU)
			cpu = a.value;
		else if (k == HEX)
			hex = a.value;
		else if (k == RAW)
			raw = a.value;
		else if (!args_number(a.value, 64, &wave) || (wave != 32 && wave != 64))
			return usage_error(&a, "--wave is 32 or 64");
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	if (!hex && !raw)
		return cpu ? usage_error(&a, "--cpu goes with --hex or --raw") : dis_program(&a);
	if (!cpu || a.npos || !default_wave(cpu))
		return usage_error(&a, !cpu ? "no --cpu" : a.npos ? "--hex and --raw take no KEY" : "no such cpu");
	if (!wave)
		wave = default_wave(cpu);
	return hex ? hex_lines(cpu, (uint32_t)wave, hex) : dis_raw(cpu, (uint32_t)wave, raw);
}
