#version 450
// draw: -n 4,6,0,0
// Four instances, each placed by a uniform buffer's row, without a base.
layout(set = 0, binding = 0) uniform Rows { vec4 row[8]; } rows;
layout(location = 0) out vec2 at;
layout(location = 1) flat out int who;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	vec2 cell = vec2(gl_InstanceIndex & 1, gl_InstanceIndex >> 1);
	gl_Position = vec4(corner * 0.7 + cell * 0.9 - 0.85 + rows.row[gl_InstanceIndex + 1].xy * 0.03125, 0.5, 1.0);
	at = corner;
	who = gl_InstanceIndex;
}
