#version 450
// Sums with carry, differences with borrow, products of double width: a 128-bit accumulator.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, c, d, hi, lo;
	uvec4 x = v[i] * 0x9E3779B9u + i, y = v[i ^ 1u].wzyx * 0x85EBCA6Bu - i, z;
	z.x = uaddCarry(x.x, y.x, c);
	z.y = uaddCarry(x.y, c, d);
	z.y = uaddCarry(z.y, y.y, c);
	z.z = x.z + y.z + (c | d);
	z.w = usubBorrow(x.w, y.w, c) - c;
	umulExtended(z.x, z.y, hi, lo);
	int shi, slo;
	imulExtended(int(z.z), int(z.w), shi, slo);
	r[i] = z ^ uvec4(hi, lo, uint(shi), uint(slo));
}
