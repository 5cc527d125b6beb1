#version 450
// Sums and extrema over clusters of four: the same at every wave size.
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex, x = v[i] * 55u + (i & 31u);
	r[i] = uvec2(subgroupClusteredAdd(x, 4u), subgroupClusteredMax(x, 2u));
}
