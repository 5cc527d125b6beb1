#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform Grade { mat3 mix_by; vec3 lift; float exposure; } grade;
layout(location = 0) out vec4 target;

vec3 curve(vec3 x)
{
	return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main()
{
	vec3 c = vec3(at, at.x * at.y * 0.25) * exp2(clamp(grade.exposure, -1.0, 1.0));
	c = curve(c + abs(grade.mix_by * c) * 0.0625);
	vec3 low = c * 12.92, high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
	target = vec4(mix(high, low, lessThanEqual(c, vec3(0.0031308))), 1.0);
}
