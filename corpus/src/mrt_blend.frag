#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 target;
layout(location = 2) out vec4 bright;

void main()
{
	vec4 c = textureLod(picture, at, 0.0) + vec4(0.25);
	float l = dot(c.rgb, vec3(0.2126, 0.7152, 0.0722));
	target = vec4(c.rgb * c.a, c.a);
	bright = l > 0.5 ? vec4(c.rgb, 1.0) : vec4(0.0);
}
