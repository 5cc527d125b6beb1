#version 450
// Products of bytes summed: 4 x 8 bits unpacked by hand, signed and not.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec2 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec2 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uvec2 x = (v[i] + 1u) * uvec2(0x9E3779B9u, 0x85EBCA6Bu);
	int s = 0;
	uint u = 0u;
	for (int k = 0; k < 32; k += 8) {
		s += bitfieldExtract(int(x.x), k, 8) * bitfieldExtract(int(x.y), k, 8);
		u += bitfieldExtract(x.x, k, 8) * bitfieldExtract(x.y, k, 8);
	}
	r[i] = ivec2(s, int(u));
}
