/* markers.h - for `ssa`: the order of registers, and what must hold of their reads and writes. */
#ifndef XL_MARKERS_H
#define XL_MARKERS_H

#include "pass.h"

/* Sorts the `n` markers of `used` by file and index. False after a diagnostic: two stand for one register. */
bool markers_sort(struct pass_ctx *, uint32_t *used, uint32_t n);
/* Per block, in scratch: a number (not 0) that it shares with those that one instruction's lifting may span with it: a
 * block that only follows the block before it continues the same chain. Needs order. */
uint32_t *markers_chains(struct pass_ctx *);
/* What was written last to a marker: a read at the same address in the same chain comes too late. */
struct marker_written { uint32_t chain, addr; };
static inline bool markers_early(const struct marker_written *w, uint32_t chain, uint32_t addr)
{
	/* The entry's initialisation has no address and may build a register from another. */
	return w->chain == chain && w->addr == addr && addr != DIAG_NO_ADDR;
}
void markers_refuse_early(struct pass_ctx *, uint32_t addr, uint32_t marker);
void markers_refuse_unknown(struct pass_ctx *, const struct ir_inst *);

#endif
