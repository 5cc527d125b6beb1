#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2DShadow plane;
layout(set = 0, binding = 1) uniform sampler2DArrayShadow planes;
layout(set = 0, binding = 2) uniform samplerCubeShadow sky;
layout(set = 0, binding = 3) uniform sampler1DShadow line;
layout(location = 0) out vec4 target;

void main()
{
	float a = texture(plane, vec3(at, 0.5)), b = texture(planes, vec4(at, 1.0, 0.4));
	float c = texture(sky, vec4(at * 2.0 - 1.0, 0.5, 0.6)), d = texture(line, vec3(at.x, 0.0, 0.3));
	target = vec4(a + textureProj(plane, vec4(at, 0.25, 1.0)), b, c, d + textureLod(plane, vec3(at.yx, 0.7), 1.0));
}
