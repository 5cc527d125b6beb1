#version 450
// A block of push constants larger than what fits into registers, with vectors and an array.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { vec4 a, b; mat2 m; uint k[16]; ivec2 s; };
layout(set = 0, binding = 0, std430) buffer Data { vec4 v[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 x = v[i] * a + b;
	x.xy = m * x.zw + vec2(s);
	x.z += float(k[0] + k[5] * 10u + k[15] * 100u);
	v[i] = x;
}
