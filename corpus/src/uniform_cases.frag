#version 450
layout(push_constant) uniform P { uint first, second; } p;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;

vec3 graded(uint mode, vec3 c)
{
	if (mode == 3u || mode == 5u) {
		vec3 d = c;
		if (c.x > 0.25)
			d = c * c + 0.125;
		if (mode == 5u && c.y > 0.5)
			d += vec3(0.5, 0.25, 0.0);
		return d.zxy;
	}
	if (mode == 4u || mode == 6u)
		return c.x > c.y ? c * 0.5 : c.yxz + 0.25;
	return c;
}

void main()
{
	vec3 c = vec3(at, 0.75);
	c = graded(p.first & 7u, c);
	c = graded(3u + (p.second & 3u), c);
	c = graded(p.first >> 3 & 7u, c);
	c = graded(p.second >> 2 & 7u, c);
	target = vec4(c, 1.0);
}
