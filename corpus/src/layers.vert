#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// draw: -L 2
// Each triangle goes to a layer of its own.
layout(location = 0) out vec2 at;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.6 - 0.8, 0.5, 1.0);
	gl_Layer = gl_VertexIndex / 3;
	at = corner;
}
