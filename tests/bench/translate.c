/* translate.c CACHE [ROUNDS]: translates every program of a guest cache, without validation. Once: what callgrind counts. With
 * ROUNDS it prints the processor time of lift, passes and emission, too, over the programs that translate: the best round's. */
#include "../../libxlate/xlate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct work {
	struct xl_context *context;
	struct xl_record **record;
	uint32_t nrecord;
	enum xl_phase phase;
	double at, program; /* when the phase began; seconds of the program so far */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_phase(void *user, enum xl_phase p)
{
	struct work *w = user;
	double t = now();

	if (w->phase == XL_PHASE_LIFT || w->phase == XL_PHASE_PASSES || w->phase == XL_PHASE_EMIT)
		w->program += t - w->at;
	w->phase = p;
	w->at = t;
}

/* All programs; their words. *seconds: of those that translate. */
static unsigned long translate(struct work *w, const struct xl_options *o, double *seconds)
{
	unsigned long words = 0;

	*seconds = 0;
	for (uint32_t i = 0; i < w->nrecord; i++)
		for (uint32_t k = 0; w->record[i] && k < xl_record_programs(w->record[i]); k++) {
			const struct xl_translation *t;

			w->program = 0;
			t = xl_translate(w->context, w->record[i], k, o);
			words += t->guest_words;
			if (t->status == XL_OK)
				*seconds += w->program;
		}
	return words;
}

int main(int argc, char **argv)
{
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_cache *cache = argc > 1 ? xl_cache_open(argv[1], NULL, NULL) : NULL;
	struct work w = { .context = target ? xl_context_new(target) : NULL, .phase = XL_PHASE_DONE };
	struct xl_options o = { .skip_validation = 1 };
	int rounds = argc > 2 ? atoi(argv[2]) : 0;
	double best = 0, seconds;
	unsigned long words = 0;

	if (w.context && cache && (w.record = calloc(xl_cache_records(cache) + 1, sizeof(*w.record))))
		w.nrecord = xl_cache_records(cache);
	for (uint32_t i = 0; i < w.nrecord; i++)
		w.record[i] = xl_cache_read(cache, i, NULL, NULL);
	if (rounds) {
		o.phase = on_phase;
		o.user = &w;
	}
	for (int round = 0; round < (rounds ? rounds : 1); round++) {
		words = translate(&w, &o, &seconds);
		best = round && best < seconds ? best : seconds;
	}
	printf("%lu words\n", words);
	if (rounds)
		printf("seconds %.6f\n", best);
	for (uint32_t i = 0; i < w.nrecord; i++)
		xl_record_free(w.record[i]);
	free(w.record);
	xl_cache_free(cache);
	xl_context_free(w.context);
	xl_target_free(target);
	return words == 0;
}
