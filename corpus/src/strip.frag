#version 450
layout(location = 0) flat in int first;
layout(location = 1) in float along;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(float(first) * 0.25, along, float(gl_PrimitiveID), 1.0);
}
