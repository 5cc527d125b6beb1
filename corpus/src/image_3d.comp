#version 450
// A volume blurred along its diagonal.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(set = 0, binding = 0, rgba32f) uniform readonly image3D from;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image3D to;

void main()
{
	ivec3 p = ivec3(gl_GlobalInvocationID);
	vec4 v = imageLoad(from, p) * 0.5 + imageLoad(from, (p + 1) & 15) * 0.25 + imageLoad(from, (p + 15) & 15) * 0.25;
	for (int z = p.z; z < imageSize(to).z; z += 4)
		imageStore(to, ivec3(p.xy, z), v + float(z));
}
