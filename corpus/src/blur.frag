#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 target;

const float weights[5] = float[](0.227027, 0.1945946, 0.1216216, 0.054054, 0.016216);

void main()
{
	vec2 texel = 1.0 / vec2(textureSize(picture, 0));
	vec4 sum = texture(picture, at) * weights[0];
	for (int i = 1; i < 5; i++) {
		sum += texture(picture, at + vec2(texel.x * float(i), 0.0)) * weights[i];
		sum += texture(picture, at - vec2(texel.x * float(i), 0.0)) * weights[i];
	}
	target = sum;
}
