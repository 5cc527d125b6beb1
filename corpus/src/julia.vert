#version 450
// A few steps of a quadratic map per pixel: a loop that lanes leave apart from each other.
layout(location = 0) out vec2 start;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	start = corner * 3.0 - 1.5;
	gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
