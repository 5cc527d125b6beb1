#version 450
layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 target;

void main()
{
	float l = length(normal);
	target = vec4(l > 0.0 ? normal / l : vec3(0.0), l * 0.125);
}
