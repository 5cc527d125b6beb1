/* turns.h - registers of a loop that takes the lanes of a mask in turns (turns.c). */
#ifndef XL_TURNS_H
#define XL_TURNS_H

#include "pass.h"

/* What `v` is in the lanes of `mask`, both phis of one loop's head: what it came in with, where the loop overwrites it in those lanes
 * alone that it takes out of the mask. `v` itself where it is something else. */
ir_id turns_left(struct ir_fn *fn, ir_id mask, ir_id v);

#endif
