#version 450
// Lines of texels, single and in layers.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, rgba32f) uniform readonly image1D source;
layout(set = 0, binding = 1, r32f) uniform image1D line;
layout(set = 0, binding = 2, rgba32ui) uniform uimage1DArray layers;

void main()
{
	if (gl_WorkGroupID.x != 0u)
		return;
	int x = int(gl_LocalInvocationID.x), layer = int(gl_WorkGroupID.y);
	vec4 v = imageLoad(source, x) + imageLoad(source, 15 - x).yxwz;
	if (layer == 0)
		imageStore(line, x, vec4(imageLoad(line, x).x * 2.0 + v.x));
	imageStore(layers, ivec2(x, layer + 1), imageLoad(layers, ivec2(x, layer * 3)) + uvec4(v * 16.0));
}
