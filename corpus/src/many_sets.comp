#version 450
// Resources spread over five sets, more than fit into user registers beside the push constants.
layout(local_size_x = 64) in;
layout(set = 0, binding = 2, std430) readonly buffer A { uint a[]; };
layout(set = 1, binding = 0, std140) uniform B { uvec4 b[4]; };
layout(set = 2, binding = 5, std430) readonly buffer C { uvec2 c[]; };
layout(set = 3, binding = 1, std430) writeonly buffer D { uint d[]; };
layout(set = 4, binding = 0) uniform usamplerBuffer e;
layout(push_constant) uniform Push { uint scale, shift, add[20]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint x = a[i] * (scale + 3u) + (c[i].x << (shift & 7u)) + b[2].y;
	d[i] = x ^ texelFetch(e, int(i)).z + c[i].y + add[3] * 100u + add[19];
}
