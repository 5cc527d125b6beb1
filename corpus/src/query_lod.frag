#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(set = 0, binding = 1) uniform sampler3D block;
layout(set = 0, binding = 2) uniform sampler2DArray planes;
layout(set = 0, binding = 3) uniform samplerCube sky;
layout(set = 0, binding = 4) uniform samplerCubeArray skies;
layout(set = 0, binding = 5) uniform sampler1D line;
layout(set = 0, binding = 6) uniform sampler2DShadow shade;
layout(set = 0, binding = 7) uniform isampler2D numbers;
layout(location = 0) out vec4 flat_ones;
layout(location = 1) out vec4 deep;
layout(location = 2) out vec4 around;
layout(location = 3) out vec4 rest;

void main()
{
	flat_ones = vec4(textureQueryLod(plane, at * at), textureQueryLod(planes, at * 0.1));
	deep = vec4(textureQueryLod(block, vec3(at * 4.0, at.x)), textureQueryLod(line, at.x * 0.7));
	around = vec4(textureQueryLod(sky, vec3(at * 0.3 - 0.4, 1.0)), textureQueryLod(skies, vec3(-1.0, at * 0.6 - 0.9)));
	rest = vec4(textureQueryLod(shade, at.yx * 2.0), textureQueryLod(numbers, at * 30.0));
}
