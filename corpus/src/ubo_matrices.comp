#version 450
// Matrices of a uniform buffer, column and row major, applied to points.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std140) uniform M {
	mat4 model;
	layout(row_major) mat4 view;
	mat3 normal;
};
layout(set = 0, binding = 1, std430) readonly buffer In { vec4 points[128]; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { vec4 moved[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 32u + gl_LocalInvocationID.x;
	vec4 p = points[i];
	moved[2u * i] = view * (model * vec4(p.xyz, 1.0));
	moved[2u * i + 1u] = vec4(transpose(normal) * p.xyz, determinant(normal));
}
