#version 450
// Counts per group in shared memory with atomics, then adds them to the global counts.
layout(local_size_x = 32, local_size_y = 2) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint bins[16]; };
shared uint local_bins[16];

void main()
{
	uint i = gl_LocalInvocationIndex;
	if (i < 16u)
		local_bins[i] = 0u;
	barrier();
	uint at = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + i;
	uint v = values[at];
	atomicAdd(local_bins[v & 7u], 1u);
	atomicMax(local_bins[8u + (v >> 1)], at + v);
	barrier();
	if (i < 8u)
		atomicAdd(bins[i], local_bins[i]);
	else if (i < 16u)
		atomicMax(bins[i], local_bins[i]);
}
