#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) buffer Pixels { uint all; uint some; uint odd; uint bits; uint most; uint least; } p;
layout(push_constant) uniform P { uint weight; } push;
layout(location = 0) out vec4 target;

void main()
{
	atomicAdd(p.all, 1u);
	if (at.x * at.y > 0.3) {
		atomicAdd(p.some, push.weight & 255u);
		atomicXor(p.odd, 0x5aa5u);
		atomicMax(p.most, 0x80000000u);
	} else {
		atomicAnd(p.bits, ~0x70u);
		atomicMin(p.least, push.weight);
	}
	target = vec4(at, 0.5, 1.0);
}
