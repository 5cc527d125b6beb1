#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 none;
layout(location = 1) out vec4 first;
layout(location = 2) out vec4 left;
layout(location = 3) out vec2 second;

void main()
{
	first = vec4(at, at.x * 3.0, 1.0);
	second = at.yx * 2.0;
}
