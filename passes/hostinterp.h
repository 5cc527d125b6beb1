/* hostinterp.h - what the parts of the host-interpolation checker share. */
#ifndef HOSTINTERP_H
#define HOSTINTERP_H

#include "pass.h"

struct hostinterp_kind { uint8_t interp, at; };

struct hand {
	struct pass_ctx *ctx;
	struct ir_fn *fn;
	ir_id *hand;    /* halves, movs and barycentrics, in block order */
	uint32_t nhand;
	uint32_t *uses, nuses; /* per value that there was at first */
	ir_id *todo;    /* room for all of those: what goes */
	struct hostinterp_raw {  /* per attribute: why the host's interpolation cannot be its, and where that was seen; NULL: it can */
		const char *why;
		ir_id at;
	} *raw;
	bool some_raw;
	bool left;      /* something may be dead that is not known here */
	ir_id number;   /* a barycentric that is read as a number, 0: none is */
	bool refused;
};
void hostinterp_refuse(struct hand *, ir_id, const char *why);
/* The interface entry of a location. False, refused: it has another interpolation. */
bool hostinterp_input(struct hand *, ir_id, uint32_t location, unsigned comp, struct hostinterp_kind, uint16_t *at);
/* The p1 that feeds a p2, or 0. */
ir_id hostinterp_partner(const struct ir_fn *, ir_id p2);
/* Two places of one variable. */
bool hostinterp_same_place(unsigned at, unsigned other);
/* An instruction that goes where nothing reads it any more. */
bool hostinterp_feeds(unsigned op);

/* ---- hostinterp_plan.c */
/* Which parameters the host cannot interpolate. */
void hostinterp_plan(struct hand *);
/* The attribute of a half or a mov is one of them. */
bool hostinterp_is_raw(const struct hand *, ir_id);
/* Why the host's input is not what a p2 or a mov makes of a parameter, or NULL. kind: the input's; INTERP_VERTICES: it is moved. */
const char *hostinterp_fit_p2(struct ir_fn *, ir_id, const struct fact_input *, struct hostinterp_kind *);
const char *hostinterp_fit_mov(const struct ir_fn *, ir_id, const struct fact_input *);

/* ---- hostinterp_raw.c: all that is left, through barycentrics; or a diagnostic */
void hostinterp_raw(struct hand *);

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
