#version 450
// A private array, written and read at numbers of each lane: memory of its own on the guest.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, h[64], x = v[i] * 40503u + i;
	for (uint k = 0u; k < 64u; k++)
		h[k] = k * k;
	for (uint k = 0u; k < 100u; k++) {
		x = x * 1664525u + 1013904223u;
		h[x >> 26] += k;
	}
	uint sum = 0u;
	for (uint k = 0u; k < 64u; k++)
		sum = sum * 33u ^ h[(k + i) & 63u];
	r[i] = sum;
}
