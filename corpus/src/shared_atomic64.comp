#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// 64-bit atomics on shared memory, beside 32-bit and 64-bit data there; by lane, so that no compiler reduces over a wave first.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer Io { uint64_t v[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint64_t r[16]; uint s[64]; };
shared uint64_t sum[2], bits[2], least[2], most[2], turn;
shared int64_t low[2], high[2];
shared uint count[2], data[32];

void main()
{
	uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x & 1u;
	if (i < 2u) {
		sum[i] = 5ul;
		bits[i] = 0ul;
		least[i] = ~0ul;
		most[i] = 0ul;
		low[i] = 0x7fffffffffffffffl;
		high[i] = -0x7fffffffffffffffl;
		turn = 0ul;
		count[i] = 0u;
	}
	barrier();
	uint k = i % 3u & 1u;
	uint64_t x = v[g * 32u + i];
	atomicAdd(sum[k], x);
	atomicXor(bits[k], x ^ uint64_t(i));
	atomicMin(least[k], x);
	atomicMax(most[k], x);
	atomicMin(low[k], int64_t(x * 3ul));
	atomicMax(high[k], int64_t(x * 5ul));
	atomicAdd(count[k], uint(x) & 7u);
	data[i] = uint(x >> 32);
	barrier();
	atomicCompSwap(turn, 0ul, uint64_t(data[31u - i]) * 0ul + most[0]);
	s[g * 32u + i] = data[(i * 5u + 3u) & 31u] ^ (count[0] + count[1] * 3u);
	barrier();
	if (i == 0u) {
		r[g * 8u] = sum[0] + sum[1] * 3ul;
		r[g * 8u + 1u] = bits[0] + bits[1] * 3ul;
		r[g * 8u + 2u] = least[0] + least[1] * 3ul;
		r[g * 8u + 3u] = most[0] + most[1] * 3ul;
		r[g * 8u + 4u] = uint64_t(low[0]) + uint64_t(low[1]) * 3ul;
		r[g * 8u + 5u] = uint64_t(high[0]) + uint64_t(high[1]) * 3ul;
		r[g * 8u + 6u] = turn;
	}
}
