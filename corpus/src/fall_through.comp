#version 450
// Cases that run into the next one.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { int v[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	int x = v[i] * 100 - int(i);
	switch ((x >> 1) & 7) {
	case 6:
		x += 1;
	case 5:
		x *= 3;
	case 2:
		x ^= 0x33;
		break;
	case 0:
	case 1:
		x = -x;
	default:
		x -= 1000;
	case 4:
		x = x < 0 ? x * 2 : x / 3;
	}
	v[i] = x;
}
