#version 450
layout(location = 0) flat in uvec2 id;
layout(location = 1) in float slope;
layout(location = 0) out uvec4 numbers;
layout(location = 1) out vec4 color;

void main()
{
	numbers = uvec4(id.x * 3u, id.y << 4 | 5u, id.x ^ id.y, uint(gl_FragCoord.x));
	color = vec4(slope, slope * slope, sqrt(slope + 1.0), 1.0);
}
