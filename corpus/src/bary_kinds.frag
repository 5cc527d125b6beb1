#version 450
layout(location = 2) in vec4 plain;
layout(location = 3) noperspective in vec2 straight;
layout(location = 4) in vec2 weights;
layout(location = 5) noperspective in vec2 straight_weights;
layout(location = 6) flat in vec4 value_of[3];
layout(location = 9) flat in ivec2 whole_of[3];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	first = vec4(1.0 - weights.x - weights.y, weights, plain.x * 2.0);
	second = vec4(vec3(1.0 - straight_weights.x - straight_weights.y, straight_weights) * 4.0, plain.z + straight.y);
}
