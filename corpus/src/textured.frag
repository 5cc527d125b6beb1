#version 450
layout(location = 1) in vec2 uv;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 target;

void main()
{
	vec4 texel = textureLod(picture, uv, 0.0);
	target = vec4(texel.rgb * texel.a, texel.a);
}
