#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(push_constant) uniform P { vec4 tint; } p;

void main()
{
	float r = dot(at, at);
	if (r > 0.81)
		discard;
	target = p.tint * (1.0 - r) + vec4(at, r, 1.0);
}
