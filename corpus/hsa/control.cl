/* control.cl - kernels about calls, switches, structs and private arrays. */
#include "kernel.h"

NOINLINE static u32 mix(u32 a, u32 b)
{
	a = (a ^ b) * 0x85ebca6bu;
	return a ^ a >> 13;
}

NOINLINE static u32 twice(u32 a, u32 b)
{
	return mix(a, b + 1) + mix(b, a);
}

/* Functions that stay functions, called from a loop and from each other. */
KERNEL(calls, 64, 1, 1)(global u32 *out, global const u32 *in, u32 n)
{
	u32 i = group_x() * 64 + item_x(), h = in[i];

	for (u32 k = 0; k < n; k++) {
		if (h & 1)
			h = twice(h, k);
		else
			h = mix(h, i);
	}
	out[i] = h;
}

/* Calls three deep, with an array on the stack of one in the middle. */
NOINLINE static u32 middle(u32 a, u32 b)
{
	u32 t[6];

	for (u32 i = 0; i < 6; i++)
		t[i] = mix(a + i, b);
	return t[b % 6] ^ t[a % 6];
}

NOINLINE static u32 outer(u32 a, u32 b)
{
	u32 r = 0;

	for (u32 i = 0; i < 3; i++)
		r += middle(a ^ i, b) * (i + 1);
	return r;
}

KERNEL(nested, 64, 1, 1)(global u32 *out, global const u32 *in, u32 n)
{
	u32 i = group_x() * 64 + item_x(), h = in[i];

	for (u32 k = 0; k < n; k++)
		h = outer(h, k) + mix(h, i);
	if (h & 1)
		h = middle(h, n);
	out[i] = h;
}

/* Queens on an n x n board with the first row given by the item: a stack in private memory. */
KERNEL(queens, 16, 1, 1)(global u32 *out, u32 n)
{
	u32 place[8], col = 0, left = 0, right = 0, row = 1, count = 0, all = (1u << n) - 1;
	u32 cols[8], lefts[8], rights[8], i = item_x();

	if (i >= n)
		return;
	col = 1u << i;
	left = col << 1;
	right = col >> 1;
	place[1] = all & ~(col | left | right);
	cols[1] = col;
	lefts[1] = left;
	rights[1] = right;
	while (row) {
		u32 free = place[row];

		if (!free) {
			row--;
			continue;
		}
		u32 bit = free & (0u - free);

		place[row] = free ^ bit;
		col = cols[row] | bit;
		left = (lefts[row] | bit) << 1;
		right = (rights[row] | bit) >> 1;
		if (row + 1 == n) {
			count++;
			continue;
		}
		row++;
		cols[row] = col;
		lefts[row] = left;
		rights[row] = right;
		place[row] = all & ~(col | left | right);
	}
	out[i] = count;
}

struct params { u32 scale[6]; u16 bias; u8 shift, flip; u64 seed; };

KERNEL(record, 64, 1, 1)(global u32 *out, global const u32 *in, struct params p)
{
	u32 i = group_x() * 64 + item_x(), v = in[i] * p.scale[2] + p.scale[5] + p.bias;

	v = v << p.shift | v >> (32 - p.shift);
	out[i] = (p.flip ? ~v : v) ^ (u32)(p.seed >> 16);
}

/* More arguments than push constants can hold. */
struct large { u32 v[64]; };

KERNEL(many, 64, 1, 1)(global u32 *out, struct large p, u32 k)
{
	u32 i = group_x() * 64 + item_x();

	out[i] = p.v[3] * i + p.v[63] + p.v[k & 63];
}

/* A machine of eight registers' worth of opcodes. */
KERNEL(machine, 64, 1, 1)(global u32 *out, global const u8 *code, u32 n)
{
	u32 i = group_x() * 64 + item_x(), a = i, b = 7;

	for (u32 pc = 0; pc < n; pc++) {
		switch (code[(pc + (i & 3)) & 63] & 15) {
		case 0: a += b; break;
		case 1: a -= b; break;
		case 2: a *= 3; break;
		case 3: b ^= a; break;
		case 4: b = a >> 3; break;
		case 5: a = ~a; break;
		case 6: a ^= a << 7; break;
		case 7: if (a & 1) pc++; break;
		case 8: b += pc; break;
		case 9: a |= 5; break;
		case 10: a = a > b ? a - b : b - a; break;
		case 11: b = b * b + 1; break;
		default: a += 11; break;
		}
	}
	out[i] = a ^ b;
}

/* A float as one of 16 bits, normal ones alone, rounded to zero: the mode is read, changed for one instruction, and put back. */
#ifdef __AMDGCN__
static u32 cut(float f)
{
	u32 bits, mode;

	__asm__ volatile("s_getreg_b32 %1, hwreg(HW_REG_MODE, 0, 4)\n"
			 "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), 3\n"
			 "v_cvt_f16_f32 %0, %2\n"
			 "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), %1" : "=v"(bits), "=&s"(mode) : "v"(f));
	return (bits & 0xffff) + (mode << 16);
}
#else
static u32 cut(float f)
{
	u32 w;

	__builtin_memcpy(&w, &f, 4);
	return (w >> 16 & 0x8000) | (w ? ((w >> 23 & 255) - 112) << 10 | (w >> 13 & 1023) : 0);
}
#endif

KERNEL(modes, 64, 1, 1)(global u32 *out, global const float *in)
{
	u32 i = group_x() * 64 + item_x();

	out[i] = cut(in[i] * 1.00012f);
}
