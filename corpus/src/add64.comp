#version 450
// 64-bit sums and products out of 32-bit halves, with carries handed on along a chain of four words.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec4 x[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 y[512]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uvec4 a = x[i] * 0xfedcba99u, b = ~x[255u - i] * 3u, sum;
	uint carry = 0u;
	for (int k = 0; k < 4; k++) {
		uint c1, c2;
		uint s = uaddCarry(a[k], b[k], c1);
		sum[k] = uaddCarry(s, carry, c2);
		carry = c1 | c2;
	}
	uint high, low, borrow;
	umulExtended(a.x, b.y, high, low);
	int shigh, slow;
	imulExtended(int(a.z), int(b.w), shigh, slow);
	y[2u * i] = sum;
	y[2u * i + 1u] = uvec4(high, low, uint(shigh) ^ uint(slow), usubBorrow(high, a.w, borrow) + borrow + carry);
}
