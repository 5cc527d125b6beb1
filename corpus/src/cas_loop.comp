#version 450
// Floats summed into shared words by a compare-exchange loop; the addends are small integers, so that any order is exact.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float sums[]; };
shared uint bins[4];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	if (l < 4u)
		bins[l] = 0u;
	barrier();
	float x = v[g * 64u + l] * 4.0;
	uint k = l & 3u, seen = atomicAdd(bins[k], 0u), was;
	do {
		was = seen;
		seen = atomicCompSwap(bins[k], was, floatBitsToUint(uintBitsToFloat(was) + x));
	} while (seen != was);
	barrier();
	sums[g * 64u + l] = uintBitsToFloat(bins[k]) + float(l);
}
