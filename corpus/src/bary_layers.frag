#version 450
layout(location = 1) in vec3 weights;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

vec3 value_at(int i)
{
	return vec3(float(i) * 0.125, float(i * i) * 0.03, 1.0 - float(i) * 0.2);
}

void main()
{
	int p = gl_PrimitiveID;
	ivec3 v = ivec3(p, p + 1 + (p & 1), p + 2 - (p & 1));
	first = vec4(weights[v.x % 3], weights[v.y % 3], weights[v.z % 3], value_at(v.x).x);
	second = vec4(value_at(v.x).yz, value_at(v.y).x, float(gl_ViewportIndex) + value_at(v.z).x);
}
