#version 450
// Depth comparison in a compute shader: one reference, four comparisons.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2DShadow depth;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow layers;
layout(set = 0, binding = 4, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec2 t = (vec2(p) + 0.4) / 16.0;
	float ref = float(p.x * 16 + p.y) / 256.0;
	vec4 v = textureGather(depth, t, ref);
	v.x += 2.0 * textureLod(depth, vec3(t, ref), 0.0);
	v.y += 4.0 * textureGrad(layers, vec4(t, 1.0, ref), vec2(0.01), vec2(0.01));
	r[p.y * 16 + p.x] = v;
}
