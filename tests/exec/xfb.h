/*
 * xfb.h: makes a vertex shader observable. The module is rewritten so that transform feedback captures its position and
 * every user output; captured bytes are then put in the order of the interface module, so that an original and a
 * translation compare whatever order, packing or types their own outputs have.
 */
#ifndef XFB_H
#define XFB_H

#include "outputs.h"
#include "spvinfo.h"

#define XFB_POSITION UINT32_MAX
enum { XFB_MAX = 290 };

struct xfb_capture {
	uint32_t offset, location, component, count, width; /* offset in bytes; XFB_POSITION for gl_Position */
};

struct xfb {
	struct xfb_capture captures[XFB_MAX];
	int ncaptures;
	uint32_t stride; /* bytes a vertex, 0: nothing to capture */
	uint32_t *words; /* the rewritten module */
	size_t count;
};

void xfb_rewrite(const struct spvinfo *m, struct xfb *x);
/*
 * Adds an "xfb" record of n vertices in the order of the interface's outputs: a position that it does not have is left out, one
 * that it never stores is zero.
 */
struct record *xfb_record(const struct xfb *x, const struct spvinfo *iface, const uint8_t *captured, uint32_t n,
			  struct outputs *o);

#endif
