#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		uint32_t odd = first;
		while (odd < first + lanes && !(v[odd] & 1))
			odd++;
		for (uint32_t i = first; i < first + lanes; i++) {
			r[2 * i] = (v[first] * 100 + first) ^ (v[i] & 1 ? (v[odd] * 100 + odd) * 3 : 0);
			r[2 * i + 1] = v[first + 3] * 100 + first + 3;
		}
	}
}
