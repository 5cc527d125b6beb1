#version 450
// A 4 x 4 matrix, its determinant, inverse and transpose.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { mat4 m[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { mat4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	mat4 a = m[i] * 0.125 + mat4(4.0);
	r[i] = inverse(a) * transpose(a) + determinant(a) * 0.001;
}
