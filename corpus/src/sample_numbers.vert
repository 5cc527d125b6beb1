#version 450
// draw: -m 4
// The program runs for each sample: its number, its place, what it covers.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.63 - 0.81, 0.5, 1.0);
	at = corner;
}
