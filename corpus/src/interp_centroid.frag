#version 450
layout(location = 0) centroid in vec3 inner;
layout(location = 1) in vec3 middle;
layout(location = 2) centroid noperspective in vec2 flat_inner;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(inner.xy * middle.zy, inner.z * 2.0 - middle.x + flat_inner.x, flat_inner.y * 0.25);
}
