#version 450
// Shared memory as vectors, structures and words at once: every width of access.
layout(local_size_x = 64) in;
struct cell { vec3 at; float weight; uvec2 key; };
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };
shared cell cells[64];
shared vec4 wide[64];
shared vec2 pair[64];

void main()
{
	uint l = gl_LocalInvocationIndex, i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + l;
	vec4 x = v[i];
	cells[l] = cell(x.xyz, x.w, uvec2(l * 3u, i));
	wide[63u - l] = x.wzyx;
	pair[l ^ 21u] = x.yw;
	barrier();
	cell c = cells[(l + 17u) & 63u];
	vec4 y = wide[(l * 5u) & 63u] + vec4(c.at, c.weight);
	r[i] = y + vec4(pair[l], float(c.key.x), float(c.key.y & 7u));
}
