#version 450
// Uniform arrays in standard layout, indexed by lanes, by loops and by constants; vectors and a row-major matrix.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std140) uniform Tables {
	uint words[16];
	vec3 points[8];
	layout(row_major) mat3x4 turn;
	ivec2 pairs[5];
};
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, sum = 0u;
	for (uint k = 0u; k < 16u; k += 3u)
		sum += words[k] << k;
	vec4 p = turn * points[i & 7u];
	r[i] = p + vec4(words[i & 15u], sum & 1023u, pairs[i % 5u]);
}
