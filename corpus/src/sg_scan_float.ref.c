#include <math.h>

#include "ref.h"

static void reference(uint32_t wave)
{
	const float *v = (const float *)ref_in(0);
	float *r = (float *)ref_out(1);
	REF_WAVES(64) {
		float sum = 0, high = -INFINITY, scan = 0, low = INFINITY;
		for (uint32_t l = 0; l < lanes; l++) {
			sum += v[first + l];
			high = fmaxf(high, v[first + l] + (float)(first + l));
		}
		for (uint32_t l = 0; l < lanes; l++) {
			float *o = r + 4 * (first + l);
			low = fminf(low, v[first + l]);
			o[0] = sum;
			o[1] = scan;
			o[2] = low;
			o[3] = high;
			scan += v[first + l];
		}
	}
}
