#version 450
// Unfiltered reads: levels, layers, volumes, integer textures, constant offsets.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D flat_;
layout(set = 0, binding = 1) uniform sampler2DArray layers;
layout(set = 0, binding = 2) uniform sampler3D volume;
layout(set = 0, binding = 3) uniform usampler2D words;
layout(set = 0, binding = 4) uniform isampler2DArray signed_;
layout(set = 0, binding = 5) uniform sampler1D line;
layout(set = 0, binding = 6, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy), q = p & 7;
	vec4 v = texelFetch(flat_, p, 0) + texelFetch(flat_, q, 1) * 0.5 + texelFetch(flat_, q >> 1, 2);
	v += texelFetch(layers, ivec3(p, p.x & 3), 0) + texelFetch(volume, ivec3(q, p.y & 7), 1);
	v += vec4(texelFetch(words, p, 0)) + vec4(texelFetch(signed_, ivec3(q, 1), 1) - 2);
	v += texelFetch(line, p.x, 0) + texelFetchOffset(flat_, q, 0, ivec2(3, 5));
	r[p.y * 16 + p.x] = v;
}
