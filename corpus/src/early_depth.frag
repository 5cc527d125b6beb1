#version 450
layout(early_fragment_tests) in;
layout(location = 0) in vec2 at;
layout(location = 1) flat in int who;
layout(set = 0, binding = 0) buffer Count { uint by_instance[4]; } count;
layout(location = 0) out vec4 target;

void main()
{
	atomicAdd(count.by_instance[who & 3], 1u);
	if (fract(at.x) + fract(at.y) < 0.5)
		discard;
	target = vec4(at, float(who), 1.0);
}
