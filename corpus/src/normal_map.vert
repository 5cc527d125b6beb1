#version 450
// Light on a bumpy surface: tangent frame from the vertex, normals from a texture.
layout(set = 0, binding = 0) uniform Scene { mat4 world; vec4 eye; vec4 light[4]; vec4 colour[4]; } scene;
layout(location = 0) out vec3 place;
layout(location = 1) out vec2 uv;
layout(location = 2) out mat3 frame;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	gl_Position = vec4(corner * 1.7 - 0.85, 0.5, 1.0);
	place = vec3(corner * 2.0 - 1.0, 0.0);
	uv = corner;
	frame = mat3(vec3(1.0, 0.0, corner.x), vec3(0.0, 1.0, corner.y), vec3(-corner, 1.0));
}
