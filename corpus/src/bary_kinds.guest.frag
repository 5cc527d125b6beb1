#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 2) in vec4 plain;
layout(location = 3) noperspective in vec2 straight;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	first = vec4(gl_BaryCoordEXT, plain.x * 2.0);
	second = vec4(gl_BaryCoordNoPerspEXT * 4.0, plain.z + straight.y);
}
