#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D heights;
layout(push_constant) uniform P { vec4 eye; } p;
layout(location = 0) out vec4 target;

void main()
{
	vec2 dx = dFdx(at), dy = dFdy(at), step_by = (p.eye.xy + vec2(0.3, -0.2)) * 0.015625, uv = at;
	float ray = 1.0;
	int i = 0;
	for (; i < 20; i++) {
		if (textureGrad(heights, uv, dx, dy).x >= ray)
			break;
		ray -= 0.0625;
		uv += step_by;
	}
	target = vec4(uv, ray, float(i) * 0.05);
}
