#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
// Minimum, maximum and exchange of floats in an image.
// without: bonaire
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32f) uniform image2D low;
layout(set = 0, binding = 1, r32f) uniform image2D high;
layout(set = 0, binding = 2, r32f) uniform image2D swap;
layout(set = 0, binding = 3, std430) writeonly buffer Out { float r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	float x = float((p.x * 37 + p.y * 11) % 61) / 4.0 - 7.0;
	imageAtomicMin(low, p / 2, x);
	imageAtomicMax(high, p / 2, x);
	r[p.y * 16 + p.x] = imageAtomicExchange(swap, p, x);
}
