#version 450
layout(location = 0) in vec2 at;
layout(push_constant) uniform P { uint which; uint other; } p;
layout(set = 0, binding = 0) readonly buffer B { vec4 v[4]; } buffers[6];
layout(set = 0, binding = 1, rgba32f) uniform readonly image2D grids[5];
layout(set = 0, binding = 2) readonly buffer Numbers { uint number[16]; } numbers;
layout(set = 0, binding = 3) uniform samplerBuffer lines[3];
layout(location = 0) out vec4 target;

void main()
{
	uint a = p.which % 6u, b = numbers.number[p.other & 15u] % 5u;
	target = buffers[a].v[1] + imageLoad(grids[b], ivec2(at * 3.0)) + texelFetch(lines[(p.which >> 3) % 3u], int(at.x * 8.0));
}
