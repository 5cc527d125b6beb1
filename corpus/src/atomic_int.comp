#version 450
// Every signed atomic of a buffer, on few words by many lanes; orders do not show.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int v[]; };
layout(set = 0, binding = 1, std430) buffer Sums { int sum[8], low[8], high[8], all_of[8], any_of[8], parity[8]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	int x = v[i] * 7919 - int(i) * 131, bits = x ^ x << 7;
	uint k = i & 7u;
	atomicAdd(sum[k], x);
	atomicMin(low[k], x);
	atomicMax(high[k], x);
	atomicAnd(all_of[k], bits | 0x1010);
	atomicOr(any_of[k], bits & 0x0ff00ff0);
	atomicXor(parity[k], bits);
}
