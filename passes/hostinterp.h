/* hostinterp.h - what the two halves of the host-interpolation checker share. */
#ifndef HOSTINTERP_H
#define HOSTINTERP_H

#include "pass.h"

struct hostinterp_kind { uint8_t interp, at; };

/* The barycentrics of a system value; false: it is none. */
bool hostinterp_kind_of(unsigned sysval, struct hostinterp_kind *);
/* What v is a bitcast of. */
ir_id hostinterp_strip(const struct ir_fn *, ir_id v);
/* The barycentric (an enum sysval) of which v is component `comp` (0: I, 1: J), or 0. */
unsigned hostinterp_bary(const struct ir_fn *, ir_id v, unsigned comp);

/* A pixel's own I or J, moved: it, and products of its differences to the neighbours in its quad. */
enum { HOSTINTERP_TERMS = 4 };
struct hostinterp_moved {
	unsigned bary;  /* which, an enum sysval */
	unsigned n;     /* terms, in the order that they are added */
	struct {
		ir_id by;       /* the factor */
		ir_id at;       /* where the difference is taken: whole quads are there */
		unsigned perm;  /* quad selector of the neighbour: to the right, or below */
	} term[HOSTINTERP_TERMS];
};

/* What `v` makes of component `comp` (0: I, 1: J) of a barycentric. False: something else. */
bool hostinterp_moved(struct ir_fn *, ir_id v, unsigned comp, struct hostinterp_moved *);
/* I and J moved by the same factors. */
bool hostinterp_together(const struct hostinterp_moved *i, const struct hostinterp_moved *j);

#endif
