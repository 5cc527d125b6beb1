#version 450
// Exchanges within four lanes: the same at every wave size.
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex, x = v[i] * 999u + i;
	r[i] = uvec4(subgroupQuadSwapHorizontal(x), subgroupQuadSwapVertical(x), subgroupQuadSwapDiagonal(x),
		     subgroupQuadBroadcast(x, 2u));
}
