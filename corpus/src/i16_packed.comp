#version 450
// Pairs of 16-bit integers, which the guest keeps in one register.
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { i16vec2 a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { i16vec2 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	i16vec2 x = a[i] * i16vec2(1021, -77), y = a[i ^ 1u] + i16vec2(int16_t(i), int16_t(5));
	i16vec2 z = x * y + y.yx;
	z = max(z, x) - min(z, y);
	z += x >> i16vec2(2, 5);
	r[i] = z ^ (y << i16vec2(1, 3));
}
