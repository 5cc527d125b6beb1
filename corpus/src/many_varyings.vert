#version 450
// Fourteen locations: an array, a matrix, a block with members of its own.
layout(location = 0) out vec4 rows[6];
layout(location = 6) out mat3 turn;
layout(location = 9) out Block {
	vec3 normal;
	vec2 uv;
	layout(location = 12) flat ivec3 ids;
	layout(location = 13) noperspective float depth;
} block;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	for (int i = 0; i < 6; i++)
		rows[i] = vec4(corner, float(i), corner.x * float(i)) * 0.125;
	turn = mat3(vec3(corner, 1.0), vec3(corner.y, 0.5, corner.x), vec3(0.25, corner.yx));
	block.normal = vec3(corner - 0.5, 1.0);
	block.uv = corner * 3.0;
	block.ids = ivec3(gl_VertexIndex, -gl_VertexIndex, 100);
	block.depth = corner.x * 0.75;
}
