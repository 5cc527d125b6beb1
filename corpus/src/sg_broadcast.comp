#version 450
// The first lane's value, and a numbered lane's, in whole waves and in a branch. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex, x = v[i] * 100u + i;
	uint first = subgroupBroadcastFirst(x), third = subgroupBroadcast(x, 3u);
	if ((v[i] & 1u) != 0u)
		first ^= subgroupBroadcastFirst(x * 3u);
	r[i] = uvec2(first, third);
}
