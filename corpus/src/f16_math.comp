#version 450
// Half-precision arithmetic: sums, products, divisions, roots, comparisons.
// without: bonaire
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float16_t a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float16_t r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	float16_t x = a[i], y = a[i ^ 3u] + float16_t(0.5);
	float16_t q = x / (abs(y) + float16_t(1.0)), s = sqrt(abs(x)) + float16_t(2.0);
	float16_t m = max(min(x, y), float16_t(-1.5)) * s - q;
	if (m > x)
		m = floor(m) + fract(y);
	r[i] = m + trunc(x) * float16_t(0.25);
}
