#version 450
// Bytes in memory and in arithmetic.
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int8_t a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { u8vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	int8_t x = a[i] * int8_t(29), y = a[i ^ 2u] + int8_t(i);
	uint8_t s = uint8_t(x) + uint8_t(y), p = uint8_t(x * y);
	r[i] = u8vec4(s, p, uint8_t(x >> int8_t(1)), uint8_t(max(x, y)));
}
