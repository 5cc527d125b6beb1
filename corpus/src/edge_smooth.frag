#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 target;

float luma(vec2 p)
{
	return dot(textureLod(picture, p, 0.0).rgb, vec3(0.299, 0.587, 0.114));
}

void main()
{
	vec2 t = vec2(0.0625);
	float m = luma(at), n = luma(at - vec2(0.0, t.y)), s = luma(at + vec2(0.0, t.y));
	float e = luma(at + vec2(t.x, 0.0)), w = luma(at - vec2(t.x, 0.0));
	float range = max(max(max(n, s), max(e, w)), m) - min(min(min(n, s), min(e, w)), m);
	vec4 c = textureLod(picture, at, 0.0);
	if (range >= 0.125) {
		vec2 dir = vec2(n - s, e - w);
		dir /= max(abs(dir.x), abs(dir.y)) + 0.03125;
		c = 0.5 * (textureLod(picture, at + dir * t * 0.5, 0.0) + textureLod(picture, at - dir * t * 0.5, 0.0));
	}
	target = c;
}
