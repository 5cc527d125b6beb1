#version 450
// What the rasterizer tells a fragment of itself: primitive, point coordinate beside other inputs, layer, position.
layout(location = 0) out vec2 at;
layout(location = 3) flat out uint mark;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	mark = uint(gl_VertexIndex) + 5u;
}
