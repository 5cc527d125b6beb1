#version 450
layout(location = 0) noperspective in vec4 straight;
layout(location = 1) noperspective in vec2 other;
layout(location = 0) out vec4 target;

void main()
{
	vec4 first = interpolateAtSample(straight, 1), last = interpolateAtSample(straight, 3);
	int number = int(gl_FragCoord.x) + int(gl_FragCoord.y) * 2 & 3;
	vec2 own = interpolateAtSample(other, number);
	target = vec4(first.x - straight.y * 0.25, last.w - interpolateAtSample(straight.z, 2), own);
}
