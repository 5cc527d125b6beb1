#version 450
// Three clip distances cut a quad.
layout(location = 0) out vec2 at;
out float gl_ClipDistance[3];

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	gl_ClipDistance[0] = corner.x + corner.y - 0.3;
	gl_ClipDistance[1] = 0.9 - corner.x;
	gl_ClipDistance[2] = 1.7 - corner.x - corner.y;
}
