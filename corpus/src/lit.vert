#version 450
// A lit surface: matrices from a uniform buffer, a normal that is interpolated.
layout(set = 0, binding = 0, std140) uniform Scene { mat4 turn; vec4 light; };
layout(location = 0) in vec3 offset;
layout(location = 0) out vec3 normal;
layout(location = 1) out vec3 place;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	place = vec3(corner * 2.0 - 1.0, 0.0) + offset * 0.0625;
	gl_Position = vec4(place.xy, 0.5, 1.0);
	normal = mat3(turn) * vec3(corner - 0.5, 1.0);
}
