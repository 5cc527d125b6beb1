#version 450
// A disc cut out of a quad by discard.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	at = corner * 2.0 - 1.0;
	gl_Position = vec4(at, 0.0, 1.0);
}
