#version 450
// Lanes with something to say write it without gaps, wave by wave. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };

void main()
{
	uint group = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u, l = gl_LocalInvocationIndex, x = v[group + l];
	bool keep = x > 2u;
	uvec4 who = subgroupBallot(keep);
	uint before = subgroupBallotExclusiveBitCount(who), all_ = subgroupBallotBitCount(who);
	uint base = group + l - gl_SubgroupInvocationID;
	r[base + (keep ? before : all_ + gl_SubgroupInvocationID - before)] = l << 8 | x;
}
