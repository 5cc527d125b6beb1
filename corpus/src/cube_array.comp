#version 450
// Cubes and arrays of cubes, sampled at a level, by derivatives and gathered.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform samplerCube one;
layout(set = 0, binding = 1) uniform samplerCubeArray many;
layout(set = 0, binding = 2, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec3 d = vec3(vec2(p) / 7.5 - 1.03, 0.71 - float(p.x ^ p.y) / 8.3);
	vec4 v = textureLod(many, vec4(d, float(p.y & 1)), 0.0);
	v += 2.0 * textureGrad(one, d.yzx, vec3(0.001, 0.0, 0.002), vec3(0.0, -0.001, 0.001));
	v += 3.0 * textureGrad(many, vec4(d.zxy, 1.0), vec3(0.002, 0.001, 0.0), vec3(0.001, 0.0, 0.001));
	v += textureGather(many, vec4(d.xzy, 0.0), 1);
	r[p.y * 16 + p.x] = v;
}
