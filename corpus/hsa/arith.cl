/* arith.cl - kernels of straight arithmetic. */
#include "kernel.h"

KERNEL(saxpy, 64, 1, 1)(global float *y, global const float *x, float a, u32 n)
{
	u32 i = group_x() * 64 + item_x();

	if (i < n)
		y[i] = a * x[i] + y[i];
}

/* 64-bit integers: products, shifts, compares, a division by a constant. */
KERNEL(wide, 64, 1, 1)(global u64 *out, global const u64 *a, global const s64 *b)
{
	u32 i = group_x() * 64 + item_x();
	u64 x = a[i];
	s64 y = b[i];
	u64 r = x * (u64)y + (x >> (y & 63)) - (x << (i & 31));

	r ^= (u64)(y >> 7);
	if (y < (s64)x)
		r += 0x123456789abcdefUL;
	r += x / 10;
	out[i] = r;
}

/* Bytes and half words, with and without sign. */
KERNEL(narrow, 64, 1, 1)(global u8 *out8, global u16 *out16, global const s8 *a, global const short *b, u8 k)
{
	u32 i = group_x() * 64 + item_x();
	int x = a[i] * 3 - k, y = b[i] + a[i ^ 1];

	out8[i] = (u8)(x ^ y);
	out16[i] = (u16)(x * y + (a[i] < 0));
}

/* The Mandelbrot set in fixed point: a divergent loop. */
KERNEL(mandel, 8, 8, 1)(global u32 *out, u32 width, int scale)
{
	u32 px = group_x() * 8 + item_x(), py = group_y() * 8 + item_y(), n = 0;
	int cx = (int)px * scale - (2 << 13), cy = (int)py * scale - (1 << 13), x = 0, y = 0;

	while (n < 64) {
		int xx = (x * x) >> 13, yy = (y * y) >> 13;

		if (xx + yy > 4 << 13)
			break;
		y = ((x * y) >> 12) + cy;
		x = xx - yy + cx;
		n++;
	}
	out[py * width + px] = n;
}

/* Longest Collatz run of a few numbers per item. */
KERNEL(collatz, 64, 1, 1)(global u32 *out, u32 first, u32 each)
{
	u32 i = group_x() * 64 + item_x(), best = 0;

	for (u32 k = 0; k < each; k++) {
		u32 v = first + i * each + k, n = 0;

		while (v != 1 && n < 300) {
			v = v & 1 ? 3 * v + 1 : v >> 1;
			n++;
		}
		best = n > best ? n : best;
	}
	out[i] = best;
}

/* A division and a square of floats; compared by the rules for floats. */
KERNEL(ratio, 64, 1, 1)(global float *out, global const float *a, global const float *b)
{
	u32 i = group_x() * 64 + item_x();

	out[i] = a[i] / b[i] + a[i] * a[i];
}
