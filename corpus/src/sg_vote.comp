#version 450
// All, any and equal, over waves. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex, x = v[i];
	uint bits = subgroupAll(i < 96u || x < 5u) ? 1u : 0u;
	bits |= subgroupAny((i & 31u) == 7u && i > 128u) ? 2u : 0u;
	bits |= subgroupAllEqual(i >> 6) ? 4u : 0u;
	bits |= subgroupAllEqual(x) ? 8u : 0u;
	r[i] = x << 8 | bits;
}
