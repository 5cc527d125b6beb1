#version 450
// Smallest and largest value of a workgroup of 256: four guest waves, halving steps, a barrier in each.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int values[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec2 limits[]; };
shared int lo[256], hi[256];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	int v = values[g * 256u + l] * 40503 ^ int(l * 977u + g) * -31;
	lo[l] = v;
	hi[l] = v;
	for (uint n = 128u; n > 0u; n >>= 1) {
		barrier();
		if (l < n) {
			lo[l] = min(lo[l], lo[l + n]);
			hi[l] = max(hi[l], hi[l + n]);
		}
	}
	barrier();
	limits[g * 256u + l] = ivec2(lo[0] + int(l), hi[0]);
}
