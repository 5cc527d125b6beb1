#version 450
// Conditions that become selects: ternaries on comparisons of every kind.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { vec4 v[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 x = v[i];
	bvec4 less = lessThan(x, x.yzwx), same = equal(x, x.wxyz);
	vec4 y = mix(x.wzyx, x * 2.0, less);
	y.x = any(same) && !all(less) ? y.x + 1.0 : y.y;
	y.y = x.z >= 0.0 == (x.w != 1.0) ? y.z : -y.w;
	y.z = x.x > x.y ? x.y > x.z ? 1.0 : 2.0 : x.z < x.w ? 3.0 : 4.0;
	v[i] = y;
}
