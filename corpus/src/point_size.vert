#version 450
// Writes the point size beside the position.
layout(location = 0) out vec3 tint;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.5 - 0.75, 0.25, 1.0);
	gl_PointSize = 1.0 + corner.x;
	tint = vec3(corner, 0.5);
}
