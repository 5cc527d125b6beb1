#version 450
// Spheres by stepping along a ray: a loop that most lanes leave early.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D picture;
layout(set = 0, binding = 1, std140) uniform Scene { vec4 sphere[4]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec3 dir = normalize(vec3((vec2(p) - 7.5) / 8.0, 1.5)), at = vec3(0.0, 0.0, -6.0);
	float t = 0.0, d = 1.0;
	int steps = 0;
	for (; steps < 48 && t < 20.0; steps++) {
		d = 100.0;
		for (int k = 0; k < 4; k++)
			d = min(d, distance(at + dir * t, sphere[k].xyz * 0.5) - 0.6);
		if (d < 0.01)
			break;
		t += d;
	}
	imageStore(picture, p, d < 0.01 ? vec4(at + dir * t, 1.0) : vec4(0.0, 0.0, 0.0, 0.5));
}
