#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(depth_greater) out float gl_FragDepth;

void main()
{
	float r = dot(at, at);
	if (r < 0.25)
		discard;
	gl_FragDepth = 0.5 + r * 0.125;
	target = vec4(at, gl_FragDepth, 0.5);
}
