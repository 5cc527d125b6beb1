#version 450
// Private structures of vectors, chosen by number.
layout(local_size_x = 64) in;
struct body { vec4 at; vec2 speed; uint tag; };
layout(set = 0, binding = 0, std430) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { vec4 r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	body b[12];
	for (uint k = 0u; k < 12u; k++)
		b[k] = body(v[(i + k) & 255u], vec2(float(k), -1.0), k * 5u + i);
	for (uint n = 0u; n < 9u; n++) {
		uint k = (i + n * n) % 12u, m = b[k].tag % 12u;
		b[k].at.xy += b[m].speed * 0.5;
		b[m].speed.y += b[k].at.z;
		b[m].tag++;
	}
	r[i] = b[i % 12u].at + vec4(b[3].speed, float(b[7].tag), 0.0);
}
