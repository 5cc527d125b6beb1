#version 450
// Integral parts, remainders, signs and steps, also of negative values and halves.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	float x = v[i] * 3.0 + float(i) * 0.125 - 16.0, y = v[i ^ 9u] + 0.625;
	vec4 a = vec4(floor(x), ceil(x), trunc(x), roundEven(x));
	vec4 b = vec4(fract(x), mod(x, 2.0), sign(x), step(y, x));
	r[i] = a * 2.0 + b + vec4(mix(x, y, 0.25), clamp(x, -2.0, 3.0), smoothstep(-3.0, 4.0, x), abs(x - y));
}
