#version 450
// A table of textures and one of buffers by a number that all lanes share.
layout(push_constant) uniform P { uint which; uint other; } p;
layout(set = 1, binding = 0) uniform U { vec4 move[4]; } u[4];
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.4 - 0.7 + clamp(u[p.other & 3u].move[1].xy, -0.1, 0.1), 0.5, 1.0);
	at = corner;
}
