/* some.h - masks that are known to have a lane (some.c). */
#ifndef XL_SOME_H
#define XL_SOME_H

#include "pass.h"

struct some { uint8_t alike; /* 0 not found yet, 1 yes, 2 no; set to 0 before the first question */ };

/* Has `mask` a lane whenever block `at` runs? A first lane is one of the mask then, else lane 0 may be it. Needs order and
 * dominators. What it finds about the whole function stays true where code is only simplified. */
bool some_lane(struct some *, struct ir_fn *fn, struct arena *scratch, ir_id mask, uint32_t at);
/* Has it one whenever the branch at the end of `from` leads to `to`, because the branch asks? */
bool some_lane_goes(struct some *, struct ir_fn *fn, struct arena *scratch, ir_id mask, uint32_t from, uint32_t to);

#endif
