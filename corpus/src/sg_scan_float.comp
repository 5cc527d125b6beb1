#version 450
// The same of floats that are small integers, so that any order is exact. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
	float x = v[i];
	r[i] = vec4(subgroupAdd(x), subgroupExclusiveAdd(x), subgroupInclusiveMin(x), subgroupMax(x + float(i)));
}
