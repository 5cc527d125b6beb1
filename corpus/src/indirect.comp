#version 450
// Numbers that lead to numbers: four dependent loads.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Next { uint next[256]; };
layout(set = 0, binding = 1, std430) readonly buffer Values { vec4 value[64]; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { float r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, at = i;
	float sum = 0.0;
	for (uint k = 0u; k < 4u; k++) {
		at = (next[at] * 37u + at * 11u + k) & 255u;
		sum = sum * 0.5 + value[at & 63u][at >> 6];
	}
	r[i] = sum;
}
