#include "inputs.h"

#include <string.h>

uint32_t inputs_next(struct rng *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return (uint32_t)(r->state >> 16);
}

void inputs_seed(struct rng *r, uint32_t a, uint32_t b, uint32_t c)
{
	r->state = 0x9E3779B97F4A7C15ull ^ a * 0xD1342543DE82EF95ull ^ b * 0xAF251AF3B0F025B5ull ^
		   c * 0x2545F4914F6CDD1Dull;
	if (!r->state)
		r->state = 1;
	for (int i = 0; i < 8; i++)
		inputs_next(r);
}

float inputs_float(struct rng *r)
{
	int quarters = (int)(inputs_next(r) % 33) - 16;
	if (r->tame && quarters <= 0)
		quarters = quarters ? -quarters : 1;
	return (float)quarters * 0.25f;
}

uint16_t inputs_half(float f)
{
	uint32_t x;
	memcpy(&x, &f, 4);
	uint32_t sign = x >> 16 & 0x8000;
	int exponent = (int)(x >> 23 & 255) - 112;
	if (!(x << 1) || exponent <= 0)
		return (uint16_t)sign;
	return (uint16_t)(sign | (uint32_t)exponent << 10 | (x >> 13 & 0x3ff));
}

struct filler {
	struct rng *rng;
	uint8_t *data;
	uint64_t size;
};

static void fill(void *context, uint64_t at, const uint32_t *scalar, bool in_array)
{
	const struct filler *f = context;
	uint32_t op = spvinfo_op(scalar[0]), size = op == SpvOpTypeBool ? 4 : scalar[2] / 8;
	uint64_t v = 0;
	if (op == SpvOpTypeFloat) {
		float value = inputs_float(f->rng);
		double wide = value;
		v = inputs_half(value);
		if (size == 8)
			memcpy(&v, &wide, 8);
		else if (size == 4)
			memcpy(&v, &value, 4);
	} else if (op == SpvOpTypeBool) {
		v = inputs_next(f->rng) & 1;
	} else {
		v = in_array ? inputs_next(f->rng) % 8 : inputs_next(f->rng) % 4 ? 1 : 0;
	}
	if (at + size <= f->size)
		memcpy(f->data + at, &v, size);
}

void inputs_fill(struct rng *r, const struct spvinfo *m, uint32_t type, uint32_t runtime, uint8_t *data, uint64_t size)
{
	struct filler f = {r, data, size};
	spvinfo_scalars(m, type, runtime, size, fill, &f);
}

void inputs_texels(struct rng *r, uint8_t *data, uint64_t n, char kind)
{
	uint32_t size = kind == 'f' || kind == 'i' || kind == 'q' ? 4
			: kind == 'h' || kind == 's'              ? 2
			: kind == 'l'                             ? 8
								  : 1;
	for (uint64_t i = 0; i + size <= n; i += size) {
		uint64_t v;
		float f;
		switch (kind) {
		case 'f':
		case 'h':
			f = (float)(inputs_next(r) % 65) / 64.0f;
			v = inputs_half(f);
			if (kind == 'f')
				memcpy(&v, &f, 4);
			break;
		case 'q': /* 11, 11 and 10 bit floats near 1 */
			v = 0x1e0 + inputs_next(r) % 16;
			v |= (uint64_t)(0x1e0 + inputs_next(r) % 16) << 11;
			v |= (uint64_t)(0x0f0 + inputs_next(r) % 8) << 22;
			break;
		case 'i':
		case 's':
		case 'l':
			v = inputs_next(r) % 8;
			break;
		default:
			v = inputs_next(r);
			break;
		}
		memcpy(data + i, &v, size);
	}
}
