#version 450
// A strip of four triangles that two planes cut. Two more distances take the second triangle away, and leave each of the others for
// the sake of one corner.
// draw: -t 4 -n 1,6
layout(location = 0) out vec3 value;
// The stand-in's: the weights of each third vertex.
layout(location = 1) out vec3 weights;
out float gl_ClipDistance[2];
out float gl_CullDistance[2];

void main()
{
	int i = gl_VertexIndex;
	float w = 1.0 + float(i & 1);
	vec2 place = vec2(float(i) * 0.34 - 0.85, (i & 1) != 0 ? 0.8 : -0.7);
	gl_Position = vec4(place * w, 0.5 * w, w);
	gl_ClipDistance[0] = place.y * 0.5 + place.x + 0.6;
	gl_ClipDistance[1] = 0.45 - place.y * place.x;
	gl_CullDistance[0] = i == 2 || i == 5 ? 0.5 : -1.0;
	gl_CullDistance[1] = i >= 1 && i <= 3 ? -0.5 : 1.0;
	weights = vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
	value = vec3(float(i) * 0.125, float(i * i) * 0.03, 1.0 - float(i) * 0.2);
}
