#version 450
// A xorshift generator per lane; how many numbers a lane draws depends on its data.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Seeds { uint seeds[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint numbers[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint x = seeds[i] * 2654435761u + i + 1u;
	for (uint k = 0u; k < 3u + (seeds[i] & 3u); k++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	numbers[i] = x;
}
