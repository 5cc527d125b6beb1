#version 450
// Bit field insertion and extraction, counts, searches and reversal.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint x[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec4 y[512]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint v = x[i] * 0x9e3779b9u ^ i << 7;
	int offset = int(x[i]), bits = int(x[(i + 1u) & 255u]) + 1;
	y[2u * i] = ivec4(int(bitfieldExtract(v, offset, bits)), bitfieldExtract(int(v), offset, bits),
		int(bitfieldInsert(v, 0xa5a5a5a5u, offset, bits)), int(bitfieldReverse(v)));
	y[2u * i + 1u] = ivec4(bitCount(v), findLSB(v), findMSB(v), findMSB(int(v)));
}
