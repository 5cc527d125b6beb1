#version 450
// Unsigned atomics whose old values are used: a slot for each lane, then sums that any order gives.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) buffer Words { uint low[4], high[4], mask[4], seen[256], total; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { uint old[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint x = v[i] * 0x01000193u ^ i * 0x811C9DC5u;
	atomicMin(low[i & 3u], x);
	atomicMax(high[i & 3u], x);
	atomicOr(mask[i & 3u], 1u << (x & 31u));
	uint before = atomicAdd(seen[i], x | 1u), again = atomicXor(seen[i], x >> 3);
	atomicAdd(total, again & 0xffu);
	old[i] = before ^ again;
}
