#version 450
// Largest squares in shared words by compare and exchange, the word read anew in each turn.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };
shared uint bins[8];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x, x = v[g * 64u + l] & 1023u, k = l & 7u, was;
	if (l < 8u)
		bins[l] = l;
	barrier();
	if (x > 64u) {
		do
			was = bins[k];
		while (atomicCompSwap(bins[k], was, max(was, x * x)) != was);
	}
	barrier();
	r[g * 64u + l] = bins[k] + bins[(l + 3u) & 7u] * 3u;
}
