/* translate.c - translates every program of a guest cache once, without validation: what callgrind counts. */
#include "../../libxlate/xlate.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct xl_options o = { .skip_validation = 1 };
	struct xl_target *target = xl_target_open("lavapipe", NULL, NULL);
	struct xl_context *c = target ? xl_context_new(target) : NULL;
	struct xl_cache *cache = argc > 1 ? xl_cache_open(argv[1], NULL, NULL) : NULL;
	unsigned long words = 0;

	for (uint32_t i = 0; c && cache && i < xl_cache_records(cache); i++) {
		struct xl_record *r = xl_cache_read(cache, i, NULL, NULL);

		for (uint32_t k = 0; r && k < xl_record_programs(r); k++)
			words += xl_translate(c, r, k, &o)->guest_words;
		xl_record_free(r);
	}
	printf("%lu words\n", words);
	xl_cache_free(cache);
	xl_context_free(c);
	xl_target_free(target);
	return words == 0;
}
