#version 450
// Integer formats of storage images: bytes, halves, words; what does not fit is cut.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8ui) uniform uimage2D a;
layout(set = 0, binding = 1, rgba16i) uniform iimage2D b;
layout(set = 0, binding = 2, rg32ui) uniform uimage2D c;
layout(set = 0, binding = 3, r8ui) uniform uimage2D d;
layout(set = 0, binding = 4, rgba32i) uniform iimage2D e;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	uvec4 x = imageLoad(a, p), z = imageLoad(c, p);
	ivec4 y = imageLoad(b, p), w = imageLoad(e, p);
	imageStore(a, p, (x.wxyz + 1u) & 255u);
	imageStore(b, p, y * -3 + w);
	imageStore(c, p, z.yxzw * 65537u + uvec4(p.xyxy));
	imageStore(d, p, uvec4((imageLoad(d, p).x ^ x.y) & 255u));
	imageStore(e, p, w - ivec4(z.xyxy) * 1000 + y);
}
