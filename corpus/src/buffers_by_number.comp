#version 450
// An array of buffers, indexed by a number that all lanes share.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[64]; } source[6];
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };
layout(push_constant) uniform Push { uint first; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, sum = 0u;
	for (uint k = 0u; k < 5u; k++)
		sum = sum * 31u + source[first + k].v[(i + k) & 63u];
	r[i] = sum;
}
