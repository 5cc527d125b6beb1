#version 450
// An array of buffers, and one of textures, indexed by a number of each lane.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { uint v[64]; } source[4];
layout(set = 0, binding = 1) uniform sampler2D pictures[4];
layout(set = 0, binding = 2, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x, k = (i * 7u >> 2) & 3u;
	uint word = source[nonuniformEXT(k)].v[i & 63u];
	vec4 texel = texelFetch(pictures[nonuniformEXT(k ^ 1u)], ivec2(i & 15u, i >> 4 & 15u), 0);
	r[i] = texel + vec4(float(word), float(k), 0.0, 1.0);
}
