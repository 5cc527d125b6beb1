#version 450
layout(location = 0) noperspective in vec4 straight;
layout(location = 1) noperspective in vec2 other;
layout(location = 0) out vec4 target;

void main()
{
	vec4 beside = interpolateAtOffset(straight, vec2(0.25, -0.5));
	vec2 by = vec2(straight.x, 0.5 - straight.y) * 0.5;
	target = vec4(beside.x, straight.w - beside.w, interpolateAtOffset(other, by));
}
