#version 450
// A quad that samples a texture with interpolated coordinates.
layout(location = 0) in vec2 scale;
layout(location = 1) out vec2 uv;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	uv = corner * 0.75 + scale * 0.03125;
}
