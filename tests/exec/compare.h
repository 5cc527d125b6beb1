/*
 * compare.h: when are two outputs equal?
 *
 * Elements that the interface declares as floats: same bits, or both NaN, or |a - b| <= t * max(1, |a|, |b|), which
 * covers flushed denormals; an infinity equals only itself. t is 1e-4, for half floats 2e-3. Normalized image formats:
 * one step. Everything else, integers above all: same bits. Pictures: up to 0.4 % of the covered pixels may differ, but
 * only pixels beside an edge: a neighbour with other coverage, or a jump in the original's values within one pixel.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "outputs.h"

#define COMPARE_SINGLE 1e-4
#define COMPARE_HALF 2e-3

struct compare_report {
	bool equal;
	uint64_t elements, inexact; /* compared; equal by tolerance, not by bits */
	uint64_t covered;           /* pixels, over all pictures */
	uint64_t edge_pixels;       /* differing ones that the edge rule took */
	bool has_picture;
	char where[240]; /* the first difference and their number */
};

/* a is the original's output, b the translation's; picture_tolerance is COMPARE_SINGLE or, for half targets,
 * COMPARE_HALF. */
void compare_outputs(const struct outputs *a, const struct outputs *b, double picture_tolerance,
		     struct compare_report *r);

#endif
