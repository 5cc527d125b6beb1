#version 450
// A 32-bit hash in the manner of Murmur over a variable number of words.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Text { uint words[512]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint hash[256]; };

uint rotate_left(uint v, int n) { return v << n | v >> (32 - n); }

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	uint n = words[i] + 1u, h = i;
	for (uint k = 0u; k < n; k++) {
		uint w = words[i + k] * 0xcc9e2d51u;
		h ^= rotate_left(w, 15) * 0x1b873593u;
		h = rotate_left(h, 13) * 5u + 0xe6546b64u;
	}
	h ^= n * 4u;
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	hash[i] = h ^ h >> 16;
}
