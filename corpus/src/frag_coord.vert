#version 450
// Where the pixel is, in every component, and which side it shows.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 3.2 - 1.6, 1.0, 2.0);
	at = corner;
}
