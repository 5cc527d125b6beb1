#version 450
layout(location = 0) in vec4 rows[6];
layout(location = 6) in mat3 turn;
layout(location = 9) in Block {
	vec3 normal;
	vec2 uv;
	layout(location = 12) flat ivec3 ids;
	layout(location = 13) noperspective float depth;
} block;
layout(location = 0) out vec4 target;

void main()
{
	vec4 sum = vec4(0.0);
	for (int i = 0; i < 6; i++)
		sum += rows[i] * float(i + 1);
	vec3 n = turn * normalize(block.normal);
	target = sum + vec4(n, block.depth) + vec4(block.uv, vec2(block.ids.xy)) * 0.5;
}
