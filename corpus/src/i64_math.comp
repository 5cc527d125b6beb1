#version 450
// 64-bit integers: products, shifts by variable counts, comparisons, extrema.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec2 a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { int64_t r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	int64_t x = int64_t(packUint2x32(a[i] * 0x9E3779B9u + i)), y = int64_t(i) * -0x100000001L + int64_t(a[i].y);
	int64_t p = x * y + (x >> int(i & 63u)) - (y << int(i & 31u));
	uint64_t u = uint64_t(p) >> (a[i].x + 3u);
	p = x < y ? max(p, int64_t(u)) : min(p, y);
	r[i] = (p ^ int64_t(u)) + abs(y);
}
