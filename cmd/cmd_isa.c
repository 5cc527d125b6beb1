/* cmd_isa.c - the guest ISAs: cpus, coverage per encoding, the float contract. */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "[CPU] [--coverage | --rows | --float]\n\n"
	"Without options: the cpus. CPU is an ISA (gfx10) or one of its cpus (gfx1030).\n\n"
	"  --coverage   instructions decoded, translated and executed by a test, per encoding; those missing by name\n"
	"  --rows       one line an instruction\n"
	"  --float      the float contract: op, SPIR-V form, guarantee\n";

struct encoding { const char *name; unsigned decoded, lifted, executed; };

static void line(const struct encoding *e)
{
	printf("%-12s %8u %8u %8u %8u\n", e->name, e->decoded, e->lifted, e->executed, e->decoded - e->lifted);
}

/* The instructions that are decoded and no more, or translated and no more. */
static void missing(const char *cpu, int lifted)
{
	struct xl_isa_row row;
	unsigned n = 0;

	for (uint32_t i = 0; xl_isa_row(cpu, i, &row); i++)
		if (row.present && !row.lifted == !lifted && !(lifted && row.executed))
			printf("%s%s", n++ ? " " : lifted ? "\ntranslated, not executed: " : "\nrefused: ", row.mnemonic);
	if (n)
		putchar('\n');
}

static int coverage(const char *cpu)
{
	struct encoding *e = NULL;
	struct xl_isa_row row;
	struct encoding all = { "all", 0, 0, 0 };
	unsigned n = 0, k;

	for (uint32_t i = 0; xl_isa_row(cpu, i, &row); i++) {
		if (!row.present)
			continue;
		for (k = 0; k < n && strcmp(e[k].name, row.encoding); k++)
			;
		if (k == n) {
			struct encoding *grown = realloc(e, (n + 1) * sizeof(*e));

			if (!grown) {
				free(e);
				return XL_INTERNAL;
			}
			e = grown;
			e[n++] = (struct encoding){ row.encoding, 0, 0, 0 };
		}
		e[k].decoded++;
		e[k].lifted += row.lifted != 0;
		e[k].executed += row.lifted && row.executed;
		all.decoded++;
		all.lifted += row.lifted != 0;
		all.executed += row.lifted && row.executed;
	}
	printf("%-12s %8s %8s %8s %8s\n", "encoding", "decoded", "lifted", "executed", "refused");
	for (k = 0; k < n; k++)
		line(&e[k]);
	line(&all);
	free(e);
	missing(cpu, 0);
	missing(cpu, 1);
	return 0;
}

static void floats(void)
{
	struct xl_float_row r;

	printf("%-10s %-24s %-15s %s\n", "op", "SPIR-V", "guarantee", "note");
	for (uint32_t i = 0; xl_float_row(i, &r); i++)
		printf("%-10s %-24s %-15s %s\n", r.op, r.form, r.guarantee, r.note);
}

static void cpus(void)
{
	struct xl_isa_info info;

	printf("%-8s %-10s %-8s %s\n", "isa", "cpu", "waves", "word bytes");
	for (uint32_t i = 0; xl_isa_get(i, &info); i++)
		printf("%-8s %-10s %-8s %u\n", info.isa, info.cpu, info.waves == 96 ? "32 64" : info.waves == 64 ? "64" : "32",
		       info.word);
}

int cmd_isa(int argc, char **argv)
{
	enum { COVERAGE, ROWS, FLOATS };
	static const struct opt opts[] = { { "coverage", 0, false }, { "rows", 0, false }, { "float", 0, false },
		{ NULL, 0, false } };
	struct args a = { .argc = argc, .argv = argv, .opt = opts, .command = "isa", .usage = usage };
	const char *cpu = NULL;
	struct xl_isa_row row;
	int k, what = -1;

	while ((k = args_next(&a)) >= 0 || k == ARGS_POSITIONAL) {
		if (k == ARGS_POSITIONAL && cpu)
			return usage_error(&a, "one CPU only");
		if (k == ARGS_POSITIONAL)
			cpu = a.value;
		else
			what = k;
	}
	if (k == ARGS_STOP)
		return a.exit_code;
	if (what == FLOATS) {
		floats();
		return 0;
	}
	if (!cpu && what < 0) {
		cpus();
		return 0;
	}
	if (!cpu)
		return usage_error(&a, "no CPU");
	if (!xl_isa_row(cpu, 0, &row))
		return usage_error(&a, "no cpu %s", cpu);
	if (what != ROWS)
		return coverage(cpu);
	for (uint32_t i = 0; xl_isa_row(cpu, i, &row); i++) {
		if (row.present)
			printf("%-32s %-10s %s\n", row.mnemonic, row.encoding,
			       !row.lifted ? "refused" : row.executed ? "executed" : "lifted");
	}
	return 0;
}
