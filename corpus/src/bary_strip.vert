#version 450
// A strip of four triangles: which vertex is which.
// draw: -t 4 -n 1,6
layout(location = 0) out vec3 value;
// The stand-in's: the weights of each third vertex.
layout(location = 1) out vec3 weights;

void main()
{
	int i = gl_VertexIndex;
	float w = 1.0 + float(i & 1);
	gl_Position = vec4(vec2(float(i) * 0.34 - 0.85, (i & 1) != 0 ? 0.8 : -0.7) * w, 0.5 * w, w);
	weights = vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
	value = vec3(float(i) * 0.125, float(i * i) * 0.03, 1.0 - float(i) * 0.2);
}
