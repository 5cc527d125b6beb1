#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler1D line;
layout(set = 0, binding = 1) uniform sampler2D plane;
layout(set = 0, binding = 2) uniform sampler3D block;
layout(set = 0, binding = 3) uniform samplerCube sky;
layout(set = 0, binding = 4) uniform sampler1DArray lines;
layout(set = 0, binding = 5) uniform sampler2DArray planes;
layout(set = 0, binding = 6) uniform samplerCubeArray skies;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	vec3 d = vec3(at * 2.0 - 1.0, 0.75);
	first = texture(line, at.x) + texture(plane, at) * 0.5 + texture(block, vec3(at, 0.25)) * 0.25;
	first += texture(sky, d);
	second = texture(lines, vec2(at.y, 1.0)) + texture(planes, vec3(at, 1.0)) * 0.5;
	second += texture(skies, vec4(d.zxy, 1.0)) * 0.25;
}
