#version 450
// Storage texel buffers: read and written through formats.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba8) uniform imageBuffer color;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer words;
layout(set = 0, binding = 2, rgba16f) uniform writeonly imageBuffer halves;
layout(set = 0, binding = 3, rg32i) uniform iimageBuffer pairs;

void main()
{
	int i = int(gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x);
	vec4 c = imageLoad(color, i);
	ivec2 p = imageLoad(pairs, i).xy;
	uint w = imageLoad(words, i).x;
	imageStore(halves, i, c * 0.5 + vec4(p, w, imageSize(words)));
	imageStore(color, i, c.wzyx);
	imageStore(words, i, uvec4(w * 3u + uint(p.x)));
	imageStore(pairs, i, ivec4(p.yx - int(w), 0, 0));
	imageAtomicAdd(words, i, 5u);
}
