#version 450
// Vertices and pixels count themselves in a buffer: compilers let one lane do it for its wave.
layout(location = 0) out vec2 at;
layout(set = 0, binding = 1) buffer Vertices { uint vertices; uint seen; } v;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	at = corner;
	atomicAdd(v.vertices, 5u);
	atomicOr(v.seen, 0x300u);
}
