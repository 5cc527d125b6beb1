#version 450
#extension GL_ARB_shader_draw_parameters : require
// draw: -n 3,6,2,1 -R 4
// Three quads: instance and vertex numbers that start above zero, an attribute that advances by instance.
layout(location = 0) in vec4 mixed;
layout(location = 2) in vec3 tint;
layout(location = 0) out vec4 colour;
layout(location = 1) flat out ivec3 numbers;

void main()
{
	int k = gl_VertexIndex - gl_BaseVertexARB, i = gl_InstanceIndex - gl_BaseInstanceARB;
	vec2 corner = vec2(0x32u >> k & 1u, 0x2cu >> k & 1u);
	gl_Position = vec4(corner * 0.5 + vec2(float(i) * 0.6 - 0.85, float(i) * 0.3 - 0.7), 0.5, 1.0);
	colour = vec4(tint, 1.0) + mixed * 0.125;
	numbers = ivec3(gl_VertexIndex, gl_InstanceIndex, gl_BaseInstanceARB);
}
