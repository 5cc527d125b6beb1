#version 450
// Bitonic sort of 128 keys a group, two keys a lane.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Keys { float keys[512]; };
shared float s[128];

void main()
{
	uint i = gl_LocalInvocationIndex, base = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 128u;
	s[i] = keys[base + i] + float(i) * 0.03125;
	s[i + 64u] = keys[base + i + 64u];
	for (uint size = 2u; size <= 128u; size <<= 1) {
		for (uint stride = size >> 1; stride > 0u; stride >>= 1) {
			barrier();
			uint low = 2u * i - (i & (stride - 1u)), high = low + stride;
			bool down = (low & size) != 0u;
			float a = s[low], b = s[high];
			if ((a > b) != down) {
				s[low] = b;
				s[high] = a;
			}
		}
	}
	barrier();
	keys[base + i] = s[i];
	keys[base + i + 64u] = s[i + 64u];
}
