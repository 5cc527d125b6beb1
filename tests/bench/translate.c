/* translate.c CACHE [ROUNDS]: translates every program of a guest cache, without validation. Once: what callgrind counts. With
 * ROUNDS it prints the processor time of that, too, over the programs that translate: the best round's. */
#include "../../libxlate/xlate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	struct xl_options o = { .skip_validation = 1 };
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xl_cache *cache = argc > 1 ? xl_cache_open(argv[1], NULL, NULL) : NULL;
	uint32_t n = cache ? xl_cache_records(cache) : 0;
	struct xl_record **record = calloc(n + 1, sizeof(*record));
	int rounds = argc > 2 ? atoi(argv[2]) : 0;
	double best = 0;
	unsigned long words = 0;

	if (!c || !record)
		return 1;
	for (uint32_t i = 0; i < n; i++)
		record[i] = xl_cache_read(cache, i, NULL, NULL);
	for (int round = 0; round < (rounds ? rounds : 1); round++) {
		double seconds = 0;

		words = 0;
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; record[i] && k < xl_record_programs(record[i]); k++) {
				double start = now();
				const struct xl_translation *t = xl_translate(c, record[i], k, &o);

				words += t->guest_words;
				seconds += t->status == XL_OK ? now() - start : 0;
			}
		best = round && best < seconds ? best : seconds;
	}
	printf("%lu words\n", words);
	if (rounds)
		printf("seconds %.6f\n", best);
	for (uint32_t i = 0; i < n; i++)
		xl_record_free(record[i]);
	free(record);
	xl_cache_free(cache);
	xl_context_free(c);
	xl_target_free(target);
	return words == 0;
}
