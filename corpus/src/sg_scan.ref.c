#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1), x[64];
	REF_WAVES(64) {
		uint32_t sum = 0, low = ~0u, any = 0, some_sum = 0, scan = 0, high = 0, scan_xor = 0;
		for (uint32_t l = 0; l < lanes; l++) {
			x[l] = v[first + l] * 77 + first + l;
			sum += x[l];
			low = (x[l] ^ 21) < low ? x[l] ^ 21 : low;
			any |= 1u << (x[l] & 7);
			some_sum += x[l] & 4 ? 0 : x[l] & 15;
		}
		for (uint32_t l = 0; l < lanes; l++) {
			uint32_t *o = r + 4 * (first + l), some = 0;
			scan += x[l];
			if (!(x[l] & 4)) {
				scan_xor ^= x[l] * 3;
				some = scan_xor + some_sum;
			}
			o[0] = sum;
			o[1] = scan + some;
			o[2] = high;
			o[3] = low << 12 | any;
			high = x[l] > high ? x[l] : high;
		}
	}
}
