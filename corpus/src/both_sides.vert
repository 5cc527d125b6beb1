#version 450
// Two triangles of opposite winding.
layout(location = 0) out vec2 at;

void main()
{
	int i = gl_VertexIndex < 3 ? gl_VertexIndex : 8 - gl_VertexIndex;
	vec2 corner = vec2(0x32u >> i & 1u, 0x2cu >> i & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
}
