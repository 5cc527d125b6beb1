/* uniform.h - which blocks do all lanes reach together? */
#ifndef XL_UNIFORM_H
#define XL_UNIFORM_H

#include "pass.h"

/* Per block: 1 when it lies between a branch whose condition varies (varies[id]; ids from n on count as varying unless they are
 * constants) and that branch's post-dominator. Scratch array of nblock. Needs order. */
const uint8_t *uniform_split_blocks(struct pass_ctx *ctx, const bool *varies, uint32_t n);

/* For who looks at what a value is made of: is `v`, an operand somewhere below it, the same in all lanes that come to block `b`? Lanes
 * may leave a loop in different turns, which ctx->divergent says of those of its values alone that are looked at behind it. Needs loops. */
bool uniform_at(const struct pass_ctx *ctx, ir_id v, uint32_t b);

/* As ctx->divergent, but between all lanes of a workgroup of several waves. Scratch array of ctx->ndivergent. */
const bool *uniform_of_group(struct pass_ctx *ctx);

#endif
