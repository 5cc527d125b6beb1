#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 first;
layout(location = 1) out vec2 second;
layout(location = 2) out float third;

void main()
{
	first = vec4(at, fract(at.x * 7.0), 1.0 - at.x * at.y);
	second = at.yx * 0.75 + 0.125;
	third = at.x > 0.5 ? at.y : 1.0;
}
