#version 450
// Splits a group's keys by one bit, keeping their order: ranks by a scan in shared memory, then a scattered write.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint keys[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 split_keys[256]; };
shared uint ones[64];

void main()
{
	uint l = gl_LocalInvocationIndex, base = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u;
	uint key = keys[base + l], bit = key >> 1 & 1u;
	ones[l] = bit;
	for (uint step = 1u; step < 64u; step *= 2u) {
		barrier();
		uint add = l >= step ? ones[l - step] : 0u;
		barrier();
		ones[l] += add;
	}
	barrier();
	uint zeros = 64u - ones[63], rank = bit != 0u ? zeros + ones[l] - 1u : l - ones[l];
	split_keys[base + rank] = uvec2(key, l);
}
