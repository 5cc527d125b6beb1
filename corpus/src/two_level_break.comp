#version 450
// An inner loop's find ends the outer loop, too; the flag between them is a lane mask on the guest.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint a[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 pairs[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, tried = 0u;
	uvec4 hit = uvec4(0xffffffffu);
	bool done = false;
	for (uint p = 0u; p < 12u && !done; p++) {
		for (uint q = p + 1u; q < 14u; q++) {
			tried++;
			uint s = a[(i + p) & 255u] * 5u + a[(i + q * 3u) & 255u] + p * q;
			if (s == 37u + (i & 3u)) {
				hit = uvec4(p, q, s, 0u);
				done = true;
				break;
			}
			if (s > 120u)
				break;
		}
		if (tried > 50u)
			break;
	}
	pairs[i] = uvec4(hit.xyz, tried);
}
