#version 450
// Every atomic of a 2D storage image of unsigned words; what a lane gets back comes from a texel of its own.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D grid;
layout(set = 0, binding = 1, r32ui) uniform uimage2D own;
layout(set = 0, binding = 2, std430) writeonly buffer Out { uint old[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	uint i = uint(p.y * 16 + p.x), x = i * 2654435761u;
	ivec2 cell = ivec2(p.x & 1, 0);
	imageAtomicAdd(grid, cell, x);
	imageAtomicMin(grid, cell + ivec2(2, 0), x | 1u);
	imageAtomicMax(grid, cell + ivec2(4, 0), x);
	imageAtomicAnd(grid, cell + ivec2(6, 0), x | 0xffffu);
	imageAtomicOr(grid, cell + ivec2(8, 0), x & 0xf0f0u);
	imageAtomicXor(grid, cell + ivec2(10, 0), x);
	uint a = imageAtomicExchange(own, p, x);
	uint b = imageAtomicCompSwap(own, p, (i & 3u) == 0u ? x : x + 1u, 5u);
	old[i] = a + b * 3u;
}
