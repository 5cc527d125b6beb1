#version 450
// Values of other lanes of the wave: by number, by exclusive or, by distance. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
	uint x = v[i] * 1000u + i, l = gl_SubgroupInvocationID, n = gl_SubgroupSize;
	uint down = subgroupShuffleDown(x, 2u), up = subgroupShuffleUp(x, 3u);
	r[i] = uvec4(subgroupShuffle(x, (l * 5u + v[i]) & (n - 1u)), subgroupShuffleXor(x, 3u), l + 2u < n ? down : 0u,
		     l >= 3u ? up : 0u);
}
