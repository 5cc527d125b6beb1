#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 side;

void main()
{
	target = gl_FragCoord * vec4(0.015625, 0.015625, 1.0, 1.0);
	side = gl_FrontFacing ? vec4(at, 1.0, 0.0) : vec4(at.yx, 0.0, 1.0);
}
