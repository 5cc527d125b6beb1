/* known.h - what is known of a lane that comes to a branch, see known.c. Needs order, dominators and loops. */
#ifndef XL_KNOWN_H
#define XL_KNOWN_H

#include "proof.h"

/* The block where the turn of p->branch starts: the head of the innermost loop around it, or the program's entry. */
uint32_t known_start(const struct proof *p);
/* p->fact: what is true of a lane that comes to block b. */
void known_find(struct proof *p, uint32_t b);
/* Starts a proof about this turn, of a lane in which `m` is false (0: nothing is). walked: it walks as known_walk() found. */
void known_turn(struct proof *p, ir_id m, bool walked);
/* Starts one about other turns. */
void known_none(struct proof *p);
/* Where such a lane walks that goes on from the branch with block `yes`, up to block `stop`: what lies behind the branch is in
 * p->mark[0]. */
void known_walk(struct proof *p, ir_id m, uint32_t yes, uint32_t stop);
/* p->always: masks at the heads of loops that are true in every lane that comes there. Returns how many there are. */
uint32_t known_loops(struct proof *p);

#endif
