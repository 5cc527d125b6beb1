#version 450
// The vertex shader reads a texture, a storage buffer and a texel buffer.
layout(set = 0, binding = 0) uniform sampler2D heights;
layout(set = 0, binding = 1) readonly buffer Moves { vec4 move[8]; } moves;
layout(set = 0, binding = 2) uniform samplerBuffer more;
layout(location = 0) out vec4 tint;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float h = textureLod(heights, corner * 0.5 + 0.25, 1.0).x;
	vec4 m = moves.move[gl_VertexIndex & 7];
	gl_Position = vec4(corner * 1.5 - 0.75 + clamp(h, -0.1, 0.1), 0.5, 1.0);
	tint = vec4(h, m.xy, texelFetch(more, gl_VertexIndex + 2).x);
}
