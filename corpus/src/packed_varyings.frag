#version 450
layout(location = 0, component = 0) in vec2 pair;
layout(location = 0, component = 2) in float third;
layout(location = 0, component = 3) in float fourth;
layout(location = 5, component = 1) in vec3 tail;
layout(location = 9) in float lone;
layout(location = 0) out vec4 target;

void main()
{
	target = vec4(pair * third, tail.x + tail.z * lone, tail.y + fourth);
}
