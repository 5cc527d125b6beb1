#version 450
// Ballots, their counts and first bits, in whole waves and in a branch that some lanes enter. Depends on the wave's size.
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 128u + gl_LocalInvocationIndex;
	uint x = v[i] + (i >> 3);
	uvec4 odd = subgroupBallot((x & 1u) != 0u), some = uvec4(0u);
	if (x % 3u == 0u)
		some = subgroupBallot((x & 2u) != 0u);
	uint counts = subgroupBallotBitCount(odd) << 16 | subgroupBallotExclusiveBitCount(odd);
	r[i] = uvec4(odd.x, odd.y ^ some.y, some.x, counts);
}
