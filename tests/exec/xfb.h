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

/*
 * What a module captures by itself: bytes between the vertices of each buffer (0: it has none), and where floats are
 * (offset, location: the buffer, count). xfb_own.c.
 */
enum { XFB_BUFFERS = 4 };
struct xfb_own {
	uint32_t stride[XFB_BUFFERS];
	struct xfb_capture floats[XFB_MAX];
	int nfloats;
};
/* False: it captures nothing. */
bool xfb_own_find(const struct spvinfo *m, struct xfb_own *x);
/* Adds an "xfbown" record: what n vertices left in a buffer. */
void xfb_own_record(const struct xfb_own *x, uint32_t buffer, const void *data, uint32_t n, struct outputs *o);

#endif
