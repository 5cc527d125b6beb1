#version 450
layout(early_fragment_tests) in;
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) buffer Count { uint rows[64]; } count;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D marks;
layout(location = 0) out vec4 target;

void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	atomicAdd(count.rows[p.y & 63], uint(p.x));
	imageStore(marks, p & 7, vec4(1.0, 2.0, 3.0, 4.0));
	target = vec4(at, 0.5, 1.0);
}
