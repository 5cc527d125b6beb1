#version 450
// Numbers of waves and lanes. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 96) in;
layout(set = 0, binding = 0, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 96u + gl_LocalInvocationIndex;
	r[i] = uvec4(gl_SubgroupSize, gl_SubgroupInvocationID, gl_SubgroupID, gl_NumSubgroups);
}
