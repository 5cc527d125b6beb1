/* ir_random.h - random bits that find mistakes, for tests of IR passes. Deterministic from the seed. */
#ifndef XL_TEST_IR_RANDOM_H
#define XL_TEST_IR_RANDOM_H

#include "../ir/ir.h"

struct rnd {
	uint64_t s;
};

static inline uint64_t next(struct rnd *r)
{
	uint64_t z = r->s += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline unsigned below(struct rnd *r, unsigned n)
{
	return (unsigned)(next(r) % n);
}

static inline uint64_t type_mask(ir_type t)
{
	unsigned w = ir_bits(t);

	return w >= 64 ? ~0ull : (1ull << w) - 1;
}

/* Values where things happen: ends, powers, denormals, infinities, NaNs, small numbers. */
static inline uint64_t interesting(struct rnd *r, ir_type t)
{
	unsigned w = ir_bits(t), man = w == 16 ? 10 : w == 32 ? 23 : 52;
	uint64_t top = 1ull << (w - 1), inf = ir_is_float(t) ? (top - 1) & ~((1ull << man) - 1) : 0;
	uint64_t v;

	switch (below(r, ir_is_float(t) ? 12 : 7)) {
	case 0: v = 0; break;
	case 1: v = 1; break;
	case 2: v = ~0ull; break;
	case 3: v = top; break;
	case 4: v = 1ull << below(r, w); break;
	case 5: v = below(r, 70); break;
	case 6: v = next(r); break;
	case 7: v = inf; break;
	case 8: v = inf | top; break;
	case 9: v = inf | 1ull << (man - 1); break;
	case 10: v = next(r) & ((1ull << man) - 1); break;
	default: v = ((inf >> 1) & ~((1ull << man) - 1)) | (next(r) & (top | 3ull << (man - 2))); break;
	}
	return v & type_mask(t);
}

#endif
