#version 450
// A quad whose w differs from corner to corner: barycentrics as numbers, and what is interpolated beside them.
layout(location = 0) out vec4 value;
layout(location = 1) flat out ivec2 whole;
layout(location = 2) out vec4 plain;
layout(location = 3) noperspective out vec2 straight;
// What the fragment program's stand-in has instead of barycentrics: weights and the values of all three vertices.
layout(location = 4) out vec2 weights;
layout(location = 5) noperspective out vec2 straight_weights;
layout(location = 6) flat out vec4 value_of[3];
layout(location = 9) flat out ivec2 whole_of[3];

vec2 corner_of(int i)
{
	return vec2(0x32u >> i & 1u, 0x2cu >> i & 1u);
}

vec4 value_at(int i)
{
	vec2 c = corner_of(i);
	return vec4(c.x * 0.5 + 0.25, c.y, c.x * c.y - 0.5, float(i) * 0.125);
}

ivec2 whole_at(int i)
{
	return ivec2(i * 7 - 20, i << 20);
}

void main()
{
	vec2 corner = corner_of(gl_VertexIndex);
	float w = 1.0 + corner.x * 2.0 + corner.y;
	gl_Position = vec4((corner * 1.6 - 0.8) * w, 0.5 * w, w);
	value = value_at(gl_VertexIndex);
	whole = whole_at(gl_VertexIndex);
	plain = vec4(corner, corner.x * corner.y, 1.0 - corner.x);
	straight = corner.yx * 2.0;
	int first = gl_VertexIndex / 3 * 3, k = gl_VertexIndex - first;
	weights = straight_weights = vec2(k == 1, k == 2);
	for (int i = 0; i < 3; i++) {
		value_of[i] = value_at(first + i);
		whole_of[i] = whole_at(first + i);
	}
}
