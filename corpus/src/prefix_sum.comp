#version 450
// Inclusive prefix sum of a workgroup's 128 values by doubling steps, a barrier on both sides of each.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint sums[]; };
shared uint s[128];

void main()
{
	uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	s[i] = values[g * 128u + i];
	for (uint step = 1u; step < 128u; step <<= 1) {
		barrier();
		uint left = i >= step ? s[i - step] : 0u;
		barrier();
		s[i] += left;
	}
	sums[g * 128u + i] = s[i];
}
