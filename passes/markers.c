/* markers.c - dense marker numbers, and the operand rule.
 *
 * A lifter makes a marker for every (file, index) that it meets, in the order of meeting. This pass renumbers the markers
 * that the code really uses, sorted by file and index, so that each register file has one contiguous range of its own and
 * the arrays of `ssa` are as short as they can be. How many registers the program uses, those that the lifter settled by itself
 * too, is reported as fn->marker_high.
 *
 * Field history: a translator renamed high registers through temporary markers, a marker took the number of an operand that
 * the same fused multiply-add still read, and foliage glowed on every GPU. A guest instruction reads all its operands before
 * it writes any result, but its lifting is several IR steps, so the mistake is easy to make again: a lifter that writes the
 * low half of a pair and then reads the other operand reads its own result wherever the registers overlap. Therefore here:
 *
 *   - a register that was written at a guest address is not read again at that address (DIAG_VERIFY names the register);
 *   - two markers never stand for the same register;
 *   - a marker outside the table is refused.
 *
 * Before (addresses in brackets)             After: refused, [8] reads v4 after it wrote it
 *   %1 = mget v4 [8]
 *   mset v4, %1  [8]
 *   %2 = mget v4 [8]
 *
 * Intermediate results of an instruction are values, not markers, so none lives across it.
 */
#include "pass.h"

#include <stdlib.h>

enum pass_result markers_run(struct pass_ctx *ctx);

struct slot {
	uint32_t key, old; /* file << 16 | index; the lifter's number */
};

static int by_key(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->old < y->old ? -1 : x->old > y->old;
}

static const char *file_name(const struct ir_fn *fn, unsigned file)
{
	return fn->files && fn->files[file] ? fn->files[file] : "r";
}

/* What was written last, per marker: `chain` counts runs of blocks that an instruction's lifting may span. */
struct written {
	uint32_t chain, addr;
};

static bool check_inst(struct pass_ctx *ctx, struct written *last, uint32_t chain, ir_id id)
{
	const struct ir_fn *fn = ctx->fn;
	const struct ir_inst *in = &fn->inst[id];

	if (in->imm >= fn->nmarker) {
		diag_emit(ctx->diag, DIAG_VERIFY, in->addr, "marker %llu of %u", (unsigned long long)in->imm, fn->nmarker);
		return false;
	}
	struct written *w = &last[in->imm];
	if (in->op == IR_mset) {
		w->chain = chain;
		w->addr = in->addr;
		return true;
	}
	/* The entry's initialisation has no address and may build a register from another. */
	if (w->chain != chain || w->addr != in->addr || in->addr == DIAG_NO_ADDR)
		return true;
	const struct ir_marker *m = &fn->marker[in->imm];
	diag_emit(ctx->diag, DIAG_VERIFY, in->addr, "the lifted instruction reads %s%u after it wrote it",
		file_name(fn, m->file), m->index);
	return false;
}

/* Marks the markers in use and lists what reads and writes them; false when a rule is broken. A block that only follows the block before it continues the
 * same chain, so an instruction that was lifted to several blocks is checked as one. */
static bool scan(struct pass_ctx *ctx, bool *used, ir_id *list, uint32_t *n)
{
	struct ir_fn *fn = ctx->fn;
	struct written *last = arena_array(ctx->scratch, struct written, fn->nmarker + 1);
	const struct ir_inst *inst = fn->inst, *in;
	uint32_t chain = 0;

	for (uint32_t b = 0; b < fn->nblock; b++) {
		if (fn->block[b].dead)
			continue;
		if (!(b > 0 && fn->block[b].npred == 1 && fn->block[b].pred[0] == b - 1))
			chain++;
		for (ir_id id = fn->block[b].first; id; id = in->next) {
			in = &inst[id];
			if (in->op != IR_mget && in->op != IR_mset)
				continue;
			if (!check_inst(ctx, last, chain, id))
				return false;
			used[in->imm] = true;
			list[(*n)++] = id;
		}
	}
	return true;
}

enum pass_result markers_run(struct pass_ctx *ctx)
{
	struct ir_fn *fn = ctx->fn;

	if (!fn->nmarker) { /* the lifter settled all registers */
		diag_count(ctx->diag, "markers", DIAG_NO_ADDR, fn->marker_high, "registers in use");
		return PASS_SAME;
	}
	bool *used = arena_array(ctx->scratch, bool, fn->nmarker + 1);
	ir_id *list = arena_array_raw(ctx->scratch, ir_id, fn->ninst);
	uint32_t nlist = 0;
	if ((fn->has[IR_mget] | fn->has[IR_mset]) && !scan(ctx, used, list, &nlist))
		return PASS_REFUSED;

	struct slot *slot = arena_array(ctx->scratch, struct slot, fn->nmarker + 1);
	uint32_t n = 0;
	for (uint32_t m = 0; m < fn->nmarker; m++)
		if (used[m])
			slot[n++] = (struct slot){ (uint32_t)fn->marker[m].file << 16 | fn->marker[m].index, m };
	qsort(slot, n, sizeof(*slot), by_key);

	uint32_t *number = arena_array(ctx->scratch, uint32_t, fn->nmarker + 1);
	struct ir_marker *table = arena_array(fn->arena, struct ir_marker, n + 1);
	bool moved = n != fn->nmarker;
	for (uint32_t i = 0; i < n; i++) {
		if (i && slot[i].key == slot[i - 1].key) {
			diag_emit(ctx->diag, DIAG_VERIFY, DIAG_NO_ADDR, "two markers stand for %s%u",
				file_name(fn, slot[i].key >> 16), slot[i].key & 0xffff);
			return PASS_REFUSED;
		}
		number[slot[i].old] = i;
		table[i] = fn->marker[slot[i].old];
		moved |= slot[i].old != i;
	}
	fn->marker_high = fn->nmarker;
	diag_count(ctx->diag, "markers", DIAG_NO_ADDR, fn->nmarker, "registers in use");
	if (!moved)
		return PASS_SAME;
	for (uint32_t i = 0; i < nlist; i++)
		fn->inst[list[i]].imm = number[fn->inst[list[i]].imm];
	fn->marker = table;
	fn->marker_cap = n + 1;
	fn->nmarker = n;
	return PASS_CHANGED;
}
