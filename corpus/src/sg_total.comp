#version 450
// A workgroup's total by sums of waves and one shared atomic each: the same at every wave size.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };
shared uint total;

void main()
{
	uint l = gl_LocalInvocationIndex, i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 256u + l;
	if (l == 0u)
		total = 0u;
	barrier();
	uint sum = subgroupAdd(v[i] * 3u + l);
	if (subgroupElect())
		atomicAdd(total, sum);
	barrier();
	r[i] = total + l;
}
