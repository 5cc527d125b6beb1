#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(gl_FrontFacing ? at : -at, gl_FrontFacing ? 1.0 : 0.25, (gl_FrontFacing ? 1.0 : -1.0) * at.x);
}
