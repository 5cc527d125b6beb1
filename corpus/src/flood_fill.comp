#version 450
// A region grows in a shared bitmap until nothing changes.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint walls[128]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uvec2 r[]; };
shared uint full[34], free[32], changed;

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x, rounds = 0u;
	free[l] = ~((walls[g * 32u + l] * 0x08421084u) & (walls[(g * 32u + l * 7u) & 127u] * 0x11111111u)) | 1u << l;
	full[l + 1u] = l == 5u ? 1u << 5 : 0u;
	if (l < 2u)
		full[l * 33u] = 0u;
	do {
		barrier();
		changed = 0u;
		barrier();
		uint me = full[l + 1u], grown = (me | me << 1 | me >> 1 | full[l] | full[l + 2u]) & free[l];
		barrier();
		full[l + 1u] = grown;
		if (grown != me)
			changed = 1u;
		barrier();
		rounds++;
	} while (changed != 0u);
	r[g * 32u + l] = uvec2(full[l + 1u], rounds);
}
