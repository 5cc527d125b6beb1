/* lift_block.c - what the registers hold in the block at hand.
 *
 *	mset $v.1, %1               %2 = iadd %1, %1
 *	%3 = mget $v.1       =>     mset $v.1, %2
 *	%2 = iadd %3, %3            br b2
 *	mset $v.1, %2
 *	br b2
 *
 * Each instruction of a guest reads and writes registers: without this, half of what is lifted is reads of values just
 * written.
 */
#include "lift_amd.h"

ir_id lift_get(struct amd_lift *l, uint32_t m)
{
	if (l->cur[m].block != l->nblock) {
		l->cur[m].block = l->nblock;
		l->cur[m].value = ir_mget(l->fn, m);
	}
	return l->cur[m].value;
}

void lift_set(struct amd_lift *l, uint32_t m, ir_id value)
{
	l->cur[m].block = l->nblock;
	l->cur[m].value = value;
	if (l->cur[m].dirty == l->nblock)
		return;
	l->cur[m].dirty = l->nblock;
	l->dirty[l->ndirty++] = (uint16_t)m;
}

void lift_block_begin(struct amd_lift *l, uint32_t block)
{
	l->fn->at = block;
	l->nblock++;
	l->ndirty = 0;
	l->ended = false;
}

void lift_block_end(struct amd_lift *l)
{
	ir_id last = l->fn->block[l->fn->at].last;

	l->fn->before = last;
	l->fn->addr = l->fn->inst[last].addr;
	for (unsigned i = 0; i < l->ndirty && l->fn->inst[last].op != IR_ret; i++)
		ir_mset(l->fn, l->dirty[i], l->cur[l->dirty[i]].value);
	l->fn->before = 0;
	l->ndirty = 0;
}
