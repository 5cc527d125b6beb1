#version 450
// draw: -m 4
// Four samples a pixel: values at the sample, the centroid and the middle.
layout(location = 0) sample out vec2 at;
layout(location = 1) centroid out vec2 inner;
layout(location = 2) out vec2 middle;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.0 + corner.x;
	gl_Position = vec4((corner * 1.63 - 0.81) * w, 0.5 * w, w);
	at = corner;
	inner = corner.yx;
	middle = corner * 2.0;
}
