#version 450
// Values handed on through a coherent buffer inside a workgroup, with memory barriers.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) coherent buffer Data { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };

void main()
{
	uint l = gl_LocalInvocationIndex, base = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u, x = v[base + l] + l;
	for (uint k = 1u; k < 5u; k++) {
		memoryBarrierBuffer();
		barrier();
		v[base + (l ^ k)] = x * 3u + k;
		memoryBarrierBuffer();
		barrier();
		x += v[base + l];
	}
	r[base + l] = x;
}
