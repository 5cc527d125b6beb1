#version 450
// Descriptors in tables that a set's pointers lead to, as nested_tables.guest.ll takes them. Sixteen words in the set: what stands at
// byte Q behind the pointer at byte P is binding 4 + Q / 16 * 16 + P / 4.
layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer A { uint a[]; };
layout(binding = 2, std430) writeonly buffer Out { uint result[]; };
layout(binding = 8, std430) readonly buffer B { uint b[]; };
layout(binding = 10) uniform texture2D image;
layout(binding = 40, std430) readonly buffer C { uint v[128]; } c[4];
layout(binding = 42) uniform sampler how;
layout(binding = 104, std430) readonly buffer D { uint d[]; };

void main()
{
	uint i = gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x + gl_WorkGroupID.y * 128u;
	vec4 texel = textureLod(sampler2D(image, how), vec2(gl_LocalInvocationID.x * 0.015625, gl_WorkGroupID.y * 0.5), 0.0);
	uint x = a[i] * (b[i] + 3u) ^ c[gl_WorkGroupID.x + gl_WorkGroupID.y & 3u].v[i];
	result[i] = (x + d[i] ^ floatBitsToUint(texel.x)) + floatBitsToUint(texel.z);
}
