#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// A workgroup of 6 by 7 by 1 lanes fills no wave, and none of its sizes is a power of two.
layout(local_size_x = 6, local_size_y = 7) in;
layout(set = 0, binding = 0, std430) buffer Io { uint64_t v[128]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint64_t r[8]; uint s[128]; };
shared uint64_t sum, least;
shared uint count;

void main()
{
	uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x & 1u;
	if (i == 0u) {
		sum = 7ul;
		least = ~0ul;
		count = 0u;
	}
	barrier();
	uint64_t x = v[g * 64u + i] >> 3;
	if (i % 5u != 2u)
		atomicAdd(sum, x);
	atomicMin(least, x ^ 0x5555ul);
	atomicAdd(count, uint(x) & 7u);
	barrier();
	s[g * 64u + i] = count + gl_LocalInvocationID.x * 100u + gl_LocalInvocationID.y * 10000u + gl_LocalInvocationID.z * 1000000u;
	if (i == 0u) {
		r[g * 2u] = sum;
		r[g * 2u + 1u] = least;
	}
}
