#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(set = 0, binding = 1) uniform sampler3D block;
layout(set = 0, binding = 2) uniform sampler2DArray planes;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
layout(location = 2) out vec4 third;

void main()
{
	first = texture(plane, at, 1.5) + textureLod(plane, at, at.x * 2.0) * 0.5;
	first += textureOffset(plane, at, ivec2(3, -4)) * 0.25;
	second = textureGrad(plane, at, vec2(0.1, 0.0), vec2(0.0, 0.2)) + textureProj(plane, vec3(at, 1.5)) * 0.5;
	second += textureGradOffset(plane, at, vec2(0.05), vec2(0.02, 0.1), ivec2(-1, 2)) * 0.25;
	third = textureGrad(block, vec3(at, 0.5), vec3(0.1), vec3(0.0, 0.1, 0.2));
	third += textureLodOffset(planes, vec3(at, 1.0), 1.0, ivec2(2, 1)) + textureProjLod(plane, vec4(at, 0.0, 2.0), 0.0);
	third += textureGrad(planes, vec3(at, 0.0), vec2(0.3, 0.1), vec2(0.1, 0.0)) + texture(planes, vec3(at, 1.0), -1.0);
}
