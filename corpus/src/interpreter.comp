#version 450
// A stack machine with 22 instructions; every lane runs a program of its own.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint code[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, a = i, b = 1u, c = 7u, pc = i, steps = 0u;
	for (; steps < 24u; steps++) {
		uint op = (code[pc & 255u] * 9u + pc * 5u) % 22u;
		pc++;
		switch (op) {
		case 0u: a += b; break;
		case 1u: a -= c; break;
		case 2u: a *= 3u; break;
		case 3u: b ^= a; break;
		case 4u: c = a >> 3; break;
		case 5u: a = a << 1 | a >> 31; break;
		case 6u: pc += a & 3u; break;
		case 7u: { uint t = a; a = b; b = t; break; }
		case 8u: c += b * 2u; break;
		case 9u: a = min(a, c * 100u); break;
		case 10u: b = max(b, 12u); break;
		case 11u: a = ~a; break;
		case 12u: b |= 0x80u; break;
		case 13u: a &= 0xffffffu; break;
		case 14u: c = bitCount(a); break;
		case 15u: a /= (c & 15u) + 1u; break;
		case 16u: b = a % 1000u; break;
		case 17u: if (a > b) pc++; break;
		case 18u: a = findMSB(a | 1u); break;
		case 19u: c = bitfieldExtract(a, 4, 9); break;
		case 20u: if (c == 0u) steps += 3u; break;
		default: a += 0x9E3779B9u; break;
		}
	}
	r[i] = uvec2(a + c * 7u, b ^ pc);
}
