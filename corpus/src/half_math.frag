#version 310 es
precision mediump float;
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 target;

void main()
{
	vec4 c = textureLod(picture, at, 0.0);
	vec3 m = mix(c.rgb, vec3(at, 0.5), 0.25);
	target = vec4(m * m, c.a);
}
