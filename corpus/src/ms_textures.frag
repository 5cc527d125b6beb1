#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform sampler2DMS plane;
layout(set = 0, binding = 1) uniform sampler2DMSArray planes;
layout(location = 0) out vec4 target;

void main()
{
	ivec2 p = ivec2(at);
	target = texelFetch(plane, p, 0) + texelFetch(plane, p, 3) * 0.5 + texelFetch(planes, ivec3(p, 1), p.x & 3) * 0.25 + at.xyyx * 0.125;
}
