#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 turn; vec4 light; };
layout(location = 0) in vec3 normal;
layout(location = 1) in vec3 place;
layout(location = 0) out vec4 target;

void main()
{
	vec3 to_light = normalize(light.xyz + vec3(0.0, 0.0, 5.0) - place);
	float diffuse = max(dot(normalize(normal), to_light), 0.0);
	float shine = pow(diffuse, 8.0);
	target = vec4(vec3(0.1) + diffuse * vec3(0.5, 0.25, 0.125) + shine, 1.0);
}
