#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec4 value;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	vec2 c = gl_BaryCoordSmoothAMD, i = gl_BaryCoordSmoothCentroidAMD, l = gl_BaryCoordNoPerspCentroidAMD;
	vec3 pull = gl_BaryCoordPullModelAMD;
	first = vec4(i, l);
	second = vec4(pull.xy / pull.z, 1.0 / pull.z, dot(c, interpolateAtVertexAMD(value, 1).xw));
}
