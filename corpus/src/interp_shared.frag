#version 450
layout(location = 0) in vec4 smooth_one;
layout(location = 1) noperspective in vec3 straight;
layout(location = 0) out vec4 target;

void main()
{
	vec4 inner = interpolateAtCentroid(smooth_one);
	target = vec4(smooth_one.x - inner.z, inner.yw, interpolateAtCentroid(straight.y)) + straight.xyzx * 0.25;
}
