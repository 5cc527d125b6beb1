#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D plane;
layout(set = 0, binding = 1) uniform sampler3D block;
layout(set = 0, binding = 2) uniform sampler2DArray planes;
layout(set = 0, binding = 3) uniform samplerCubeArray skies;
layout(set = 0, binding = 4, rgba8) uniform readonly image2D picture;
layout(set = 0, binding = 5) buffer Sizes { ivec4 size[8]; } sizes;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(vec2(textureSize(plane, 0)), vec2(textureSize(plane, 1))) * at.xyxy * 0.125;
	sizes.size[0] = ivec4(textureSize(block, 0), textureQueryLevels(plane));
	sizes.size[1] = ivec4(textureSize(planes, 0), textureQueryLevels(skies));
	sizes.size[2] = ivec4(textureSize(skies, 0), 0);
	sizes.size[3] = ivec4(imageSize(picture), 0, 0);
}
