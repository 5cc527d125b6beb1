#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) pervertexEXT in vec4 value[];
layout(location = 1) pervertexEXT in ivec2 whole[];
layout(location = 2) in vec4 plain;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
layout(location = 2) out ivec4 third;

void main()
{
	first = vec4(value[0].xy - value[1].xy, value[2].zw);
	second = vec4(value[1].w, value[2].x, plain.yz);
	third = ivec4(whole[0].x, whole[1].x, whole[2].y, whole[0].y ^ whole[1].y);
}
