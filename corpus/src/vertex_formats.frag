#version 450
layout(location = 0) in vec4 sum;
layout(location = 1) flat in uvec4 bits;
layout(location = 0) out vec4 target;
layout(location = 1) out uvec4 words;

void main()
{
	target = sum;
	words = bits;
}
