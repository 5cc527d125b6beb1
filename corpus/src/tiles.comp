#version 450
// Two tiles of shared memory filled in turns while the other one is used.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float a[32 * 32]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float r[32 * 32]; };
shared float tile[2][16][17];

void main()
{
	uvec2 l = gl_LocalInvocationID.xy, p = gl_GlobalInvocationID.xy;
	float sum = 0.0;
	tile[0][l.y][l.x] = a[p.y * 32u + l.x];
	for (uint k = 0u; k < 4u; k++) {
		barrier();
		if (k < 3u)
			tile[(k + 1u) & 1u][l.x][l.y] = a[(k * 8u + l.y) * 32u + p.x];
		for (uint j = 0u; j < 16u; j += 5u)
			sum += tile[k & 1u][l.y][j] * tile[k & 1u][j][l.x];
	}
	r[p.y * 32u + p.x] = sum;
}
