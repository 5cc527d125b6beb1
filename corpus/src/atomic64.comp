#version 450
// 64-bit atomics of a buffer.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Wide { uint64_t sum[4], high[4], bits[4]; int64_t low[4]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, k = i & 3u;
	uint64_t x = uint64_t(i + 1u) * 0x123456789abcdfUL;
	atomicAdd(sum[k], x);
	atomicMax(high[k], x);
	atomicXor(bits[k], x << 3);
	atomicMin(low[k], int64_t(x) - 0x0102030405060708L);
}
