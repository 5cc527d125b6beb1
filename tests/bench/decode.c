/* decode.c NAME CACHE: decodes, and disassembles, every program of a guest cache over and over for a tenth of a second
 * each. Prints two figures in instructions per second of processor time. */
#include "../../libxlate/isa/amd/amd.h"
#include "../../libxlate/isa/nv/nv.h"
#include "../../libxlate/xlate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Instructions of a program; what is none is stepped over by a word. */
static unsigned long walk(const struct isa *isa, const struct isa_cpu *cpu, const struct xl_program_info *p, int print)
{
	unsigned long n = 0;
	int nv = isa == &isa_sm53 || isa == &isa_sm86, len;
	union {
		struct amd_inst amd;
		struct nv_inst nv;
	} in;
	char text[256];

	for (size_t at = isa->next(p->code, p->exec_size, 0); at < p->exec_size;) {
		if (print)
			len = isa->disasm(cpu, p->wave, p->code, p->exec_size, at, text, sizeof(text));
		else if (nv)
			len = nv_decode(cpu, p->code, p->exec_size, at, &in.nv);
		else
			len = amd_decode(cpu, p->wave, p->code, p->exec_size, at, &in.amd);
		n += len > 0;
		at = isa->next(p->code, p->exec_size, at + (len > 0 ? (size_t)len : isa->word));
	}
	return n;
}

int main(int argc, char **argv)
{
	struct xl_cache *cache = argc > 2 ? xl_cache_open(argv[2], NULL, NULL) : NULL;

	for (int print = 0; cache && print < 2; print++) {
		double t = 0, start;
		unsigned long n = 0;

		while (t < 0.1) {
			for (uint32_t i = 0; i < xl_cache_records(cache); i++) {
				struct xl_record *r = xl_cache_read(cache, i, NULL, NULL);

				for (uint32_t k = 0; r && k < xl_record_programs(r); k++) {
					struct xl_program_info p;
					const struct isa_cpu *cpu;
					const struct isa *isa;

					xl_record_program(r, k, &p);
					isa = isa_find(p.cpu, &cpu);
					start = now();
					for (int again = 0; isa && again < 8; again++)
						n += walk(isa, cpu, &p, print);
					t += now() - start;
				}
				xl_record_free(r);
			}
		}
		printf("figure %s_%s %.0f instructions/s\n", argv[1], print ? "disassemble" : "decode", (double)n / t);
	}
	xl_cache_free(cache);
	return cache == NULL;
}
