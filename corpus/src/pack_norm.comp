#version 450
// Normalised and half-precision packing, and back.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	vec4 x = v[i] * 0.3;
	vec4 a = unpackUnorm4x8(packUnorm4x8(x)) + unpackSnorm4x8(packSnorm4x8(x));
	vec2 b = unpackUnorm2x16(packUnorm2x16(x.xy)) + unpackSnorm2x16(packSnorm2x16(x.zw));
	r[i] = a + vec4(b, unpackHalf2x16(packHalf2x16(v[i].yz * 2.25)));
}
