#version 450
// Product of two 32x32 matrices, tile by tile through shared memory.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer A { float a[1024]; };
layout(set = 0, binding = 1, std430) readonly buffer B { float b[1024]; };
layout(set = 1, binding = 0, std430) writeonly buffer C { float c[1024]; };
shared float ta[16][16], tb[16][16];

void main()
{
	uvec2 p = gl_GlobalInvocationID.xy, l = gl_LocalInvocationID.xy;
	float sum = 0.0;
	for (uint t = 0u; t < 32u; t += 16u) {
		ta[l.y][l.x] = a[p.y * 32u + t + l.x];
		tb[l.y][l.x] = b[(t + l.y) * 32u + p.x];
		barrier();
		for (uint k = 0u; k < 16u; k++)
			sum += ta[l.y][k] * tb[k][l.x];
		barrier();
	}
	c[p.y * 32u + p.x] = sum;
}
