#version 450
// Transform feedback into four buffers: outputs side by side, alone with a word between, one that is captured in parts only of
// its location, the point's size, and integers.
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 colour;
out gl_PerVertex {
	layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 48) vec4 gl_Position;
	layout(xfb_buffer = 0, xfb_offset = 20) float gl_PointSize;
};
layout(location = 0, xfb_buffer = 0, xfb_offset = 32) out vec3 light;
layout(location = 1, component = 0, xfb_buffer = 1, xfb_offset = 4, xfb_stride = 12) out vec2 left;
layout(location = 1, component = 2) out vec2 right;
layout(location = 2, xfb_buffer = 3, xfb_offset = 0, xfb_stride = 4) flat out uint number;
layout(location = 3, xfb_buffer = 2, xfb_offset = 16, xfb_stride = 64) out vec4 rows[2];
layout(location = 5) out vec4 unseen;

void main()
{
	gl_Position = place + vec4(0.25, 0.5, 0.0, 1.0);
	gl_PointSize = 1.0 + colour.w * colour.w;
	light = colour.zyx * 2.0 - place.xyz;
	left = vec2(place.x * colour.y, place.y + colour.x);
	right = place.zw - colour.xy;
	number = uint(gl_InstanceIndex) * 100u + uint(abs(place.x) * 16.0);
	rows[0] = colour + place.wzyx;
	rows[1] = colour * place;
	unseen = rows[0] * rows[1];
}
