#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out ivec4 whole;
layout(location = 1) out uvec3 bits;
layout(location = 2) out vec4 real;

void main()
{
	ivec2 cell = ivec2(floor(at));
	whole = ivec4(cell, cell.x * cell.y, -32768 + abs(cell.x));
	bits = uvec3(uvec2(cell + 100) * 200u, 65535u - uint(cell.x & 255));
	real = vec4(fract(at * 0.125), 0.0, 1.0);
}
