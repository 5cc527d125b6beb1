#version 450
// colours: rgba16
// Targets of 16-bit fractions: colours leave packed in pairs, some with components left out.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
}
