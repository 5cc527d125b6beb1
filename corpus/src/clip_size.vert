#version 450
// Point size beside clip distances.
layout(location = 0) out vec2 at;
out gl_PerVertex {
	vec4 gl_Position;
	float gl_PointSize;
	float gl_ClipDistance[2];
};

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	gl_PointSize = 1.0 + corner.x;
	at = corner;
	gl_ClipDistance[0] = corner.x * 2.0 - 0.5;
	gl_ClipDistance[1] = 0.8 - corner.y;
}
