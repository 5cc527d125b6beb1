#version 450
// Two attributes, an instance offset, and a pattern of sines over the fragment position.
layout(location = 0) in vec2 phase;
layout(location = 3) in vec4 base;
layout(location = 2) noperspective out vec4 mixed;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 2.0 - 1.0 + float(gl_InstanceIndex) * 0.125, 0.5, 1.0 + 0.5 * corner.y);
	mixed = vec4(corner, phase) + base * 0.125;
}
