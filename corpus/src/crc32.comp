#version 450
// CRC-32 of each lane's words, a bit at a time.
layout(local_size_x = 32, local_size_y = 2) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec2 words[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint crc[256]; };

uint feed(uint c, uint word)
{
	c ^= word;
	for (int k = 0; k < 32; k++)
		c = (c & 1u) != 0u ? c >> 1 ^ 0xedb88320u : c >> 1;
	return c;
}

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationIndex;
	crc[i] = ~feed(feed(0xffffffffu, words[i].x + i), words[i].y);
}
