#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		int high = 0, low = 0;
		for (uint32_t l = 0; l < lanes; l++) {
			uint32_t x = v[first + l];
			r[first + l] = x + (l ? 0 : 1000) + (x > 3 ? high++ ? 0 : 2000 : low++ ? 0 : 4000);
		}
	}
}
