#version 450
// A transform of 64 complex values in shared memory: bit reversal, six rounds of butterflies.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { vec2 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };
shared vec2 s[64];

void main()
{
	uint l = gl_LocalInvocationIndex, base = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 32u;
	vec2 x = v[base + l];
	s[bitfieldReverse(l) >> 26] = x;
	s[bitfieldReverse(l + 32u) >> 26] = x.yx * 0.5;
	for (uint half_ = 1u; half_ < 64u; half_ <<= 1) {
		barrier();
		uint k = l & (half_ - 1u), at = (l - k) * 2u + k;
		float angle = -3.14159265 * float(k) / float(half_);
		vec2 w = vec2(cos(angle), sin(angle)), b = s[at + half_], a = s[at];
		vec2 t = vec2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
		s[at] = a + t;
		s[at + half_] = a - t;
	}
	barrier();
	r[base + l] = vec4(s[l], s[l + 32u]);
}
