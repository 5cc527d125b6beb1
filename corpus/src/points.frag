#version 450
layout(location = 0) flat in vec3 tint;
layout(location = 0) out vec4 target;

void main()
{
	vec2 p = gl_PointCoord * 2.0 - 1.0;
	if (dot(p, p) > 1.0)
		discard;
	target = vec4(tint.xy + p * 0.5, tint.z, 1.0);
}
