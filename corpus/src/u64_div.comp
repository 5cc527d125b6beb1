#version 450
// 64-bit division and remainder, which the guest has to compute by steps.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uvec2 a[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint64_t r[][2]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint64_t n = packUint2x32(uvec2(i * 2654435761u, a[i].x * 40503u + 1u)), d = uint64_t(a[i].y + 1u) * 123457UL + i;
	int64_t s = int64_t(n << 3) / -int64_t(d >> 4 | 1UL);
	r[i][0] = n / d + uint64_t(s);
	r[i][1] = n % d;
}
