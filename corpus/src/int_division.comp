#version 450
// Signed and unsigned quotients and remainders by variables and constants, and a greatest common divisor.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { int x[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec4 q[512]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	int a = (x[i] - 3) * 12345 + int(i) * 77, b = x[(i + 1u) & 255u] + 1;
	uint ua = uint(a) * 2654435761u, ub = uint(b) * 3u;
	q[2u * i] = ivec4(a / b, a - a / b * b, int(ua / ub), int(ua % ub));
	uint m = ua >> 16, n = ub + (i & 31u);
	while (n != 0u) {
		uint r = m % n;
		m = n;
		n = r;
	}
	q[2u * i + 1u] = ivec4(a / 7, int(ua % 10u), int(m), abs(a) % 1000);
}
