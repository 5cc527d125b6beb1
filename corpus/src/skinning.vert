#version 450
// Four bones a vertex, matrices in a uniform buffer, indices and weights as attributes.
layout(set = 0, binding = 0) uniform Bones { mat4 bone[16]; } bones;
layout(location = 0) in vec4 weights;
layout(location = 1) in uvec4 index;
layout(location = 0) out vec3 normal;

void main()
{
	vec2 corner = vec2(0x32u >> gl_VertexIndex & 1u, 0x2cu >> gl_VertexIndex & 1u);
	mat4 m = bones.bone[index.x] * weights.x + bones.bone[index.y] * weights.y;
	m += bones.bone[index.z] * weights.z + bones.bone[index.w] * weights.w;
	vec4 p = m * vec4(corner, 0.5, 1.0);
	gl_Position = vec4(corner * 1.6 - 0.8 + clamp(p.xy, -0.05, 0.05), 0.5, 1.0);
	normal = mat3(m) * vec3(corner, 1.0);
}
