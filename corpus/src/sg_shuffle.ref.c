#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		for (uint32_t l = 0; l < lanes; l++) {
			uint32_t from[4] = {(l * 5 + v[first + l]) & (wave - 1), l ^ 3, l + 2, l - 3};
			for (uint32_t k = 0; k < 4; k++) {
				uint32_t at = first + from[k];
				r[4 * (first + l) + k] = from[k] < wave ? v[at] * 1000 + at : 0;
			}
		}
	}
}
