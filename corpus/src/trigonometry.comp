#version 450
// Sines, exponentials and their inverses, within the host's precision.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	float x = v[i] * 0.75 + float(i & 7u) * 0.0625, p = abs(x) + 0.5;
	r[i] = vec4(sin(x) + cos(x * 2.0), exp2(x) * log2(p), pow(p, 1.5) + inversesqrt(p), atan(x, p) + exp(-p) * log(p));
}
