#version 450
// Reads only what capture_planes.vert does not capture: what it captures leaves the vertex program in no other way.
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 colour;

void main()
{
	colour = tint * 0.5 + 0.125;
}
