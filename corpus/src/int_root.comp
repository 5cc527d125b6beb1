#version 450
// Integer square roots by Newton's method and by bits; both must agree.
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint x[128]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 root[128]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x, v = x[i] * 123457u + i * i;
	uint bits = 0u;
	for (uint b = 1u << 15; b != 0u; b >>= 1) {
		uint t = bits | b;
		if (t * t <= v)
			bits = t;
	}
	uint r = v;
	if (v > 1u) {
		uint next = 1u << ((findMSB(v) >> 1) + 1);
		do {
			r = next;
			next = (r + v / r) >> 1;
		} while (next < r);
	}
	root[i] = uvec2(bits, r ^ bits);
}
