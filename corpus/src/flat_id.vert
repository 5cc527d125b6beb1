#version 450
// A flat integer varying beside a smooth one, into an integer and a float target.
layout(location = 0) in uvec4 tag;
layout(location = 0) flat out uvec2 id;
layout(location = 1) out float slope;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.5 - 0.75, 0.5, 1.0);
	id = uvec2(tag.x * 16u + uint(gl_VertexIndex), tag.y);
	slope = corner.x + 2.0 * corner.y;
}
