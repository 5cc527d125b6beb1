#version 450
// A workgroup with three sides: which lane is where is all it writes.
layout(local_size_x = 2, local_size_y = 5, local_size_z = 7) in;
layout(set = 0, binding = 0, std430) writeonly buffer Out { uvec4 r[280]; };

void main()
{
	uvec3 l = gl_LocalInvocationID;
	uint g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x, i = g * 70u + gl_LocalInvocationIndex;
	r[i] = uvec4(l.z * 10000u + l.y * 100u + l.x, gl_GlobalInvocationID.y, gl_NumWorkGroups.x * 8u + gl_WorkGroupID.z, g);
}
