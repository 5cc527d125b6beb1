#version 450
// 16-bit integers: storage, sums that wrap, products, shifts and comparisons.
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int16_t a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint16_t r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	int16_t x = a[i] * int16_t(9973) + int16_t(i * 211u), y = a[i ^ 5u] - int16_t(i);
	uint16_t u = uint16_t(x) * uint16_t(3) + uint16_t(y);
	int16_t m = max(min(x, y), int16_t(-3000)) + (x >> int16_t(3));
	u ^= uint16_t(m) << uint16_t(2);
	u += x < y ? uint16_t(7) : uint16_t(0x8000);
	r[i] = u >> uint16_t(1);
}
