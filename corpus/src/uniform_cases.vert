#version 450
// Cases by a number that all pixels have: in waves of 32, compilers keep "is it 3 or 5" in a word and combine such words as masks.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
}
