#version 450
// Faces of a cube and of an array of two cubes, written as layers.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform imageCube one;
layout(set = 0, binding = 1, rgba32f) uniform imageCubeArray two;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	for (int face = 0; face < 6; face++) {
		vec4 v = imageLoad(one, ivec3(p, face));
		imageStore(two, ivec3(p, 6 + face), v + imageLoad(two, ivec3(p.yx, face)));
		if ((face & 1) != 0)
			imageStore(one, ivec3(p, face), v.yzwx);
	}
}
