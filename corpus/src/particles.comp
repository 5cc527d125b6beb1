#version 450
// Particles as a structure of arrays: gravity, a bounce on the floor, and a respawn.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Position { vec4 position[256]; };
layout(set = 0, binding = 1, std430) buffer Velocity { vec4 velocity[256]; };
layout(set = 0, binding = 2, std430) buffer Age { int age[256]; };
layout(set = 1, binding = 0, std140) uniform World { vec4 gravity; float floor_height; float bounce; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	vec3 v = velocity[i].xyz + gravity.xyz * 0.125, p = position[i].xyz + v * 0.125;
	if (p.y < floor_height) {
		p.y = 2.0 * floor_height - p.y;
		v.y = -v.y * min(abs(bounce), 0.75);
	}
	if (age[i] > 5) {
		p = vec3(0.0, float(i), 0.0);
		v = vec3(0.0);
		age[i] = 0;
	} else {
		age[i]++;
	}
	position[i] = vec4(p, 1.0);
	velocity[i] = vec4(v, dot(v, v));
}
