#version 450
// Tables of vectors and matrices: quadrature weights at numbers of each lane.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { vec4 v[]; };
const vec4 point[7] = vec4[](
	vec4(0.0, 0.0, 0.0, 0.25), vec4(1.0, 0.5, -0.5, 0.125), vec4(-1.0, 0.25, 0.75, 0.5), vec4(0.5, -0.75, 1.5, 0.0625),
	vec4(-0.5, 1.25, -1.0, 0.75), vec4(2.0, -2.0, 0.125, 1.0), vec4(0.375, 0.625, 0.875, 1.125));
const mat3 turn[3] = mat3[](
	mat3(0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0), mat3(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0),
	mat3(0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.5));

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 x = v[i];
	for (uint k = 0u; k < 4u; k++) {
		vec4 q = point[(i * 5u + k) % 7u];
		x = vec4(turn[(i + k) % 3u] * (x.xyz * 0.5 + q.xyz), x.w + q.w);
	}
	v[i] = x;
}
