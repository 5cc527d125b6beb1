#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec4 value;
layout(location = 0) out vec4 target;

void main()
{
	vec2 b = gl_BaryCoordSmoothSampleAMD, s = gl_BaryCoordNoPerspSampleAMD;
	float x = b.x > 0.375 ? interpolateAtVertexAMD(value, 2).y : interpolateAtVertexAMD(value, 1).z;
	target = vec4(b * b, x * s.x, s.y + interpolateAtVertexAMD(value, 0).w);
}
