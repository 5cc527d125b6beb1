#version 450
// Of four attachments the fragment program leaves two alone, so that its driver moves the exports of the others together.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner * 2.0 - 1.0;
}
