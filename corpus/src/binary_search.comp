#version 450
// Lower bound in a sorted table that the group builds in shared memory.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint wanted[512]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint position[512]; };
shared uint table[128];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	table[l] = l * (l + g) / 3u;
	barrier();
	uint key = wanted[g * 128u + l] * 600u + l, low = 0u, high = 128u;
	while (low < high) {
		uint middle = (low + high) >> 1;
		if (table[middle] < key)
			low = middle + 1u;
		else
			high = middle;
	}
	position[g * 128u + l] = low;
}
