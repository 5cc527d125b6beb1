#version 450
layout(set = 0, binding = 0) uniform Scene { mat4 world; vec4 eye; vec4 light[4]; vec4 colour[4]; } scene;
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(set = 0, binding = 2) uniform sampler2D bumps;
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 uv;
layout(location = 2) in mat3 frame;
layout(location = 0) out vec4 target;

void main()
{
	vec3 n = normalize(frame * (texture(bumps, uv).xyz * 0.5 + vec3(0.0, 0.0, 1.5)));
	vec3 eye = normalize(scene.eye.xyz + vec3(0.0, 0.0, 3.0) - place), sum = vec3(0.05);
	for (int i = 0; i < 4; i++) {
		vec3 to = scene.light[i].xyz + vec3(0.5, 0.25, 2.0) - place;
		float near = 1.0 / (1.0 + dot(to, to));
		vec3 dir = normalize(to), half_way = normalize(dir + eye);
		float shine = pow(max(dot(n, half_way), 0.0), 8.0);
		sum += (max(dot(n, dir), 0.0) + shine) * near * (scene.colour[i].rgb + 0.5);
	}
	target = vec4(sum * texture(albedo, uv).rgb, 1.0);
}
