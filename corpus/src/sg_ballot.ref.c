#include "ref.h"

static uint64_t ballot(const uint32_t *x, uint32_t lanes, uint32_t bit, uint32_t third)
{
	uint64_t m = 0;
	for (uint32_t l = 0; l < lanes; l++)
		if ((x[l] & bit) && (!third || x[l] % third == 0))
			m |= 1ull << l;
	return m;
}

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1), x[64];
	REF_WAVES(128) {
		for (uint32_t l = 0; l < lanes; l++)
			x[l] = v[first + l] + (first + l) / 8;
		uint64_t odd = ballot(x, lanes, 1, 0), some = ballot(x, lanes, 2, 3);
		uint32_t all = (uint32_t)__builtin_popcountll(odd);
		for (uint32_t l = 0; l < lanes; l++) {
			uint64_t mine = x[l] % 3 ? 0 : some;
			uint32_t *o = r + 4 * (first + l);
			o[0] = (uint32_t)odd;
			o[1] = (uint32_t)(odd >> 32) ^ (uint32_t)(mine >> 32);
			o[2] = (uint32_t)mine;
			o[3] = all << 16 | (uint32_t)__builtin_popcountll(odd & ((1ull << l) - 1));
		}
	}
}
