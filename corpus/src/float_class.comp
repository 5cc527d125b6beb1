#version 450
// Classes of floats made from bit patterns: zero, small, normal, infinite, NaN; minimum, maximum and comparisons with them.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint pick[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 result[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint exponent = pick[i] < 2u ? 0u : pick[i] < 6u ? 120u + (i & 15u) : 255u;
	uint bits = (i & 1u) << 31 | exponent << 23 | ((pick[i] & 1u) == 0u ? 0u : 0x400000u >> (i & 3u));
	if (exponent == 0u)
		bits &= 0x80000000u;
	float f = uintBitsToFloat(bits);
	uint kind = isnan(f) ? 1u : isinf(f) ? 2u : f == 0.0 ? 4u : abs(f) < 1.0 ? 8u : 16u;
	kind |= (f < 0.0 ? 32u : 0u) | (f >= 0.0 ? 64u : 0u) | (!(f > -2.0) ? 128u : 0u);
	float inside = isnan(f) ? 0.5 : clamp(f, -3.0, 3.0);
	result[i] = uvec4(kind, floatBitsToUint(inside), floatBitsToUint(sign(inside)), uint(int(inside * 16.0)) & 0xffffu);
}
