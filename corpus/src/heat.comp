#version 450
// Eight steps of heat flow along a rod in shared memory; the barriers stand in a loop.
layout(local_size_x = 128) in;
layout(push_constant) uniform P { float ends[2]; } p;
layout(set = 0, binding = 0, std430) buffer Rod { float heat[512]; };
shared float s[130];

void main()
{
	uint l = gl_LocalInvocationIndex, i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 128u + l;
	s[l + 1u] = heat[i];
	if (l < 2u)
		s[l * 129u] = l == 0u ? p.ends[0] : p.ends[1];
	for (int k = 0; k < 8; k++) {
		barrier();
		float next = s[l + 1u] + 0.25 * (s[l] - 2.0 * s[l + 1u] + s[l + 2u]);
		barrier();
		s[l + 1u] = next;
	}
	heat[i] = s[l + 1u];
}
