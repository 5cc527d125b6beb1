#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// 64-bit atomics on shared memory, beside 32-bit and 64-bit data there.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer Io { uint64_t v[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint64_t r[16]; uint s[64]; };
shared uint64_t sum, bits, least, most, turn;
shared int64_t low, high;
shared uint count, data[32];

void main()
{
	uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x & 1u;
	if (i == 0u) {
		sum = 5ul;
		bits = 0ul;
		least = ~0ul;
		most = 0ul;
		turn = 0ul;
		low = 0x7fffffffffffffffl;
		high = -0x7fffffffffffffffl;
		count = 0u;
	}
	barrier();
	uint64_t x = v[g * 32u + i];
	atomicAdd(sum, x);
	atomicXor(bits, x ^ uint64_t(i));
	atomicMin(least, x);
	atomicMax(most, x);
	atomicMin(low, int64_t(x * 3ul));
	atomicMax(high, int64_t(x * 5ul));
	atomicAdd(count, uint(x) & 7u);
	data[i] = uint(x >> 32);
	barrier();
	atomicCompSwap(turn, 0ul, uint64_t(data[31u - i]) * 0ul + most);
	s[g * 32u + i] = data[(i * 5u + 3u) & 31u] ^ count;
	barrier();
	if (i == 0u) {
		r[g * 8u] = sum;
		r[g * 8u + 1u] = bits;
		r[g * 8u + 2u] = least;
		r[g * 8u + 3u] = most;
		r[g * 8u + 4u] = uint64_t(low);
		r[g * 8u + 5u] = uint64_t(high);
		r[g * 8u + 6u] = turn;
	}
}
