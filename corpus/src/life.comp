#version 450
// One generation of Conway's life on a 16x16 torus.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer Old { int old_cells[256]; };
layout(set = 0, binding = 1, std430) writeonly buffer New { int new_cells[256]; };

bool alive(ivec2 p) { return (old_cells[(p.y & 15) * 16 + (p.x & 15)] & 1) != 0; }

void main()
{
	ivec2 p = ivec2(gl_GlobalInvocationID.xy);
	int n = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if ((dx != 0 || dy != 0) && alive(p + ivec2(dx, dy)))
				n++;
	new_cells[p.y * 16 + p.x] = n == 3 || (n == 2 && alive(p)) ? 1 : 0;
}
