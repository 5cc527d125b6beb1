#version 450
#extension GL_EXT_shader_realtime_clock : require
// without: bonaire
// The device's clock: it only grows, and may be read anywhere.
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
	uvec2 start = clockRealtime2x32EXT(), last = start;
	for (uint k = 0u; k < 9u; k++) {
		x = x * 1664525u + 1013904223u;
		uvec2 now = clockRealtime2x32EXT();
		late += uint(before(last, now));
		last = now;
	}
	r[i] = uvec4(x, late, uint(before(start, last)), uint(before(last + uvec2(0u, 1u), start)));
}
