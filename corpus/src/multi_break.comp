#version 450
// A search that leaves its loop in four ways and skips in two; what ended it is part of the result.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint seed[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 found[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint x = seed[i] * 0x9E3779B9u + i, steps = 0u, why = 0u;
	for (;;) {
		x = x * 1664525u + 1013904223u;
		steps++;
		if ((x >> 28) == 3u) {
			why = 1u;
			break;
		}
		if ((x & 0x700u) == 0u)
			continue;
		if (steps > 40u) {
			why = 2u;
			break;
		}
		uint y = x ^ (x >> 13);
		if (y % 29u == 0u) {
			why = 3u + (y & 1u);
			break;
		}
		if ((y & 0x30000u) == 0x10000u)
			continue;
		x += y;
		if (x < 0x01000000u) {
			why = 5u;
			break;
		}
	}
	found[i] = uvec2(x, steps << 8 | why);
}
