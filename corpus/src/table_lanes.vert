#version 450
// Tables of textures and texel buffers by a number that differs from lane to lane.
layout(location = 0) out vec2 at;
layout(location = 1) flat out int which;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	which = gl_VertexIndex;
}
