#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec4 value;
layout(location = 0) out vec4 target;

void main()
{
	vec2 b = gl_BaryCoordSmoothSampleAMD, s = gl_BaryCoordNoPerspSampleAMD;
	float x = mix(interpolateAtVertexAMD(value, 1).z, interpolateAtVertexAMD(value, 2).y, b.x);
	target = vec4(b * b * 0.25, x * s.x, s.y + interpolateAtVertexAMD(value, 0).w);
}
