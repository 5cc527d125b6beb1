#version 450
// Four clip and two cull distances; the second triangle is behind a cull distance with all its corners.
layout(location = 0) out vec2 at;
out float gl_ClipDistance[4];
out float gl_CullDistance[2];

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	gl_ClipDistance[0] = corner.x - 0.1;
	gl_ClipDistance[1] = corner.y - 0.2;
	gl_ClipDistance[2] = 1.5 - corner.x - corner.y;
	gl_ClipDistance[3] = 1.0;
	gl_CullDistance[0] = 1.0;
	gl_CullDistance[1] = gl_VertexIndex < 3 ? 0.5 : -0.5;
}
