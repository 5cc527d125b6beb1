#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	first = vec4(at, at.x * at.y, 1.0 - at.x);
	second = vec4(at.yx, 0.25, 0.75);
}
