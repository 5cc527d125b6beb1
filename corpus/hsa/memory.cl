/* memory.cl - kernels that exchange through shared memory and atomics. */
#include "kernel.h"

KERNEL(reduce, 128, 1, 1)(global u32 *out, global const u32 *in)
{
	local u32 part[128];
	u32 t = item_x();

	part[t] = in[group_x() * 128 + t];
	sync();
	for (u32 n = 64; n; n >>= 1) {
		if (t < n)
			part[t] += part[t + n];
		sync();
	}
	if (!t)
		out[group_x()] = part[0];
}

KERNEL(matmul, 8, 8, 1)(global u32 *c, global const u32 *a, global const u32 *b, u32 n)
{
	local u32 ta[8][8], tb[8][8];
	u32 x = item_x(), y = item_y(), col = group_x() * 8 + x, row = group_y() * 8 + y, sum = 0;

	for (u32 k = 0; k < n; k += 8) {
		ta[y][x] = a[row * n + k + x];
		tb[y][x] = b[(k + y) * n + col];
		sync();
		for (u32 j = 0; j < 8; j++)
			sum += ta[y][j] * tb[j][x];
		sync();
	}
	c[row * n + col] = sum;
}

/* A bitonic sort of one workgroup's keys. */
KERNEL(sort, 128, 1, 1)(global u32 *keys)
{
	local u32 s[128];
	u32 t = item_x(), base = group_x() * 128;

	s[t] = keys[base + t];
	sync();
	for (u32 k = 2; k <= 128; k <<= 1) {
		for (u32 j = k >> 1; j; j >>= 1) {
			u32 other = t ^ j;

			if (other > t) {
				u32 a = s[t], b = s[other];

				if ((a > b) == !(t & k)) {
					s[t] = b;
					s[other] = a;
				}
			}
			sync();
		}
	}
	keys[base + t] = s[t];
}

KERNEL(histogram, 64, 1, 1)(global u32 *bins, global const u8 *data, u32 n)
{
	local u32 mine[16];
	u32 t = item_x();

	if (t < 16)
		mine[t] = 0;
	sync();
	for (u32 i = group_x() * 64 + t; i < n; i += grid_size_x())
		add_local(&mine[data[i] >> 4], 1);
	sync();
	if (t < 16)
		add_global(&bins[t], mine[t]);
}

/* Inclusive prefix sum of a workgroup. */
KERNEL(scan, 128, 1, 1)(global u32 *out, global const u32 *in)
{
	local u32 a[2][128];
	u32 t = item_x(), i = group_x() * 128 + t, cur = 0;

	a[0][t] = in[i];
	sync();
	for (u32 d = 1; d < 128; d <<= 1) {
		u32 v = a[cur][t];

		if (t >= d)
			v += a[cur][t - d];
		a[cur ^ 1][t] = v;
		cur ^= 1;
		sync();
	}
	out[i] = a[cur][t];
}

/* Where a needle starts: counts, first place, a hash of the places. */
KERNEL(strfind, 64, 1, 1)(global u32 *result, global const u8 *text, u32 size, global const u8 *needle, u32 len)
{
	u32 i = group_x() * 64 + item_x();

	if (i + len > size)
		return;
	for (u32 k = 0; k < len; k++) {
		if (text[i + k] != needle[k])
			return;
	}
	add_global(&result[0], 1);
	min_global(&result[1], i);
	xor_global(&result[2], i * 2654435761u);
}

/* Checksums of lines of bytes by a table of constants: a pointer walks. */
TABLE u32 crc_table[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };

KERNEL(crc, 64, 1, 1)(global u32 *out, global const u8 *bytes, u32 each)
{
	u32 i = group_x() * 64 + item_x(), c = ~0u;
	global const u8 *p = bytes + i * each, *end = p + each;

	for (; p != end; p++) {
		c ^= *p;
		c = crc_table[c & 15] ^ (c >> 4);
		c = crc_table[c & 15] ^ (c >> 4);
	}
	out[i] = ~c;
}

/* The size of the grid, as the dispatch says it. */
KERNEL(grid, 16, 4, 1)(global u32 *out)
{
	u32 x = group_x() * group_size_x() + item_x(), y = group_y() * group_size_y() + item_y();

	out[y * grid_size_x() + x] = x << 16 | (y << 8) | group_size_y();
}
