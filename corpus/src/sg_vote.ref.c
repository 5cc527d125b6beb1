#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		uint32_t all = 1, any = 0, same_row = 4, same = 8;
		for (uint32_t i = first; i < first + lanes; i++) {
			all &= i < 96 || v[i] < 5;
			any |= (i & 31) == 7 && i > 128 ? 2 : 0;
			same_row &= i >> 6 == first >> 6 ? 4 : 0;
			same &= v[i] == v[first] ? 8 : 0;
		}
		for (uint32_t i = first; i < first + lanes; i++)
			r[i] = v[i] << 8 | all | any | same_row | same;
	}
}
