#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 plain;
layout(location = 1) out vec4 fine;
layout(location = 2) out vec4 coarse;

void main()
{
	vec2 curve = vec2(at.x * at.x + at.y, at.x * at.y);
	plain = vec4(dFdx(at), dFdy(at)) * 8.0;
	fine = vec4(dFdxFine(curve), dFdyFine(curve));
	coarse = vec4(dFdxCoarse(at), fwidthFine(curve.x), fwidth(at.y));
}
