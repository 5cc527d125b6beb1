#version 450
// Conditions six deep, each lane on a path of its own.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { uint v[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	uint h = (v[i] + i) * 2654435761u, r = h >> 16;
	if ((h & 1u) != 0u) {
		r += 11u;
		if ((h & 2u) != 0u) {
			r *= 3u;
			if ((h & 4u) != 0u) {
				r ^= 0x55u;
				if ((h & 8u) != 0u)
					r -= h >> 20;
				else
					r = r << 3 | r >> 29;
			} else {
				r += h & 0xffu;
				if ((h & 16u) != 0u) {
					r = ~r;
					if ((h & 32u) != 0u)
						r /= 7u;
				}
			}
		} else if ((h & 64u) != 0u) {
			r = bitCount(r);
		}
	} else {
		if ((h & 128u) != 0u) {
			r = max(r, 40000u);
		} else {
			r = min(r, 20000u);
			if ((h & 256u) != 0u)
				r += 5u;
			r *= r;
		}
		r ^= h >> 9;
	}
	v[i] = r;
}
