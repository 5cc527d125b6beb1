#version 450
// Heap sort of 48 private values.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 r[]; };
const uint N = 48u;

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, a[N], x = v[i] + i * 3u;
	for (uint k = 0u; k < N; k++) {
		x = x * 22695477u + 1u;
		a[k] = x >> 16 & 1023u;
	}
	for (uint phase = N / 2u + N - 1u; phase > 0u; phase--) {
		bool build = phase >= N;
		uint end = build ? N : phase, root = build ? phase - N : 0u;
		if (!build) {
			uint t = a[0];
			a[0] = a[end];
			a[end] = t;
		}
		uint top = a[root], child = 2u * root + 1u;
		while (child < end) {
			if (child + 1u < end && a[child + 1u] > a[child])
				child++;
			if (a[child] <= top)
				break;
			a[root] = a[child];
			root = child;
			child = 2u * root + 1u;
		}
		a[root] = top;
	}
	r[i] = uvec4(a[0], a[i & 31u], a[24], a[47]);
}
