#version 450
layout(location = 2) noperspective in vec4 mixed;
layout(location = 0) out vec4 target;
layout(set = 0, binding = 2, std140) uniform Waves { vec4 wave[4]; };

void main()
{
	vec3 sum = vec3(0.0);
	for (int k = 0; k < 4; k++)
		sum += vec3(sin(dot(wave[k], mixed)), cos(wave[k].x + mixed.y), wave[k].z) * 0.25;
	target = vec4(sum, mixed.w) + vec4(gl_FragCoord.xy * 0.0078125, 0.0, 0.0);
}
