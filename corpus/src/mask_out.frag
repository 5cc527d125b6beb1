#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;

void main()
{
	ivec2 cell = ivec2(at * 4.0);
	gl_SampleMask[0] = (cell.x + cell.y * 4) & gl_SampleMaskIn[0];
	target = vec4(at, 0.5, 1.0);
}
