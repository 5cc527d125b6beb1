/* exchange.h - loops that change a word of shared memory by compare and exchange (exchange.c). */
#ifndef XL_EXCHANGE_H
#define XL_EXCHANGE_H

#include "pass.h"

/* Is the loop with header `h` such a loop? Then all of its shared accesses together count as one atomic change of a word. Needs
 * order and cfg_loops. */
bool exchange_loop(struct ir_fn *fn, uint32_t h);

#endif
