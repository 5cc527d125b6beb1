#version 450
layout(location = 0) in vec2 at;

void main()
{
	gl_FragDepth = at.x * 0.5 + at.y * at.y * 0.25;
}
