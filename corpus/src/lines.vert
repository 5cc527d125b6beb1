#version 450
// draw: -t 1
// Three lines of slowly changing colour.
layout(location = 0) out vec4 tint;

void main()
{
	float k = float(gl_VertexIndex >> 1), end = float(gl_VertexIndex & 1);
	gl_Position = vec4(end * 1.5 - 0.75, k * 0.5 - 0.5 + end * 0.25, 0.5, 1.0);
	tint = vec4(end, k, 1.0 - end, 1.0);
}
