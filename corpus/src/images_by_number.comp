#version 450
// An array of storage images, each written by the workgroups whose number it has.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform image2D pictures[4];

void main()
{
	uint k = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	ivec2 p = ivec2(gl_LocalInvocationID.xy);
	vec4 v = imageLoad(pictures[k], p) + imageLoad(pictures[k], p + 8);
	imageStore(pictures[k], p.yx + 4, v * (1.0 + float(k)));
}
