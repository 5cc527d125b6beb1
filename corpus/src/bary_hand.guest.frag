#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec4 value[];
layout(location = 2) in vec4 plain;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	vec3 b = gl_BaryCoordEXT, s = gl_BaryCoordNoPerspEXT;
	first = value[0] * b.x + value[1] * b.y + value[2] * b.z;
	vec3 sharp = b * b / dot(b, b);
	second = value[0] * sharp.x + value[1] * sharp.y + value[2] * sharp.z;
	if (s.x > 0.5)
		second.xy = value[0].zw * s.y + value[1].zw * s.z;
	second.w += plain.x * b.x;
}
