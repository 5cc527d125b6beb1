#version 450
// A workgroup of 8 x 8 x 8: eight guest waves average their neighbours in shared memory.
layout(local_size_x = 8, local_size_y = 8, local_size_z = 8) in;
layout(set = 0, binding = 0, std430) buffer Data { float v[]; };
shared float s[8][8][8];

void main()
{
	uvec3 l = gl_LocalInvocationID;
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 512u + gl_LocalInvocationIndex;
	float x = v[i];
	for (int n = 0; n < 3; n++) {
		s[l.z][l.y][l.x] = x;
		barrier();
		x += s[(l.z + 1u) & 7u][l.y][l.x] * 0.5 - s[l.z][(l.y + 7u) & 7u][l.x] * 0.25 + s[l.z][l.y][(l.x + 1u) & 7u];
		barrier();
	}
	v[i] = x;
}
