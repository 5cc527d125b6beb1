#version 450
// Transform feedback of what no location holds: distances to planes, the layer, a value out of a branch and a loop.
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 colour;
layout(binding = 0) uniform Block { vec4 plane[2]; uint turns; };
layout(xfb_buffer = 1) out gl_PerVertex {
	vec4 gl_Position;
	layout(xfb_offset = 8, xfb_stride = 40) float gl_ClipDistance[2];
};
layout(location = 4, xfb_buffer = 1, xfb_offset = 24) out vec4 sum;
layout(location = 1) out vec4 tint;
layout(location = 0, xfb_buffer = 2, xfb_offset = 0, xfb_stride = 8) out float depth;

void main()
{
	gl_Position = place;
	gl_ClipDistance[0] = dot(place, plane[0]);
	gl_ClipDistance[1] = place.x + plane[1].y;
	sum = colour;
	tint = colour * 0.5 + 0.25;
	for (uint k = 0u; k < turns % 5u + 1u; k++)
		sum = sum * 0.5 + place;
	depth = place.x > 0.0 ? place.z : colour.z - 1.0;
}
