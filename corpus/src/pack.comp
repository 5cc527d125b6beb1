#version 450
// Packed forms: halves, normalized bytes and shorts, there and back.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 x[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec4 packed[256]; vec4 back[256]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	vec4 v = x[i] * 0.24;
	uint h = packHalf2x16(x[i].xy * 0.25), b = packUnorm4x8(abs(v)), s = packSnorm2x16(v.zw), n = packSnorm4x8(v);
	packed[i] = uvec4(h, b, s, n);
	back[i] = vec4(unpackHalf2x16(h ^ 0x8000u), unpackUnorm4x8(b).w, unpackSnorm2x16(s).x);
}
