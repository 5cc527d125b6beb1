#version 450
// Odd-even transposition sort of 192 values: as many rounds as the data needs, decided together.
layout(local_size_x = 96) in;
layout(set = 0, binding = 0, std430) buffer Data { uint v[]; };
shared uint s[192];
shared uint moved;

void main()
{
	uint l = gl_LocalInvocationIndex, base = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 96u, rounds = 0u;
	s[l] = v[base + l] * 77u + (l * 37u & 63u);
	s[l + 96u] = v[base + l] ^ l;
	for (;;) {
		if (l == 0u)
			moved = 0u;
		barrier();
		for (uint odd = 0u; odd < 2u; odd++) {
			uint k = 2u * l + odd;
			if (k + 1u < 192u && s[k] > s[k + 1u]) {
				uint t = s[k];
				s[k] = s[k + 1u];
				s[k + 1u] = t;
				moved = 1u;
			}
			barrier();
		}
		rounds++;
		if (moved == 0u)
			break;
		barrier();
	}
	v[base + l] = s[l] << 16 | s[l + 96u] << 4 ^ rounds;
}
