#version 450
// Four texels at once, each component, with an offset.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D color;
layout(set = 0, binding = 3) uniform usampler2D words;
layout(set = 0, binding = 6) uniform sampler2DArray layers;
layout(set = 0, binding = 7, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec2 t = (vec2(p) + 0.25) / 16.0;
	vec4 v = textureGather(color, t) + textureGather(color, t, 2) * 2.0 + textureGather(layers, vec3(t, 2.0), 1);
	v += vec4(textureGather(words, t, 3)) + textureGatherOffset(color, t, ivec2(2, -1), 3);
	r[p.y * 16 + p.x] = v;
}
