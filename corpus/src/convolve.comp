#version 450
// A nine-tap filter over a line, with the halo loaded into shared memory.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float line[256]; };
layout(set = 0, binding = 1, std140) uniform Kernel { vec4 taps[3]; };
layout(set = 0, binding = 2, std430) writeonly buffer Out { float filtered[256]; };
shared float s[72];

float at(int i) { return i < 0 || i > 255 ? 0.0 : line[i]; }

void main()
{
	int l = int(gl_LocalInvocationIndex), base = int(gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64;
	s[l + 4] = at(base + l);
	if (l < 4) {
		s[l] = at(base + l - 4);
		s[l + 68] = at(base + l + 64);
	}
	barrier();
	float sum = 0.0;
	for (int k = 0; k < 9; k++)
		sum += s[l + k] * taps[k >> 2][k & 3];
	filtered[base + l] = sum;
}
