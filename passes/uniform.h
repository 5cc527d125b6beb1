/* uniform.h - which blocks do all lanes reach together? */
#ifndef XL_UNIFORM_H
#define XL_UNIFORM_H

#include "pass.h"

/* Per block: 1 when it lies between a branch whose condition varies (varies[id]; ids from n on count as varying unless they are
 * constants) and that branch's post-dominator. Scratch array of nblock. Needs order. */
const uint8_t *uniform_split_blocks(struct pass_ctx *ctx, const bool *varies, uint32_t n);

/* As ctx->divergent, but between all lanes of a workgroup of several waves. Scratch array of ctx->ndivergent. */
const bool *uniform_of_group(struct pass_ctx *ctx);

#endif
