#version 450
layout(location = 2) in vec4 plain;
layout(location = 4) in vec2 weights;
layout(location = 5) noperspective in vec2 straight_weights;
layout(location = 6) flat in vec4 value_of[3];
layout(location = 9) flat in ivec2 whole_of[3];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
layout(location = 2) out ivec4 third;

void main()
{
	first = vec4(value_of[0].xy - value_of[1].xy, value_of[2].zw);
	second = vec4(value_of[1].w, value_of[2].x, plain.yz);
	third = ivec4(whole_of[0].x, whole_of[1].x, whole_of[2].y, whole_of[0].y ^ whole_of[1].y);
}
