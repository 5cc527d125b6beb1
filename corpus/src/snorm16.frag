#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 first;
layout(location = 1) out vec3 second;

void main()
{
	vec2 p = at * 2.0 - 1.0;
	first = vec4(p, p.x * p.y, -1.0);
	second = vec3(-p.yx, fract(at.x * 5.0) - 0.5);
}
