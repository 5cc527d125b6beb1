#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) buffer B { uint mode; uint scale; uint spare[6]; uint cell[]; } b;
layout(location = 0) out vec4 target;

void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	b.cell[(p.x + p.y * 5) & 15] = 7u;
	vec4 colour = vec4(at, 0.25, 1.0);
	if ((b.mode & 1u) == 0u)
		colour.z = float(b.scale & 7u) * at.x;
	for (uint k = 0u; k < (b.scale & 3u) + 1u; k++)
		colour.y += fract(colour.x * float(k + 2u));
	target = colour;
}
