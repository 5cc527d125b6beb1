#version 450
// Lengths of unsized arrays, asked from the buffer.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint head; vec4 a[]; };
layout(set = 0, binding = 1, std430) buffer B { uvec2 b[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint n = uint(a.length()), m = uint(b.length());
	b[m - 1u - i] = uvec2(n * 1000u + m + head, floatBitsToUint(a[n - 1u - i].y));
}
