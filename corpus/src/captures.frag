#version 450
layout(location = 0) in vec3 light;
layout(location = 1, component = 0) in vec2 left;
layout(location = 1, component = 2) in vec2 right;
layout(location = 2) flat in uint number;
layout(location = 3) in vec4 rows[2];
layout(location = 5) in vec4 unseen;
layout(location = 0) out vec4 colour;

void main()
{
	colour = vec4(light, left.x + right.y) + rows[0] * 0.25 - rows[1] + unseen * float(number % 7u);
}
