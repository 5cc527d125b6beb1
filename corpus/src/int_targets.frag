#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out ivec4 whole;
layout(location = 1) out uvec2 bits;
layout(location = 2) out vec3 real;

void main()
{
	ivec2 cell = ivec2(floor(at));
	whole = ivec4(cell, cell.x * cell.y, cell.x - 100);
	bits = uvec2(cell + 50) ^ 21u;
	real = vec3(fract(at), 1.0);
}
