#version 450
// Filtered reads with explicit levels and gradients, in two, three and six-faced dimensions.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D nearest;
layout(set = 0, binding = 1) uniform sampler2D linear;
layout(set = 0, binding = 3) uniform sampler3D volume;
layout(set = 0, binding = 5) uniform samplerCube cube;
layout(set = 0, binding = 7) uniform sampler2DArray layers;
layout(set = 0, binding = 8, std430) writeonly buffer Out { vec4 r[256]; };

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec2 t = (vec2(p) + 0.375) / 16.0;
	vec4 v = textureLod(nearest, t, 0.0) + textureLod(linear, t * 1.25, 0.5);
	v += textureLod(volume, vec3(t, t.x * t.y + 0.1), 1.0) + textureLod(cube, vec3(t - 0.45, 0.75), 0.0);
	v += textureLod(layers, vec3(t, float(p.x & 3)), 0.25) + textureLodOffset(linear, t, 0.0, ivec2(1, -2));
	v += textureGrad(linear, t, vec2(0.125, 0.0), vec2(0.0, 0.125));
	r[p.y * 16 + p.x] = v;
}
