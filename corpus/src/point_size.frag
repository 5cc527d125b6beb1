#version 450
layout(location = 0) in vec3 tint;
layout(location = 0) out vec4 color;

void main()
{
	color = vec4(tint, tint.x + tint.y);
}
