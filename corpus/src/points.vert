#version 450
// draw: -t 0
// Six large points, each with coordinates of its own.
layout(location = 0) flat out vec3 tint;

void main()
{
	vec2 place = vec2(gl_VertexIndex % 3, gl_VertexIndex / 3) * vec2(0.6, 0.8) - vec2(0.6, 0.4);
	gl_Position = vec4(place, 0.5, 1.0);
	gl_PointSize = 9.0 + float(gl_VertexIndex) * 2.0;
	tint = vec3(place, 0.5);
}
