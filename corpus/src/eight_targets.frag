#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 c0;
layout(location = 1) out vec3 c1;
layout(location = 2) out vec2 c2;
layout(location = 3) out float c3;
layout(location = 4) out vec4 c4;
layout(location = 5) out vec4 c5;
layout(location = 6) out vec2 c6;
layout(location = 7) out vec4 c7;

void main()
{
	c0 = vec4(at, 0.5, 1.0);
	c1 = vec3(at.yx, 0.25);
	c2 = at * at;
	c3 = at.x * at.y;
	c4 = vec4(1.0 - at, at * 0.5);
	c5 = sqrt(vec4(at, at.yx) + 0.125);
	c6 = vec2(max(at.x, at.y), min(at.x, at.y));
	c7 = vec4(step(0.5, at), smoothstep(vec2(0.0), vec2(1.0), at));
}
