#version 450
// Lanes end at different places, some without storing, in nested conditions.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { ivec2 x[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int y[256]; };

int classify(ivec2 v)
{
	if (v.x > v.y) {
		if (v.x > 5)
			return v.x * 10;
		return v.y - 1;
	}
	for (int k = v.x; k < v.y; k++)
		if ((k * k + v.y) % 5 == 0)
			return 1000 + k;
	return -1;
}

void main()
{
	uint i = (gl_WorkGroupID.y * 2u + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
	if ((i & 15u) == 7u)
		return;
	int c = classify(x[i]);
	if (c < 0) {
		if (x[i].x == 0)
			return;
		y[i] = -int(i);
		return;
	}
	y[i] = c;
}
