#version 450
layout(location = 0) in vec2 start;
layout(location = 0) out vec4 target;
layout(push_constant) uniform P { vec2 c; } p;

void main()
{
	vec2 z = start;
	float glow = 0.0;
	for (int k = 0; k < 6; k++) {
		float r = dot(z, z);
		glow += exp2(-r);
		if (r > 64.0)
			break;
		z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + p.c * 0.0625;
	}
	target = vec4(glow, glow * 0.5, 0.25, 1.0);
}
