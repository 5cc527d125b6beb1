#version 450
// Textures and samplers of their own bindings, combined in two ways.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform texture2D a;
layout(set = 0, binding = 1) uniform texture2D b;
layout(set = 0, binding = 2) uniform sampler nearest;
layout(set = 0, binding = 3) uniform sampler linear;
layout(set = 0, binding = 4, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec2 t = (vec2(p) + 0.3) / 16.0;
	vec4 v = textureLod(sampler2D(a, nearest), t, 0.0) + textureLod(sampler2D(b, linear), t, 0.5);
	r[p.y * 16 + p.x] = v - textureLod(sampler2D(a, linear), t.yx, 1.0);
}
