#version 450
// draw: -t 4
// A strip: the flat value is the first vertex's of each triangle, whatever its winding.
layout(location = 0) flat out int first;
layout(location = 1) out float along;

void main()
{
	vec2 p = vec2(gl_VertexIndex >> 1, gl_VertexIndex & 1);
	gl_Position = vec4(p * vec2(0.7, 1.2) - vec2(0.7, 0.6), 0.5, 1.0);
	first = gl_VertexIndex * gl_VertexIndex;
	along = p.x;
}
