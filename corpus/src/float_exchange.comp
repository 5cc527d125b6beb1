#version 450
// Floats exchanged atomically, each lane with a word of its own.
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { float v[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float r[]; };

void main()
{
	uint i = gl_GlobalInvocationID.y * 128u + gl_GlobalInvocationID.x;
	float old = atomicExchange(v[i ^ 1u], float(i) * 0.5);
	r[i] = old * 2.0 - 1.0;
}
