#version 450
// Both programs take from one set: each its own places, and one that is both's.
layout(set = 0, binding = 0) readonly buffer Moves { vec4 move[8]; } moves;
layout(set = 0, binding = 2) readonly buffer Shared { vec4 row[8]; } both;
layout(location = 0) out vec4 tint;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8 + moves.move[gl_VertexIndex].xy * 0.03125, 0.5, 1.0);
	tint = both.row[gl_VertexIndex] * 0.25 + moves.move[7 - gl_VertexIndex];
}
