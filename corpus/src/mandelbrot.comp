#version 450
// Escape time of the Mandelbrot set: lanes leave the loop at different iterations.
// Exact arithmetic (precise), so that the number of steps is one number.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, std430) writeonly buffer Out { uint steps[256]; };
layout(push_constant) uniform View { vec2 shift; } view;

void main()
{
	uvec2 p = gl_GlobalInvocationID.xy;
	vec2 c = vec2(p) * (3.0 / 16.0) - vec2(2.0, 1.5) + view.shift * 0.015625;
	precise vec2 z = vec2(0.0);
	uint n = 0u;
	for (; n < 48u; n++) {
		z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
		if (dot(z, z) > 4.0)
			break;
	}
	steps[p.y * 16u + p.x] = n;
}
