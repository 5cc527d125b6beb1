#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Values of 16 bits stored to images of integers of both signs, and of floats.
// without: bonaire
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32i) writeonly uniform iimage2D i32;
layout(set = 0, binding = 1, rgba16ui) writeonly uniform uimage2D u16;
layout(set = 0, binding = 2, rgba16f) writeonly uniform image2D f16;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	int16_t a = int16_t(p.x * 3000 - p.y * 2500);
	uint16_t b = uint16_t(a) ^ uint16_t(0x5555);
	float16_t c = float16_t(a) * float16_t(0.125);
	imageStore(i32, p, ivec4(int(a)));
	imageStore(u16, p.yx, uvec4(uint(b), uint(b + uint16_t(1)), 7u, uint(b >> uint16_t(3))));
	imageStore(f16, p, vec4(float(c), float(c + float16_t(1.0)), float(-c), 0.5));
}
