#version 450
layout(location = 0) in vec2 at;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(input_attachment_index = 1, set = 0, binding = 1) uniform usubpassInput marks;
layout(location = 0) out vec4 target;

void main()
{
	target = subpassLoad(before) * 0.5 + vec4(at, vec2(subpassLoad(marks).xy & 3u));
}
