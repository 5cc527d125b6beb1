#version 450
layout(set = 0, binding = 1) readonly buffer Colours { vec4 colour[4]; } colours;
layout(set = 0, binding = 2) readonly buffer Shared { vec4 row[8]; } both;
layout(set = 0, binding = 3) uniform texture2D picture;
layout(set = 0, binding = 4) uniform sampler filtering;
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 target;

void main()
{
	uint cell = uint(gl_FragCoord.x) / 16u & 3u;
	vec4 texel = texture(sampler2D(picture, filtering), gl_FragCoord.xy / 64.0);
	target = (tint + colours.colour[cell] * both.row[cell + 2u] + texel) * 1.5;
}
