#version 450
// Barycentrics of each sample.
// draw: -m 4
layout(location = 0) out vec4 value;
layout(location = 1) out vec2 weights;
layout(location = 2) noperspective out vec2 straight_weights;
layout(location = 3) flat out vec4 value_of[3];

vec4 value_at(int i)
{
	return vec4(i & 1, float(i) * 0.125, 1.0 - float(i) * 0.25, i * i);
}

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.0 + corner.x + corner.y;
	gl_Position = vec4((corner * 1.625 - 0.8125) * w, 0.5 * w, w);
	value = value_at(gl_VertexIndex);
	int first = gl_VertexIndex / 3 * 3, k = gl_VertexIndex - first;
	weights = straight_weights = vec2(k == 1, k == 2);
	for (int i = 0; i < 3; i++)
		value_of[i] = value_at(first + i);
}
