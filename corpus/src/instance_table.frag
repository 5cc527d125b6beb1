#version 450
layout(location = 0) in vec2 at;
layout(location = 1) flat in int who;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(at, float(who) * 0.25, 1.0);
}
