#version 450
layout(location = 4) in vec2 weights;
layout(location = 5) noperspective centroid in vec2 straight_weights;
layout(location = 6) flat in vec4 value_of[3];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
	first = vec4(interpolateAtCentroid(weights), straight_weights);
	second = vec4(weights, 1.0 / gl_FragCoord.w, dot(weights, value_of[1].xw));
}
