#version 450
layout(location = 0) in vec2 at;
layout(location = 3) flat in uint mark;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 numbers;

void main()
{
	target = vec4(at, gl_FragCoord.xy * 0.015625);
	numbers = ivec4(gl_PrimitiveID, gl_Layer, int(mark), int(gl_FragCoord.x));
}
