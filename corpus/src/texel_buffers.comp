#version 450
// Texel buffers of all three kinds, which differ only in their descriptors.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform samplerBuffer f;
layout(set = 0, binding = 1) uniform isamplerBuffer s;
layout(set = 0, binding = 2) uniform usamplerBuffer u;
layout(set = 0, binding = 3, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	int i = int(gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x);
	ivec4 a = texelFetch(s, i ^ 7);
	uvec4 b = texelFetch(u, 255 - i);
	r[i] = texelFetch(f, i) * 2.0 + vec4(a - 3) + vec4(b.wzyx) * float(textureSize(f) + textureSize(u));
}
