#version 450
// Loop bounds, step and coefficients come from push constants.
layout(local_size_x = 64) in;
layout(push_constant) uniform P { ivec4 bounds; vec4 factor; float weight[4]; } p;
layout(set = 0, binding = 0, std430) buffer Data { vec2 data[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	vec2 v = data[i];
	int last = p.bounds.x + p.bounds.y + 4;
	for (int k = 0; k < last; k += 1 + (p.bounds.z & 1))
		v = v.yx * p.factor.xy * 0.25 + vec2(p.weight[k & 3], float(k + int(i & 3u)));
	data[i] = v;
}
