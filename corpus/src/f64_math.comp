#version 450
// Doubles: sums, products, fused products, division, root, extrema.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { dvec2 a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { double r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	double x = a[i].x, y = a[i].y + 0.125LF, z = x * y - 3.0LF;
	z = fma(z, x, y) + max(x, y) * min(z, 2.0LF);
	z += sqrt(abs(z)) / (abs(y) + 1.0LF);
	r[i] = x > y ? z : -z;
}
