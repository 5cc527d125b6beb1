#version 450
layout(set = 0, binding = 0) uniform View { mat4 clip; vec4 eye; vec4 fog; int lights; } view;
layout(set = 0, binding = 1) uniform samplerCube sky;
layout(set = 0, binding = 2) uniform sampler2D ground;
layout(location = 0) in vec3 ray;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main()
{
	vec3 d = normalize(ray), c = textureLod(ground, uv, 0.0).rgb;
	float thick = exp(-abs(view.fog.w) * length(ray)), sum = 0.0;
	for (int i = 0; i < 8; i++) {
		if (i >= (view.lights & 7))
			break;
		sum += max(dot(d, normalize(vec3(float(i) - 3.0, 1.0, 2.0))), 0.0) / float(i + 1);
	}
	vec3 far_away = textureLod(sky, d, 0.0).rgb + view.fog.rgb * 0.125;
	target = vec4(mix(far_away, c * (0.5 + sum), thick), thick);
}
