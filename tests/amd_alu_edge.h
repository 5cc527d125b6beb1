/* amd_alu_edge.h - random numbers, half of them from the edges of an operand's type, for amd_alu_test.c and amd_seq_test.c. */
#ifndef AMD_ALU_EDGE_H
#define AMD_ALU_EDGE_H

static uint64_t rng = 88172645463325252ull;

static uint64_t rnd(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static uint64_t edge(char type)
{
	static const uint32_t e32[] = { 0, 1, 2, 7, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff,
		0x800000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb,
		0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000, 0x4b000001, 0x3fc00000, 0x40200000, 0xbfc00000,
		0x477fe000, 0x33000000, 0x38800000, 0x00800000, 0x007fffff, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3f7fffff };
	static const uint16_t e16[] = { 0, 0x8000, 1, 0x3ff, 0x400, 0x8400, 0x3c00, 0xbc00, 0x3800, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
		0x7e00, 0x3bff, 0x4248, 0xffff, 0x7fff, 31, 16, 15, 0x3e00, 0x4100, 0x6400, 0x6401 };
	static const double e64[] = { 0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 1e308, -1e308, 5e-324, 2.2250738585072014e-308, 4503599627370497.0,
		2147483647.5, -2147483648.5, 4294967295.5, 1e-310, 3.141592653589793, 1e20, -1e20 };
	uint64_t k = rnd(), r = rnd();

	switch (type) {
	case 'h': case 'w': case 'p':
		return (k & 1 ? e16[(k >> 8) % (sizeof e16 / 2)] : (uint16_t)r) |
		       (uint32_t)(k & 2 ? e16[(k >> 24) % (sizeof e16 / 2)] : (uint16_t)(r >> 16)) << 16;
	case 'd': case 'l':
		if ((k & 7) == 7)
			return k & 8 ? 0x7ff0000000000000ull | (k << 40) : 0x7ff8000000000000ull;
		return k & 3 ? double_bits(e64[(k >> 8) % (sizeof e64 / 8)]) : type == 'l' && (k & 4) ? r >> (k >> 8 & 63) : r;
	default:
		return k & 3 ? (k & 4 ? e32[(k >> 8) % (sizeof e32 / 4)] : (uint32_t)r) : (uint32_t)(r & 63);
	}
}
#endif
