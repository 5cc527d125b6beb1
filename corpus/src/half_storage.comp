#version 450
// Halves in memory, arithmetic in single precision.
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { f16vec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float16_t r[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Wide { f16vec2 w[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 x = vec4(v[i]);
	r[i] = float16_t(dot(x, vec4(1.0, 0.5, -0.25, 2.0)) + 0.1);
	w[i] = f16vec2(x.xz * 1.3 + x.wy);
}
