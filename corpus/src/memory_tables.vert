#version 450
// Tables of textures, images and buffers by numbers that all lanes share, that differ from lane to lane, and that were loaded; beside
// the arrays lie descriptors of other kinds. The places of the descriptors have the order of the bindings.
layout(location = 0) out vec2 at;
layout(location = 1) flat out uint which;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	which = gl_VertexIndex;
}
