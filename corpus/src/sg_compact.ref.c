#include "ref.h"

static void reference(uint32_t wave)
{
	const uint32_t *v = ref_in(0);
	uint32_t *r = ref_out(1);
	REF_WAVES(64) {
		uint32_t at = first;
		for (uint32_t keep = 2; keep-- > 0;)
			for (uint32_t i = first; i < first + lanes; i++)
				if ((v[i] > 2) == keep)
					r[at++] = i % 64 << 8 | v[i];
	}
}
