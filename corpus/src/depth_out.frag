#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;

void main()
{
	float r = length(at);
	gl_FragDepth = clamp(1.0 - r * 0.5, 0.0, 1.0);
	target = vec4(at, r, 1.0);
}
