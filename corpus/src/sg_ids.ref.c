#include "ref.h"

static void reference(uint32_t wave)
{
	uint32_t *r = ref_out(0);
	REF_WAVES(96) {
		for (uint32_t l = 0; l < lanes; l++) {
			uint32_t *o = r + 4 * (first + l);
			o[0] = wave;
			o[1] = l;
			o[2] = first % 96 / wave;
			o[3] = (96 + wave - 1) / wave;
		}
	}
}
