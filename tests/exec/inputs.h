/*
 * inputs.h: the deterministic contents of every resource. Each resource is seeded by its numbers, so its contents do
 * not depend on what else a program binds. Values are chosen to drive shaders: floats are multiples of 1/4 in [-4, 4],
 * lone integers mostly 1 (loop counts, indices), integers in vectors and arrays 0 to 7, texels in [0, 1]. The recorded
 * outputs of a corpus rest on these exact sequences: changing one means recording anew.
 */
#ifndef INPUTS_H
#define INPUTS_H

#include "spvinfo.h"

struct rng {
	uint64_t state;
	bool tame; /* floats are positive: what is 0 becomes 1/4, and what is less its opposite */
};

/* Leaves `tame` as it is: false where only texels and integers are made. */
void inputs_seed(struct rng *r, uint32_t a, uint32_t b, uint32_t c);
uint32_t inputs_next(struct rng *r);
float inputs_float(struct rng *r);
uint16_t inputs_half(float f);
/* Fills size bytes at data as an object of `type`; runtime arrays count `runtime` elements. */
void inputs_fill(struct rng *r, const struct spvinfo *m, uint32_t type, uint32_t runtime, uint8_t *data, uint64_t size);
/* Fills n bytes of texels of a kind of image_formats.def. */
void inputs_texels(struct rng *r, uint8_t *data, uint64_t n, char kind);

#endif
