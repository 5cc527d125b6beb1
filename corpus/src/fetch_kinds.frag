#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(set = 0, binding = 1) uniform isampler2D whole;
layout(set = 0, binding = 2) uniform usampler2DArray bits;
layout(set = 0, binding = 3) uniform sampler3D block;
layout(set = 0, binding = 4) uniform sampler1D line;
layout(location = 0) out vec4 first;
layout(location = 1) out ivec4 second;

void main()
{
	ivec2 p = ivec2(at);
	first = texelFetch(plane, p, 0) + texelFetchOffset(plane, p >> 1, 1, ivec2(1, 0)) * 0.5;
	first += texelFetch(block, ivec3(p & 3, 1), 0) + texelFetch(line, p.x, 0);
	second = texelFetch(whole, p.yx, 0) + ivec4(texelFetch(bits, ivec3(p, 1), 0));
}
