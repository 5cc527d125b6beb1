#version 450
// Doubles to and from integers and floats, and their integral parts.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { double a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { ivec4 r[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Back { dvec2 d[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	double x = a[i] * 1000.25LF + double(i) * 0.5LF;
	int n = int(x);
	uint u = uint(abs(x));
	float f = float(x * 0.1LF);
	r[i] = ivec4(n, int(u), floatBitsToInt(f), int(floor(x)) ^ int(ceil(x)) ^ int(trunc(x)));
	d[i] = dvec2(double(f) + double(n), double(u) * fract(x) + round(x + 0.1LF));
}
