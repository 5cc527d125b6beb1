#version 450
// draw: -m 4
// One parameter at its center and at its centroid, in perspective and without.
layout(location = 0) out vec4 smooth_one;
layout(location = 1) noperspective out vec3 straight;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.5 - corner.y;
	gl_Position = vec4((corner * 1.71 - 0.93) * w, 0.25 * w, w);
	smooth_one = vec4(corner, corner.x * 3.0 - 1.0, 2.0 - corner.y);
	straight = vec3(corner.yx, corner.x + corner.y) * 2.0;
}
