#version 450
#extension GL_ARB_shader_clock : require
// without: navi21
// The wave's clock: it only grows, and may be read anywhere. (The guest of navi21 has 20 bits of it, which come round.)
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

bool before(uvec2 a, uvec2 b)
{
	return a.y < b.y || (a.y == b.y && a.x <= b.x);
}

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, x = v[i] + i * 5u, late = 0u;
	uvec2 start = clock2x32ARB(), last = start;
	for (uint k = 0u; k < 9u; k++) {
		x = x * 1664525u + 1013904223u;
		uvec2 now = clock2x32ARB();
		late += uint(before(last, now));
		last = now;
	}
	r[i] = uvec4(x, late, uint(before(start, last)), uint(before(last + uvec2(0u, 1u), start)));
}
