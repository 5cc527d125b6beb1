#version 450
// A quad whose w differs from corner to corner: with perspective, without, and the provoking vertex's value.
layout(location = 0) out vec4 smooth_one;
layout(location = 1) noperspective out vec4 straight;
layout(location = 2) flat out vec3 constant;
layout(location = 3) flat out ivec2 whole;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.0 + corner.x * 2.0 + corner.y;
	gl_Position = vec4((corner * 1.6 - 0.8) * w, 0.5 * w, w);
	smooth_one = vec4(corner, corner.x * corner.y, 1.0 - corner.x);
	straight = vec4(corner.yx, 0.25 + corner.x, corner.y * 3.0);
	constant = vec3(corner, float(gl_VertexIndex)) * 0.5;
	whole = ivec2(gl_VertexIndex * 7 - 20, gl_VertexIndex << 20);
}
