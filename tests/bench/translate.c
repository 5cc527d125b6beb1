/* translate.c CACHE [ROUNDS]: translates every program of a guest cache, without validation. Once: what callgrind counts. With
 * ROUNDS it goes on to print the processor time over the programs that translate, too: the best round's, each timed as a whole, as
 * the clock's own time counts where programs are short. */
#include "../../libxlate/xlate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One round over all programs, or only over those of `ok`, which are noted the first time (`note`). How many guest words. */
static unsigned long translate(struct xl_context *c, struct xl_record **record, uint32_t n, bool *ok, bool note)
{
	struct xl_options o = { .skip_validation = 1 };
	unsigned long words = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; record[i] && k < xl_record_programs(record[i]); k++, at++) {
			const struct xl_translation *t = note || ok[at] ? xl_translate(c, record[i], k, &o) : NULL;

			words += t ? t->guest_words : 0;
			ok[at] = t && t->status == XL_OK;
		}
	return words;
}

int main(int argc, char **argv)
{
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xl_cache *cache = argc > 1 ? xl_cache_open(argv[1], NULL, NULL) : NULL;
	uint32_t n = cache ? xl_cache_records(cache) : 0;
	struct xl_record **record = calloc(n + 1, sizeof(*record));
	int rounds = argc > 2 ? atoi(argv[2]) : 0;
	double best = 0;
	size_t programs = 0;

	if (!c || !record)
		return 1;
	for (uint32_t i = 0; i < n; i++) {
		record[i] = xl_cache_read(cache, i, NULL, NULL);
		programs += record[i] ? xl_record_programs(record[i]) : 0;
	}
	bool *ok = calloc(programs + 1, sizeof(*ok));
	if (!ok)
		return 1;
	unsigned long words = translate(c, record, n, ok, true);
	printf("%lu words\n", words);
	for (int round = 0; round < rounds; round++) {
		double start = now(), seconds;

		translate(c, record, n, ok, false);
		seconds = now() - start;
		best = round && best < seconds ? best : seconds;
	}
	if (rounds)
		printf("seconds %.6f\n", best);
	for (uint32_t i = 0; i < n; i++)
		xl_record_free(record[i]);
	free(ok);
	free(record);
	xl_cache_free(cache);
	xl_context_free(c);
	xl_target_free(target);
	return words == 0;
}
