#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0, rgba32f) uniform readonly image2D source;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D copy;
layout(set = 0, binding = 2, r32ui) uniform uimage2D counts;
layout(set = 0, binding = 3, rg16f) uniform writeonly image2DArray halves;
layout(location = 0) out vec4 target;

void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	vec4 v = imageLoad(source, p & 3);
	imageStore(copy, p & 7, vec4(vec2(p & 7) * 0.125, 0.5, 1.0));
	imageStore(halves, ivec3(p & 3, 1), vec4(vec2(p & 3), 0.0, 0.0));
	imageAtomicAdd(counts, p & 3, uint(p.x));
	target = v + vec4(at, 0.0, 0.0);
}
