#version 450
// Matrix transpose through a padded tile of shared memory: every element is written by one lane and read by another.
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float a[1024]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float b[1024]; };
shared float tile[16][17];

void main()
{
	uvec2 p = gl_GlobalInvocationID.xy, l = gl_LocalInvocationID.xy;
	tile[l.y][l.x] = a[p.y * 32u + p.x];
	barrier();
	uvec2 q = gl_WorkGroupID.yx * 16u + l;
	b[q.y * 32u + q.x] = tile[l.x][l.y] + 0.5;
}
