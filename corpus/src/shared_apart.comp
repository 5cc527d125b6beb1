#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// 64-bit atomics at places known and not, 32-bit ones in front of them, and sums over a wave that a compiler makes of plain atomics.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[128]; };
layout(set = 0, binding = 1, std430) buffer Out { uint total, all_bits, least; uint rest[]; };
shared uint count[4], seen;
shared uint64_t most[3];

void main()
{
	uint i = gl_LocalInvocationIndex, x = v[(gl_WorkGroupID.x & 1u) * 64u + i], k = x % 3u;
	if (i < 4u) {
		count[i] = i;
		most[min(i, 2u)] = 0ul;
		seen = 0u;
	}
	barrier();
	atomicAdd(count[k], x & 15u);
	atomicMax(most[k], uint64_t(x) * 0x100000001ul);
	if (i == 5u)
		atomicOr(seen, x | 1u);
	atomicAdd(total, x >> 3);
	atomicOr(all_bits, x & 0x00ff00ffu);
	atomicMin(least, ~x);
	barrier();
	uint64_t m = most[i % 3u];
	rest[(gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + i] = count[i & 3u] * 3u + uint(m) + uint(m >> 32) * 5u + seen;
}
