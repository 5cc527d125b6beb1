#version 450
// Products of vectors: dot, cross, lengths, normalization, reflection, mix.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 v[257]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[512]; };

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	vec4 a = v[i], b = v[i + 1u];
	vec3 n = normalize(b.xyz + vec3(0.125));
	r[2u * i] = vec4(dot(a, b), length(a.xyz), distance(a.xy, b.xy), step(a.w, b.w));
	r[2u * i + 1u] = vec4(reflect(a.xyz, n) + cross(a.xyz, n) * 0.5, mix(a.w, b.w, smoothstep(-4.0, 4.0, a.x)));
}
