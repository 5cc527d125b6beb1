#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 target;

void main()
{
	vec2 cell = fract(at * 5.0);
	if (cell.x + cell.y > 1.4)
		discard;
	vec2 bent = at + 0.0625 * sin(at.yx * 6.0);
	target = texture(picture, bent) + vec4(dFdx(bent), dFdy(bent));
}
