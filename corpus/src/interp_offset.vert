#version 450
// Parameters beside the pixel's center: by constant offsets, and by one that differs from pixel to pixel.
layout(location = 0) noperspective out vec4 straight;
layout(location = 1) noperspective out vec2 other;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.0 + corner.x;
	gl_Position = vec4((corner * 1.6 - 0.8) * w, 0.5 * w, w);
	straight = vec4(corner, corner.x * 3.0 - 1.0, corner.y * 16.0);
	other = corner.yx * 8.0;
}
