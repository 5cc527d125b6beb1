#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(set = 0, binding = 1) uniform sampler2DArray planes;
layout(set = 0, binding = 2) uniform sampler2DShadow depths;
layout(set = 0, binding = 3) uniform samplerCube sky;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

const ivec2 places[4] = ivec2[](ivec2(-2, 1), ivec2(3, 0), ivec2(0, -3), ivec2(2, 2));

void main()
{
	vec2 p = at * 0.875 + 0.0371;
	first = textureGather(plane, p, 0) + textureGather(plane, p.yx, 2) * 0.5;
	first += textureGatherOffset(plane, p, ivec2(1, -2), 1) * 0.25;
	second = textureGather(planes, vec3(p, 1.0), 3) + textureGather(depths, p, 0.5);
	second += textureGatherOffsets(plane, p, places, 1) * 0.5 + textureGather(sky, vec3(p - 0.5, 1.0), 0) * 0.125;
}
