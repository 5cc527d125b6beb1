#version 450
// Sums, extrema and bit operations over waves: whole, inclusive and exclusive, also among the lanes of a branch.
// Depends on the wave's size.
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
	uint x = v[i] * 77u + i, some = 0u;
	uvec4 out_ = uvec4(subgroupAdd(x), subgroupInclusiveAdd(x), subgroupExclusiveMax(x), subgroupMin(x ^ 21u));
	if ((x & 4u) == 0u)
		some = subgroupInclusiveXor(x * 3u) + subgroupAdd(x & 15u);
	out_.w = out_.w << 12 | subgroupOr(1u << (x & 7u));
	r[i] = out_ + uvec4(0u, some, 0u, 0u);
}
