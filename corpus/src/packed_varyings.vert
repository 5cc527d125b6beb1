#version 450
// Several values share a location by components.
layout(location = 0, component = 0) out vec2 pair;
layout(location = 0, component = 2) out float third;
layout(location = 0, component = 3) out float fourth;
layout(location = 5, component = 1) out vec3 tail;
layout(location = 9) out float lone;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.5 - 0.75, 0.5, 1.0);
	pair = corner;
	third = corner.x * 2.0 - corner.y;
	fourth = float(gl_VertexIndex) * 0.25;
	tail = vec3(corner.yx, 0.5);
	lone = corner.x + 10.0;
}
