#version 450
// A fan of four triangles: which vertex is which.
// draw: -t 5 -n 1,6
layout(location = 0) out vec3 value;
// The stand-in's: the weights of each third vertex.
layout(location = 1) out vec3 weights;

void main()
{
	int i = gl_VertexIndex;
	float w = 1.0 + float(i & 1), angle = float(i) * 0.3;
	gl_Position = vec4((i == 0 ? vec2(-0.81, -0.73) : vec2(cos(angle) * 1.6 - 0.83, sin(angle) * 1.6 - 0.71) * 0.9) * w, 0.5 * w, w);
	weights = vec3(i == 0, (i & 1) != 0, i != 0 && (i & 1) == 0);
	value = vec3(float(i) * 0.125, float(i * i) * 0.03, 1.0 - float(i) * 0.2);
}
