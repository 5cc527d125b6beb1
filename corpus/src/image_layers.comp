#version 450
// Layers of a 2D array turned against each other.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform readonly image2DArray from;
layout(set = 0, binding = 1, r32f) uniform image2DArray to;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	for (int k = 0; k < 4; k++) {
		vec4 v = imageLoad(from, ivec3(p, k)) + imageLoad(from, ivec3(p.yx, 3 - k));
		imageStore(to, ivec3(p, k), imageLoad(to, ivec3(p, k)) + vec4(dot(v, vec4(1.0, 0.5, 0.25, 2.0))));
	}
}
