/* amd_data.c - amd_data.def as a constant array. */
#include "amd_table.h"

static const struct amd_data formats[] = {
#define DATA(name, dfmt, first, numbers, n, b0, b1, b2, b3) { #name, dfmt, first, numbers, n, { b0, b1, b2, b3 } },
#include "amd_data.def"
#undef DATA
};

const char *const amd_number_names[AMD_N_COUNT] = {
#define X(n) [AMD_N_##n] = #n,
	AMD_NUMBERS(X)
#undef X
};

static const struct amd_data *split(const struct amd_inst *in, enum amd_number *number)
{
	enum { SNORM_OGL = 6, FLOAT = 7 };

	if (in->nfmt == SNORM_OGL)
		return NULL;
	*number = in->nfmt == FLOAT ? AMD_N_FLOAT : (enum amd_number)in->nfmt;
	for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].dfmt == in->dfmt)
			return &formats[i];
	return NULL;
}

const struct amd_data *amd_data_format(const struct amd_inst *in, bool gfx10, enum amd_number *number)
{
	if (!gfx10)
		return split(in, number);
	for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
		unsigned code = formats[i].first;
		for (unsigned n = 0; n < AMD_N_COUNT; n++) {
			if (!(formats[i].numbers >> n & 1) || code++ != in->format)
				continue;
			*number = (enum amd_number)n;
			return &formats[i];
		}
	}
	return NULL;
}
