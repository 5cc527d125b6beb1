/* draw.h: a graphics program, drawn once: into pictures, or (a lone vertex shader) into transform feedback. */
#ifndef DRAW_H
#define DRAW_H

#include "resources.h"

enum { DRAW_SIZE = 64, DRAW_STAGES = 9 };

/* The picture words that a shader has not written: a float, an integer and a depth that shaders hardly produce. */
#define DRAW_FLOAT_BACKGROUND 1234.5f
#define DRAW_INT_BACKGROUND 12345u
#define DRAW_DEPTH_BACKGROUND 0.5f

/* What the draw does beside its shaders; a lone vertex shader has its own counts. */
struct draw_options {
	VkPrimitiveTopology topology;
	uint32_t instances, vertices, first_instance, first_vertex;
	uint32_t instance_rate; /* vertex inputs that advance by instance, bit per location */
	uint32_t samples;       /* of the targets, 1 or 4; four are resolved to one when all is drawn */
	uint32_t layers;        /* 1: plain targets, more: targets of four layers, one below the other in the output */
	uint32_t viewports;     /* 1 or 2; the second is the lower right quarter */
	uint32_t depth_test;    /* 1 + VkCompareOp; 0: depth is there when a shader writes it, and always passes */
};
#define DRAW_OPTIONS {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 1, 6, 0, 0, 0, 1, 1, 1, 0}

/* Runs `code`, and beside it `added` unless NULL, with the interface (targets, vertex inputs, outputs) of `iface` and appends
 * what it wrote. */
void draw_run(struct device *d, struct resources *r, const struct spvinfo *iface, const struct spvinfo *code,
	      const struct spvinfo *added, int n, const struct draw_options *options, struct outputs *o);

#endif
