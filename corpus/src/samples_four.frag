#version 450
layout(location = 0) sample in vec2 at;
layout(location = 1) centroid in vec2 inner;
layout(location = 2) in vec2 middle;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(at, inner.x - middle.y, inner.y + middle.x);
}
