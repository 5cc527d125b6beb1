/* upper.c - how large a word can be, see upper.h. */
#include "upper.h"

uint64_t upper_word(const struct ir_fn *fn, ir_id v, unsigned depth)
{
	const struct ir_inst *i = &fn->inst[v];
	const uint32_t *g = fn->workgroup;
	uint64_t top = ir_bits(i->type) >= 32 ? UINT32_MAX : (1ull << ir_bits(i->type)) - 1, k, x, y;

	if (ir_is_const(fn, v, &k))
		return k & UINT32_MAX;
	if (!depth)
		return top;
	depth--;
	switch (i->op) {
	case IR_iand: case IR_umin:
		x = upper_word(fn, i->a[0], depth);
		y = upper_word(fn, i->a[1], depth);
		return x < y ? x : y;
	case IR_iadd:
		x = upper_word(fn, i->a[0], depth) + upper_word(fn, i->a[1], depth);
		return x <= top ? x : top;
	case IR_imul:
		x = upper_word(fn, i->a[0], depth);
		y = upper_word(fn, i->a[1], depth);
		return x * y <= top ? x * y : top;
	case IR_ior: case IR_ixor:
		for (x = upper_word(fn, i->a[0], depth) | upper_word(fn, i->a[1], depth); x & (x + 1);)
			x |= x >> 1;
		return x <= top ? x : top;
	case IR_shl:
		x = ir_is_const(fn, i->a[1], &k) ? upper_word(fn, i->a[0], depth) << (k & 31) : top;
		return x <= top ? x : top;
	case IR_lshr: return ir_is_const(fn, i->a[1], &k) ? upper_word(fn, i->a[0], depth) >> (k & 31) : upper_word(fn, i->a[0], depth);
	case IR_ubfe: return ir_is_const(fn, i->a[2], &k) && k < 32 ? (1ull << k) - 1 : top;
	case IR_zext: return fn->inst[i->a[0]].type == IR_B1 ? 1 : upper_word(fn, i->a[0], depth);
	case IR_select:
		x = upper_word(fn, i->a[1], depth);
		y = upper_word(fn, i->a[2], depth);
		return x > y ? x : y;
	case IR_sysval:
		if (i->sub == SYSVAL_local_id && i->imm < 3 && g[i->imm])
			return g[i->imm] - 1;
		if (i->sub == SYSVAL_local_index && g[0] && g[1] && g[2])
			return (uint64_t)g[0] * g[1] * g[2] - 1;
		return i->sub == SYSVAL_lane_id ? fn->wave - 1u : top;
	default: return top;
	}
}
