#version 450
// draw: -z 1 -n 3,6,0,0
// Three quads at depths of their own, the nearest wins; fragments that are discarded leave no depth.
layout(location = 0) out vec2 at;
layout(location = 1) flat out int who;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float k = float(gl_InstanceIndex);
	gl_Position = vec4(corner * 1.3 - 0.9 + k * 0.2, 0.1 + abs(k - 1.0) * 0.03, 1.0);
	at = corner * 3.0;
	who = gl_InstanceIndex;
}
