#version 450
// Packed colour formats of storage images, loaded and stored.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform image2D a;
layout(set = 0, binding = 1, rgba16f) uniform image2D b;
layout(set = 0, binding = 2, rgb10_a2) uniform image2D c;
layout(set = 0, binding = 3, rg16f) uniform image2D d;
layout(set = 0, binding = 4, rgba8_snorm) uniform image2D e;
layout(set = 0, binding = 5, rgba16) uniform image2D f;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	vec4 x = imageLoad(a, p), y = imageLoad(b, p), z = imageLoad(c, p), w = imageLoad(d, p), s = imageLoad(e, p);
	imageStore(a, p, y * 0.5 + z * 0.25);
	imageStore(b, p, x * 2.0 - s);
	imageStore(c, p, x.wzyx);
	imageStore(d, p, w.yxzw + z);
	imageStore(e, p, imageLoad(f, p) - x);
	imageStore(f, p, abs(s) * 0.75);
}
