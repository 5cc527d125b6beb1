#version 450
// Atomic operations on the samples of images, and how many layers an image of rows has, which the driver asks its descriptor.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2DMS counts;
layout(set = 0, binding = 1, r32i) uniform iimage2DMSArray highs;
layout(set = 0, binding = 2, rgba32f) readonly uniform image1DArray rows;
layout(set = 0, binding = 3, std430) writeonly buffer Out { uint word[512]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x;
	ivec2 p = ivec2(i % 8u, i / 8u % 8u);
	int s = int(i / 64u);
	uint old = imageAtomicAdd(counts, p, s, i * 5u + 3u);
	int high = imageAtomicMax(highs, ivec3(p.yx, 0), s, int(i) * 0x765432 - 100);
	uint won = imageAtomicCompSwap(counts, p, s, old + i * 5u + 3u, i + 1000u);
	word[i] = old + uint(imageSize(rows).y) * 100u + uint(imageSize(rows).x);
	word[i + 256u] = uint(high) ^ won;
}
