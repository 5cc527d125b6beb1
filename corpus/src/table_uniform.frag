#version 450
layout(push_constant) uniform P { uint which; uint other; } p;
layout(location = 0) in vec2 at;
layout(set = 0, binding = 2) uniform sampler2D table[8];
layout(set = 0, binding = 3) buffer B { vec4 tint; } b[4];
layout(location = 0) out vec4 target;

void main()
{
	target = texture(table[p.which & 7u], at) + b[(p.which + 1u) & 3u].tint;
}
