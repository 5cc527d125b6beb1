#version 450
// draw: -m 4
// Parameters at a sample's place: of numbers that are constants, and of one that differs from pixel to pixel.
layout(location = 0) noperspective out vec4 straight;
layout(location = 1) noperspective out vec2 other;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	float w = 1.0 + corner.y;
	gl_Position = vec4((corner * 1.625 - 0.8125) * w, 0.5 * w, w);
	straight = vec4(corner * 16.0, corner.x * 8.0 - 1.0, corner.y * 24.0);
	other = corner.yx * 32.0;
}
