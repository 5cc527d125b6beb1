#version 450
// Exponents and fractions taken apart and put together.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec2 r[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Parts { ivec2 parts[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	float x = v[i] * 37.5 + float(i) * 0.001, whole;
	int e;
	float m = frexp(x, e), rest = modf(x, whole);
	r[i] = vec2(ldexp(m, e + 3) + rest, ldexp(whole, -(int(i) & 15)));
	parts[i] = ivec2(e, floatBitsToInt(x) >> 23);
}
