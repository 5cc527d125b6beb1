#version 450
// Signed image atomics on a line, a stack of layers and a volume.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32i) uniform iimage1D line;
layout(set = 0, binding = 1, r32i) uniform iimage2DArray layers;
layout(set = 0, binding = 2, r32i) uniform iimage3D volume;

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	int x = (p.x * 31 - p.y * 57) * 1001;
	imageAtomicMin(line, p.x & 7, x);
	imageAtomicMax(line, 8 + (p.y & 7), x + 3);
	imageAtomicAdd(layers, ivec3(p & 3, p.x & 1), x);
	imageAtomicXor(layers, ivec3(p, 2), x);
	imageAtomicMax(volume, ivec3(p.x, p.y, (p.x + p.y) & 15), x);
	imageAtomicAnd(volume, ivec3(0, 0, 9), x | 0xff);
}
