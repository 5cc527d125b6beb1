#version 450
// One step of gravity between 64 softened bodies; all lanes walk the same list.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std140) uniform Step { vec4 scale; };
layout(set = 0, binding = 1, std430) readonly buffer Bodies { vec4 body[64]; };
layout(set = 0, binding = 2, std430) buffer Speeds { vec4 speed[256]; };

void main()
{
	uint i = gl_WorkGroupID.y * 128u + gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x;
	vec3 here = body[i & 63u].xyz, pull = vec3(0.0);
	for (int k = 0; k < 64; k++) {
		vec3 d = body[k].xyz - here;
		float r = inversesqrt(dot(d, d) + 0.5);
		pull += d * (abs(body[k].w) * r * r * r);
	}
	speed[i].xyz += pull * (0.01 + 0.01 * abs(scale.x));
	speed[i].w = length(speed[i].xyz);
}
