#version 450
layout(location = 0) in vec2 at;
layout(location = 0, index = 0) out vec4 colour;
layout(location = 0, index = 1) out vec4 factor;

void main()
{
	colour = vec4(at, at.x * at.y, 1.0) * 0.5;
	factor = vec4(1.0 - at, 0.25, 0.5);
}
