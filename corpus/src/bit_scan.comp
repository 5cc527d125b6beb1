#version 450
// First and last set bits, counts, reversals, fields; zero and all ones among the inputs.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint x = i == 3u ? 0u : i == 5u ? 0xffffffffu : (v[i] * 0x9E3779B9u) >> (i & 31u);
	int s = int(x) - 100;
	uint n = v[i] + 1u;
	ivec4 a = ivec4(findLSB(x), findMSB(x), findMSB(s), bitCount(x));
	ivec4 b = ivec4(bitfieldReverse(x), bitfieldExtract(s, int(n), 9), bitfieldInsert(x, i, int(n), 7), findLSB(s));
	r[i] = a * 1000 ^ b;
}
