#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in vec2 at;
layout(location = 1) flat in int which;
layout(set = 0, binding = 0) uniform sampler2D table[8];
layout(set = 0, binding = 1) uniform samplerBuffer lines[4];
layout(location = 0) out vec4 target;

void main()
{
	int cell = int(at.x * 4.0) + int(at.y * 2.0) * 4;
	target = textureLod(table[nonuniformEXT(cell & 7)], at, 0.0);
	target += texelFetch(lines[nonuniformEXT(cell + which & 3)], int(at.x * 3.0));
}
