#version 450
// Three levels of loops with continue and break at each.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint n[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint total[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint sum = 0u, limit = n[i];
	for (uint a = 0u; a <= limit; a++) {
		if (a == 3u)
			continue;
		for (uint b = 0u; b < 8u; b++) {
			if (b > a + 2u)
				break;
			if (((a + b) & 1u) == 1u)
				continue;
			uint c = 0u;
			while (true) {
				c += 1u + b;
				if (c > 6u)
					break;
				sum += c * a;
			}
			sum += 1u;
		}
		if (sum > 150u)
			break;
	}
	total[i] = sum;
}
