#version 450
// A terrain with fog and a sky: exponentials, a cube map, several lights in a loop with an early end.
layout(set = 0, binding = 0) uniform View { mat4 clip; vec4 eye; vec4 fog; int lights; } view;
layout(location = 0) in vec3 bend;
layout(location = 0) out vec3 ray;
layout(location = 1) out vec2 uv;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.7 - 0.85, 0.25, 1.0);
	ray = vec3(corner * 2.0 - 1.0, 1.0) + bend * 0.0625;
	uv = corner * 2.0;
}
