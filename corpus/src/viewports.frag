#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(at, float(gl_ViewportIndex) * 2.0, 1.0);
}
