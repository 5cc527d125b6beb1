#version 450
// Smallest, middle and largest of three, of floats and integers of both signs.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 f = v[i];
	ivec3 s = ivec3(f.xyz * 64.0) + ivec3(int(i) - 100, 3, -5);
	uvec3 u = uvec3(s);
	float middle = max(min(f.x, f.y), min(max(f.x, f.y), f.z));
	int low = min(min(s.x, s.y), s.z), high = max(max(s.x, s.y), s.z), mid = clamp(s.x, min(s.y, s.z), max(s.y, s.z));
	uint umid = max(min(u.x, u.y), min(max(u.x, u.y), u.z)), ulow = min(u.x, min(u.y, u.z));
	r[i] = ivec4(int(middle * 8.0) + int(max(max(f.x, f.y), f.w) * 100.0), low * 3 - high, mid, int(umid ^ ulow * 5u));
}
