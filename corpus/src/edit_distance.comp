#version 450
// The distance of two words by a wave over the diagonals of its table in shared memory.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint a[128], b[128]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint r[]; };
shared uint row[3][33];

void main()
{
	uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.y * 2u + gl_WorkGroupID.x;
	uint mine = a[g * 32u + l] >> 1, last = 0u;
	if (l == 0u)
		row[0][0] = 0u;
	for (uint k = 1u; k <= 64u; k++) {
		uint now = k % 3u, one = (k + 2u) % 3u, two = (k + 1u) % 3u;
		barrier();
		if (l == 0u && k <= 32u)
			row[now][0] = k;
		uint j = k - l - 1u;
		if (l < k && j >= 1u && j <= 32u) {
			uint same = row[two][l] + (mine == b[g * 32u + j - 1u] >> 1 ? 0u : 1u);
			last = min(same, min(row[one][l], row[one][l + 1u]) + 1u);
			row[now][l + 1u] = last;
		} else if (j == 0u) {
			row[now][l + 1u] = k;
		}
	}
	r[g * 32u + l] = last;
}
