#version 450
layout(location = 0) in vec4 colour;
layout(location = 1) flat in ivec3 numbers;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 words;

void main()
{
	target = colour;
	words = ivec4(numbers, 7);
}
