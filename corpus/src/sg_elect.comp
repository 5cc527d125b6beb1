#version 450
// One lane of each wave, and of each branch's part of it, adds for the others. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
	uint x = v[i], out_ = x;
	if (subgroupElect())
		out_ += 1000u;
	if (x > 3u) {
		if (subgroupElect())
			out_ += 2000u;
	} else if (subgroupElect()) {
		out_ += 4000u;
	}
	r[i] = out_;
}
