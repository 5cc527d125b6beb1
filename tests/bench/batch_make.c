/* batch_make.c - a cache of N distinct programs out of recorded ones: batch_make N OUT.xgc RECORD.json...
 *
 * Constants are varied: a bit of an instruction is a constant's when flipping it changes nothing of the instruction's text but
 * a number that stands outside of brackets. A variant counts when no other program has its key and it still translates. */
#include "../../libxlate/xlate_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BITS = 4096, TRIES = 12, TEXT = 512 };

struct base {
	struct xl_record *record;
	uint32_t *bit[8];  /* bits of the code of program i that are a constant's */
	uint32_t nbit[8];
};

static uint64_t state = 88172645463325252u;

static uint32_t draw(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Numbers become '#', but for those in brackets and in names. */
static void normalize(const char *s, char *out)
{
	int depth = 0;

	while (*s) {
		depth += *s == '[';
		depth -= *s == ']';
		if (!isalnum((unsigned char)*s) && *s != '_') {
			*out++ = *s++;
			continue;
		}
		if (isdigit((unsigned char)*s) && !depth) {
			*out++ = '#';
			while (isalnum((unsigned char)*s) || *s == '.')
				s++;
			continue;
		}
		while (isalnum((unsigned char)*s) || *s == '_' || *s == '.')
			*out++ = *s++;
	}
	*out = 0;
}

static bool fixed(const char *text)
{
	static const char *const not[] = { "branch", "bra", "cnt", "offset", "call", "ssy", "sync", "export", "exp ", "interp", "load",
		"store", "ld", "st.", "tex", "image", "buffer", "ipa", "sendmsg", "setprio", "clause", "nop", "s2r", "mode", "setreg",
		"getreg", "dpp", "swizzle", "permute", "lane", "shfl", "bar", "exit", "kil", "vote" };

	for (unsigned i = 0; i < sizeof(not) / sizeof(not[0]); i++)
		if (strstr(text, not[i]))
			return true;
	return false;
}

static void find_bits(struct base *b, uint32_t k)
{
	const struct xl_record_program *p = &b->record->pipeline->program[k];
	uint8_t *code = malloc(p->code.size);
	char was[TEXT], now[TEXT], a[TEXT], c[TEXT];

	memcpy(code, p->code.v, p->code.size);
	b->bit[k] = calloc(MOST_BITS, sizeof(*b->bit[k]));
	for (size_t at = xl_isa_next(p->cpu, code, p->exec_size, p->entry); at < p->exec_size;) {
		int n = xl_disassemble(p->cpu, p->wave, code, p->exec_size, at, was, sizeof(was));

		if (n <= 0)
			break;
		normalize(was, a);
		for (uint32_t i = 0; !fixed(was) && strchr(a, '#') && i < (uint32_t)n * 8 && b->nbit[k] < MOST_BITS; i++) {
			code[at + i / 8] ^= (uint8_t)(1 << i % 8);
			if (xl_disassemble(p->cpu, p->wave, code, p->exec_size, at, now, sizeof(now)) == n) {
				normalize(now, c);
				if (!strcmp(a, c) && strcmp(was, now))
					b->bit[k][b->nbit[k]++] = (uint32_t)at * 8 + i;
			}
			code[at + i / 8] ^= (uint8_t)(1 << i % 8);
		}
		at = xl_isa_next(p->cpu, code, p->exec_size, at + (size_t)n);
	}
	free(code);
}

/* ---- keys that are taken */
static struct rec_hash *taken;
static uint32_t ntaken;

static bool take(struct rec_hash h)
{
	for (uint32_t i = 0; i < ntaken; i++)
		if (!record_hash_order(&taken[i], &h))
			return false;
	taken[ntaken++] = h;
	return true;
}

static char *name_of(const char *base, unsigned round, const char *suffix)
{
	size_t n = strlen(base) + strlen(suffix) + 24;
	char *s = malloc(n);

	snprintf(s, n, "%s_v%u%s%s", base, round, *suffix ? "." : "", suffix);
	return s;
}

/* One more variant of a record into the cache: how many distinct programs it has that were not there. */
static uint32_t vary(struct base *b, unsigned round, struct xl_context *c, struct xl_cache_writer *w)
{
	static const struct xl_options o = { .skip_validation = 1 };
	struct xl_pipeline_record r = *b->record->pipeline;
	struct xl_record record = { .pipeline = &r };
	uint32_t fresh = 0;

	r.name = name_of(r.name, round, "");
	r.program = calloc(r.nprogram, sizeof(*r.program));
	memcpy(r.program, b->record->pipeline->program, r.nprogram * sizeof(*r.program));
	for (uint32_t k = 0; k < r.nprogram; k++) {
		struct xl_record_program *p = &r.program[k];
		uint8_t *code = malloc(p->code.size);
		bool found = false;

		p->pipeline = &r;
		p->name = name_of(b->record->pipeline->name, round, p->hw_stage == HW_COPY ? "gscopy" : record_stage_name(p->stage));
		for (unsigned t = 0; t < TRIES && k < 8 && b->nbit[k] && !found; t++) {
			memcpy(code, b->record->pipeline->program[k].code.v, p->code.size);
			for (uint32_t n = round ? 1 + draw(3) : 0; n; n--) {
				uint32_t bit = b->bit[k][draw(b->nbit[k])];

				code[bit / 8] ^= (uint8_t)(1 << bit % 8);
			}
			p->code.v = code;
			found = xl_translate(c, &record, k, &o)->words && take(record_key(p));
		}
		if (!found) /* as it was: some other record has it, too */
			p->code.v = b->record->pipeline->program[k].code.v;
		fresh += found;
	}
	if (fresh)
		(void)xl_cache_add(w, &record);
	return fresh; /* what the record points to is left to the system: a short program */
}

int main(int argc, char **argv)
{
	uint32_t want = argc > 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0, n = 0, records = 0, most = 0;
	struct base *base = calloc((size_t)argc, sizeof(*base));
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xl_cache_writer *w = xl_cache_writer_new();
	struct xl_log none = { 0 };

	if (!want || !base || !c || !w)
		return 2;
	taken = calloc(want + 256u, sizeof(*taken));
	for (int i = 3; i < argc; i++) {
		base[records].record = xl_record_import(argv[i], &none, NULL);
		for (uint32_t k = 0; base[records].record && k < base[records].record->pipeline->nprogram && k < 8; k++)
			find_bits(&base[records], k);
		records += base[records].record != NULL;
	}
	for (unsigned round = 0; n < want && (!round || most); round++) {
		most = 0;
		for (uint32_t i = 0; i < records && n < want; i++) {
			uint32_t got = vary(&base[i], round, c, w);

			n += got;
			most |= got;
		}
	}
	printf("%u distinct programs from %u records\n", n, records);
	return n < want || xl_cache_write(w, argv[2], &none);
}
