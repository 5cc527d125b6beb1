#version 450
// Pairs of halves, which the guest adds and multiplies two at a time.
// without: bonaire
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { f16vec4 a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { f16vec2 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	f16vec2 x = a[i].xy, y = a[i].zw, z = x * y + f16vec2(0.25, -0.5);
	z = clamp(z, f16vec2(-4.0), f16vec2(6.0)) + min(x, y.yx) * f16vec2(0.5);
	r[i] = max(z, -x) - y;
}
