#version 450
// A quad out of the vertex number, with a colour from a vertex buffer and a w that varies, so that perspective shows.
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
	uint x = 0x32u >> gl_VertexIndex & 1u, y = 0x2cu >> gl_VertexIndex & 1u;
	float w = 1.0 + 0.5 * float(y) + 0.25 * float(x);
	gl_Position = vec4(vec2(x, y) * 1.8 - 0.9, 0.25, 1.0) * vec4(w, w, w, w);
	color = tint * 0.5 + vec4(x, y, 0.0, 1.0);
}
