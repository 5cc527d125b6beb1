#version 450
// Centroid and center of the same values; the two are one where a pixel has one sample.
layout(location = 0) centroid out vec3 inner;
layout(location = 1) out vec3 middle;
layout(location = 2) centroid noperspective out vec2 flat_inner;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.5 - corner.y;
	gl_Position = vec4((corner * 1.7 - 0.9) * w, 0.25 * w, w);
	inner = vec3(corner, 1.0 + corner.x * 4.0);
	middle = inner.zyx;
	flat_inner = corner * 5.0;
}
