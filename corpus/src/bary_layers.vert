#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// A strip of four triangles. Each goes through the viewport, and to the layer, of its first vertex; the others have others.
// draw: -t 4 -n 1,6 -L 2 -V 2
layout(location = 0) out vec3 value;
// The stand-in's: the weights of each third vertex.
layout(location = 1) out vec3 weights;

void main()
{
	int i = gl_VertexIndex;
	float w = 1.0 + float(i & 1);
	vec2 place = vec2(float(i) * 0.34 - 0.85, (i & 1) != 0 ? 0.8 : -0.7);
	gl_Position = vec4(place * w, 0.5 * w, w);
	gl_Layer = i >> 1 & 1;
	gl_ViewportIndex = 1 - (i & 1);
	weights = vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
	value = vec3(float(i) * 0.125, float(i * i) * 0.03, 1.0 - float(i) * 0.2);
}
