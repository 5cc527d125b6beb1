#version 450
layout(location = 1) sample in vec2 weights;
layout(location = 2) noperspective sample in vec2 straight_weights;
layout(location = 3) flat in vec4 value_of[3];
layout(location = 0) out vec4 target;

void main()
{
	vec2 b = weights, s = straight_weights;
	float x = mix(value_of[1].z, value_of[2].y, b.x);
	target = vec4(b * b * 0.25, x * s.x, s.y + value_of[0].w);
}
