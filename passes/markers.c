/* markers.c - guest registers as markers: their order, and the operand rule.
 *
 * A lifter makes a marker for every (file, index) that it meets, in the order of meeting. `ssa` goes through those that the code
 * really uses, sorted by file and index. How many registers the program uses, those that the lifter settled by itself too, is reported as fn->marker_high.
 *
 * Field history: a translator renamed high registers through temporary markers, a marker took the number of an operand that
 * the same fused multiply-add still read, and foliage glowed on every GPU. A guest instruction reads all its operands before
 * it writes any result, but its lifting is several IR steps, so the mistake is easy to make again: a lifter that writes the
 * low half of a pair and then reads the other operand reads its own result wherever the registers overlap. Therefore `ssa`, which
 * looks at every read and write, sees to it that
 *
 *   - a register that was written at a guest address is not read again at that address (DIAG_VERIFY names the register);
 *   - two markers never stand for the same register;
 *   - a marker outside the table is refused.
 *
 * Addresses in brackets; refused, [8] reads v4 after it wrote it:
 *   %1 = mget v4 [8]
 *   mset v4, %1  [8]
 *   %2 = mget v4 [8]
 *
 * Intermediate results of an instruction are values, not markers, so none lives across it.
 */
#include "markers.h"

/* After Shell: they are few, and a call per comparison would be most of the work. */
static void sort(uint64_t *v, uint32_t n)
{
	uint32_t gap = 1;

	while (gap < n / 3)
		gap = 3 * gap + 1;
	for (; gap; gap /= 3)
		for (uint32_t i = gap; i < n; i++) {
			uint64_t x = v[i];
			uint32_t at = i;
			for (; at >= gap && v[at - gap] > x; at -= gap)
				v[at] = v[at - gap];
			v[at] = x;
		}
}

static const char *file_name(const struct ir_fn *fn, unsigned file)
{
	return fn->files && fn->files[file] ? fn->files[file] : "r";
}

bool markers_sort(struct pass_ctx *ctx, uint32_t *used, uint32_t n)
{
	const struct ir_fn *fn = ctx->fn;
	uint64_t *slot = arena_array_raw(ctx->scratch, uint64_t, n + 1u); /* file, index, marker */

	for (uint32_t i = 0; i < n; i++) {
		const struct ir_marker *mk = &fn->marker[used[i]];
		slot[i] = (uint64_t)mk->file << 48 | (uint64_t)mk->index << 32 | used[i];
	}
	sort(slot, n);
	for (uint32_t i = 0; i < n; i++) {
		if (i && slot[i] >> 32 == slot[i - 1] >> 32) {
			diag_emit(ctx->diag, DIAG_VERIFY, DIAG_NO_ADDR, "two markers stand for %s%u",
				file_name(fn, (unsigned)(slot[i] >> 48)), (unsigned)(slot[i] >> 32 & 0xffff));
			return false;
		}
		used[i] = (uint32_t)slot[i];
	}
	return true;
}

void markers_refuse_early(struct pass_ctx *ctx, uint32_t addr, uint32_t m)
{
	const struct ir_marker *mk = &ctx->fn->marker[m];

	diag_emit(ctx->diag, DIAG_VERIFY, addr, "the lifted instruction reads %s%u after it wrote it", file_name(ctx->fn, mk->file),
		mk->index);
}

void markers_refuse_unknown(struct pass_ctx *ctx, const struct ir_inst *in)
{
	diag_emit(ctx->diag, DIAG_VERIFY, in->addr, "marker %llu of %u", (unsigned long long)in->imm, ctx->fn->nmarker);
}

uint32_t *markers_chains(struct pass_ctx *ctx)
{
	const struct ir_fn *fn = ctx->fn;
	uint32_t *chain = arena_array_raw(ctx->scratch, uint32_t, fn->nblock);

	ir_for_order(fn, b)
		chain[b] = b && fn->block[b].npred == 1 && fn->block[b].pred[0] == b - 1 ? chain[b - 1] : b + 1;
	return chain;
}
