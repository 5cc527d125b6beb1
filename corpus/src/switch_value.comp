#version 450
// A switch with fall-through and a default, by a value that differs from lane to lane.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int op[128]; };
layout(set = 0, binding = 1, std430) buffer Data { int data[128]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 32u + gl_LocalInvocationID.x;
	int v = data[i] + int(i);
	switch (op[i]) {
	case 0: v = -v; break;
	case 1: v *= 3; // falls through
	case 2: v += 100; break;
	case 3: v = v << 2 | 1; break;
	case 5: v ^= 0x5555; break;
	case 6: if (v > 64) break; v -= 7; break;
	default: v = v * v - 9; break;
	}
	data[i] = v;
}
