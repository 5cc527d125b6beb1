#version 450
// Every atomic of shared memory: int and uint, min to compare-exchange.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint result[]; };
shared uint u[8];
shared int s[8];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	if (l < 8u) {
		u[l] = l == 1u || l == 3u ? 0xffffffffu : 0u;
		s[l] = 0;
	}
	barrier();
	uint x = (v[g * 128u + l] + 1u) * 0x9E3779B1u + l * 77u;
	int y = int(x) >> 4;
	atomicAdd(u[0], x);
	atomicMin(u[1], x);
	atomicMax(u[2], x);
	atomicAnd(u[3], x | 0x00ff0000u);
	atomicOr(u[4], x & 0x0f0f0f0fu);
	atomicXor(u[5], x);
	atomicAdd(s[0], y);
	atomicMin(s[1], y);
	atomicMax(s[2], y);
	if (l == 77u)
		atomicExchange(u[6], x);
	if (l == 11u)
		s[3] = atomicCompSwap(s[4], 0, y) + 5;
	barrier();
	result[g * 128u + l] = l < 8u ? u[l] : l < 16u ? uint(s[l - 8u]) : x;
}
