#version 450
// Exchange and compare-exchange: a word of its own for each lane, and claims of which one wins, whatever the order.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Words { uint own[256], claimed[64]; };
layout(set = 0, binding = 1, std430) buffer Count { uint winners, losers; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { uvec2 old[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint a = atomicExchange(own[i], i * 3u + 1u);
	uint b = atomicCompSwap(own[i], (i & 1u) != 0u ? i * 3u + 1u : 7u, 0xabcdu);
	old[i] = uvec2(a, b);
	if (atomicCompSwap(claimed[i >> 2], i & 7u, 0x100u) == (i & 7u))
		atomicAdd(winners, 1u);
	else
		atomicAdd(losers, 1u);
}
