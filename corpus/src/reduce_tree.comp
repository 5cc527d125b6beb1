#version 450
// Sum, minimum and maximum of a workgroup as a tree: half of the lanes drop out in each step.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float values[]; };
layout(set = 0, binding = 1, std430) buffer Out { vec4 result[4]; };
shared float sums[64], lows[64], highs[64];

void main()
{
	uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	float v = values[g * 64u + i];
	sums[i] = v;
	lows[i] = v;
	highs[i] = v;
	for (uint half_size = 32u; half_size > 0u; half_size >>= 1) {
		barrier();
		if (i < half_size) {
			sums[i] += sums[i + half_size];
			lows[i] = min(lows[i], lows[i + half_size]);
			highs[i] = max(highs[i], highs[i + half_size]);
		}
	}
	if (i == 0u)
		result[g] = vec4(sums[0], lows[0], highs[0], sums[0] / 64.0);
}
