/* fold_bits.c - which bits of a value may be set, by what it is made of: sums that cannot carry, offsets that cannot wrap, and masks
 * that take nothing away are seen from that.
 */
#include "fold.h"

static uint64_t smear(uint64_t v)
{
	return v ? ~0ull >> __builtin_clzll(v) : 0;
}

static uint64_t sysval_maybe(struct fold *f, const struct ir_inst *in)
{
	const struct ir_fn *fn = f->fn;
	const uint32_t *g = fn->workgroup;
	uint64_t n = 0;

	if (in->sub == SYSVAL_lane_id)
		return fn->wave ? fn->wave - 1u : ~0ull;
	if (in->sub == SYSVAL_local_id && in->imm < 3)
		n = g[in->imm];
	else if (in->sub == SYSVAL_local_index)
		n = (uint64_t)g[0] * g[1] * g[2];
	if (!n)
		return ~0ull;
	if (f->ctx->facts)
		facts_read(f->ctx->facts, STATE_WORKGROUP);
	return smear(n - 1);
}

uint64_t fold_maybe(struct fold *f, ir_id id, unsigned depth)
{
	const struct ir_fn *fn = f->fn;
	const struct ir_inst *in = &fn->inst[id];
	uint64_t all = fold_mask(in->type), k;
	unsigned w = ir_bits(in->type);

	if (in->op == IR_const)
		return in->imm;
	if (in->op == IR_sysval)
		return sysval_maybe(f, in) & all;
	if (depth == 0 || in->type >> 4)
		return all;
#define ARG(i) fold_maybe(f, in->a[i], depth - 1)
	switch (in->op) {
	case IR_zext: case IR_lo64: case IR_trunc:
		return ARG(0) & all;
	case IR_hi64:
		return ARG(0) >> 32;
	case IR_pack64:
		return ARG(0) | ARG(1) << 32;
	case IR_pack32:
		return ARG(0) | ARG(1) << 16;
	case IR_iand:
		k = ARG(1); /* the constant, if there is one */
		return k ? k & ARG(0) : 0;
	case IR_ior: case IR_ixor:
		k = ARG(0);
		return k == all ? all : k | ARG(1);
	case IR_umin: /* no larger than either */
		return smear(ARG(1)) & smear(ARG(0));
	case IR_select:
		k = ARG(1);
		return k == all ? all : k | ARG(2);
	case IR_iadd:
		k = ARG(0);
		if (k == all)
			return all;
		k |= ARG(1);
		return (smear(k) << 1 | 1) & all & ~((k & (0 - k)) - 1);
	case IR_shl:
		return ir_is_const(fn, in->a[1], &k) ? ARG(0) << (k & (w - 1)) & all : all;
	case IR_lshr:
		return ir_is_const(fn, in->a[1], &k) ? ARG(0) >> (k & (w - 1)) : smear(ARG(0));
	case IR_ubfe:
		if (!ir_is_const(fn, in->a[2], &k) || k >= w)
			return all;
		return (1ull << k) - 1;
	case IR_popc: case IR_clz: case IR_ctz:
		return 127;
	default:
		return all;
	}
#undef ARG
}
