#version 450
layout(location = 0) in vec4 smooth_one;
layout(location = 1) noperspective in vec4 straight;
layout(location = 2) flat in vec3 constant;
layout(location = 3) flat in ivec2 whole;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
layout(location = 2) out ivec4 third;

void main()
{
	first = smooth_one * 2.0 + straight.x;
	second = vec4(straight.yzw, smooth_one.w) + vec4(constant, 0.0);
	third = ivec4(whole, whole.x * whole.y, -1);
}
