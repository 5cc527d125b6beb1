#version 450
// Loops that test at their end, one with a jump to the test; Euclid and digit sums.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec2 ab[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 result[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint a = ab[i].x * 6u + 6u + i % 9u, b = ab[i].y * 15u + 15u, n = a * 7919u + b, digits = 0u, nines = 0u;
	do {
		uint t = a % b;
		a = b;
		b = t;
	} while (b != 0u);
	do {
		uint d = n % 10u;
		n /= 10u;
		if (d == 9u) {
			nines++;
			continue;
		}
		digits += d;
	} while (n != 0u);
	result[i] = uvec2(a, digits << 8 | nines);
}
