#version 450
// Sizes, levels and image extents: descriptors read as numbers. The level is the same in all lanes: lavapipe asks for one lane's.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D flat_;
layout(set = 0, binding = 1) uniform sampler2DArray layers;
layout(set = 0, binding = 2) uniform sampler3D volume;
layout(set = 0, binding = 3) uniform samplerCube cube;
layout(set = 0, binding = 4, rgba8) uniform readonly image2D target;
layout(set = 0, binding = 5, rgba8) uniform readonly image3D block;
layout(set = 0, binding = 6, std430) writeonly buffer Out { ivec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	int level = int(gl_WorkGroupID.x) & 1;
	ivec4 a = ivec4(textureSize(flat_, level), textureQueryLevels(flat_), textureSize(cube, level).x);
	ivec4 b = ivec4(textureSize(layers, level), textureQueryLevels(volume)) * 3;
	ivec4 c = ivec4(textureSize(volume, level), imageSize(target).y) * 5 + ivec4(imageSize(block), 1);
	r[p.y * 16 + p.x] = a + b * 100 + c * 10000;
}
