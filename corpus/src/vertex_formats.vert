#version 450
// Attributes of every base type and number of components.
layout(location = 0) in float a0;
layout(location = 1) in vec2 a1;
layout(location = 2) in vec3 a2;
layout(location = 3) in vec4 a3;
layout(location = 4) in int a4;
layout(location = 5) in uvec2 a5;
layout(location = 6) in ivec3 a6;
layout(location = 7) in uvec4 a7;
layout(location = 0) out vec4 sum;
layout(location = 1) flat out uvec4 bits;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	sum = vec4(a1, a0, 1.0) + vec4(a2, 0.25) * a3;
	bits = uvec4(a5, uint(a4), uint(a6.x - a6.y * a6.z)) + a7 * 16u;
}
