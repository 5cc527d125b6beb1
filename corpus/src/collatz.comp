#version 450
// Collatz chains: nested divergence, the inner loop strips all factors of two at once.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint start[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 chain[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint n = start[i] + i + 1u, peak = n, steps = 0u;
	while (n != 1u && steps < 200u) {
		if ((n & 1u) == 0u) {
			while ((n & 1u) == 0u) {
				n >>= 1;
				steps++;
			}
		} else {
			n = n * 3u + 1u;
			steps++;
			if (n > peak)
				peak = n;
		}
	}
	chain[i] = uvec2(steps, peak);
}
