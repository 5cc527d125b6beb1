#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2D field;
layout(push_constant) uniform P { vec4 ink; vec4 halo; } p;
layout(location = 0) out vec4 target;

// Fine: coarse derivatives are of any row, and drivers differ in which.
void main()
{
	float d = length(fract(at) - 0.5) - 0.3 + texture(field, at).x * 0.015625, w = max(fwidthFine(d), 0.0001);
	float body = clamp(0.5 - d / w, 0.0, 1.0), ring = clamp(0.5 - (d - 0.1) / w, 0.0, 1.0);
	target = mix(vec4(0.0), mix(p.halo, p.ink, body), ring);
}
