#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(push_constant) uniform P { uint which; uint other; } p;
layout(location = 0) in vec2 at;
layout(location = 1) flat in uint which;
layout(set = 0, binding = 0) uniform texture2D table[8];
layout(set = 0, binding = 1, rgba32f) readonly uniform image2D grids[4];
layout(set = 0, binding = 2) uniform sampler how;
layout(set = 0, binding = 3) buffer Tints { vec4 tint; } tints[4];
layout(set = 1, binding = 0) uniform texture2D more[5];
layout(set = 1, binding = 1) buffer Numbers { uint number[16]; } numbers;
layout(location = 0) out vec4 target;

void main()
{
	uint cell = uint(at.x * 4.0) + uint(at.y * 2.0) * 4u;
	target = textureLod(sampler2D(table[p.which & 7u], how), at, 0.0) * 0.25;
	target += textureLod(sampler2D(table[nonuniformEXT(cell & 7u)], how), at.yx, 0.0);
	target += textureLod(sampler2D(more[nonuniformEXT((cell + which) % 5u)], how), at * 0.5, 0.0);
	uint n = numbers.number[cell & 15u];
	target += textureLod(sampler2D(more[nonuniformEXT((n & 3u) + 1u)], how), at, 0.0);
	target += imageLoad(grids[(p.other + 1u) & 3u], ivec2(at * 4.0)) * 0.125 + tints[p.other >> 2u & 3u].tint * 0.0625;
}
