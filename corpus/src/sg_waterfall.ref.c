#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		uint64_t left = lanes < 64 ? (1ull << lanes) - 1 : ~0ull;
		for (uint32_t turn = 0; left; turn++) {
			uint32_t key = v[first + (uint32_t)__builtin_ctzll(left)], count = 0;
			for (uint32_t l = 0; l < lanes; l++)
				count += v[first + l] == key;
			for (uint32_t l = 0; l < lanes; l++) {
				if (v[first + l] != key)
					continue;
				r[2 * (first + l)] = turn << 8 | key;
				r[2 * (first + l) + 1] = count;
				left &= ~(1ull << l);
			}
		}
	}
}
