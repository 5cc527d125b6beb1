#version 450
// Lanes with the same key are counted together: a loop that takes the first lane's key each time.
// Depends on the wave's size.
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 r[]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex, x = v[i], turn = 0u;
	uvec2 mine = uvec2(0u);
	for (;;) {
		uint key = subgroupBroadcastFirst(x);
		if (key == x) {
			mine = uvec2(turn << 8 | key, subgroupBallotBitCount(subgroupBallot(true)));
			break;
		}
		turn++;
	}
	r[i] = mine;
}
