/* waterfall.h - loops that take the lanes of a wave in turns (waterfall.c). */
#ifndef XL_WATERFALL_H
#define XL_WATERFALL_H

#include "proof.h"

/* Rewrites such loops of a function with order, dominators, loops; true when it changed. Divergence is to be found anew then. */
bool waterfall_find(struct pass_ctx *, struct proof *);

#endif
