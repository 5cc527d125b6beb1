#version 450
layout(location = 2) in vec4 plain;
layout(location = 4) in vec2 weights;
layout(location = 5) noperspective in vec2 straight_weights;
layout(location = 6) flat in vec4 value_of[3];
layout(location = 9) flat in ivec2 whole_of[3];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	vec3 b = vec3(1.0 - weights.x - weights.y, weights), s = vec3(1.0 - straight_weights.x - straight_weights.y, straight_weights);
	first = value_of[0] * b.x + value_of[1] * b.y + value_of[2] * b.z;
	vec3 sharp = b * b / dot(b, b);
	second = value_of[0] * sharp.x + value_of[1] * sharp.y + value_of[2] * sharp.z;
	if (s.x > 0.5)
		second.xy = value_of[0].zw * s.y + value_of[1].zw * s.z;
	second.w += plain.x * b.x;
}
