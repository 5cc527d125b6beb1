#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec3 value[];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	first = vec4(gl_BaryCoordEXT, value[0].x);
	second = vec4(value[0].yz, value[1].x, float(gl_ViewportIndex) + value[2].x);
}
