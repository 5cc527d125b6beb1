#version 450
// colours: rgba16
// Targets of signed and unsigned 16-bit numbers, beside one of fractions.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner * 200.0 - 90.0;
}
