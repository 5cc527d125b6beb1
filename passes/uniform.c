/* uniform.c - blocks that all lanes reach together, see uniform.h. */
#include "uniform.h"

#include <string.h>

const uint8_t *uniform_split_blocks(struct pass_ctx *ctx, const bool *varies, uint32_t n)
{
	struct ir_fn *fn = ctx->fn;
	const uint32_t *ipdom = ctx->ipdom;
	uint32_t *stack = arena_array(ctx->scratch, uint32_t, fn->nblock + 1u);
	uint8_t *seen = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	uint8_t *split = arena_array(ctx->scratch, uint8_t, fn->nblock + 1u);
	ir_for_order(fn, b) {
		ir_id c = fn->inst[fn->block[b].last].a[0];
		if (fn->block[b].nsucc < 2 || fn->inst[c].op == IR_const || (c < n && !varies[c]))
			continue;
		uint32_t top = 0;
		memset(seen, 0, fn->nblock);
		stack[top++] = b;
		while (top) {
			uint32_t x = stack[--top];
			for (uint32_t k = 0; k < fn->block[x].nsucc; k++) {
				uint32_t y = fn->block[x].succ[k];
				if (y != ipdom[b] && !seen[y]) {
					seen[y] = split[y] = 1;
					stack[top++] = y;
				}
			}
		}
	}
	return split;
}

static bool in_loop(const struct ir_fn *fn, uint32_t b, uint32_t header)
{
	for (uint32_t h = fn->block[b].loop; h != IR_NO_BLOCK; h = fn->block[h].loop_parent)
		if (h == header)
			return true;
	return false;
}

bool uniform_at(const struct pass_ctx *ctx, ir_id v, uint32_t b)
{
	const struct ir_fn *fn = ctx->fn;
	uint32_t home = fn->inst[v].block;
	if (v < ctx->ndivergent && ctx->divergent[v])
		return false;
	if (home == IR_NO_BLOCK || home == b)
		return true;
	if (ctx->tangled)
		return false;
	for (uint32_t h = fn->block[home].loop; h != IR_NO_BLOCK; h = fn->block[h].loop_parent)
		if (!in_loop(fn, b, h))
			return false;
	return true;
}

const bool *uniform_of_group(struct pass_ctx *ctx)
{
	bool *was = ctx->divergent;
	uint32_t n = ctx->ndivergent;
	ctx->whole_group = true;
	divergence_run(ctx);
	ctx->whole_group = false;
	const bool *group = ctx->divergent;
	ctx->divergent = was;
	ctx->ndivergent = n;
	return group;
}
