/* draw.h: a graphics program, drawn once: into pictures, or (a lone vertex shader) into transform feedback. */
#ifndef DRAW_H
#define DRAW_H

#include "resources.h"

enum { DRAW_SIZE = 64, DRAW_STAGES = 8 };

/* The picture words that a shader has not written: a float, an integer and a depth that shaders hardly produce. */
#define DRAW_FLOAT_BACKGROUND 1234.5f
#define DRAW_INT_BACKGROUND 12345u
#define DRAW_DEPTH_BACKGROUND 0.5f

/* Runs `code` with the interface (targets, vertex inputs, outputs) of `iface` and appends what it wrote. */
void draw_run(struct device *d, struct resources *r, const struct spvinfo *iface, const struct spvinfo *code, int n,
	      VkPrimitiveTopology topology, struct outputs *o);

#endif
