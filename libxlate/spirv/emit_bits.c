/* emit_bits.c - counts, reversal and bit fields. SPIR-V for Vulkan has them for 32 bits; other widths are built on those. */
#include "emit.h"

static uint32_t u32_type(struct emit *e)
{
	return emit_type(e, IR_I32);
}

/* Low and high word of a 64-bit value. */
void emit_halves(struct emit *e, uint32_t v, uint32_t out[2])
{
	uint32_t pair = E_OP(e, Bitcast, emit_type(e, IR_VEC(IR_I32, 2)), v);

	out[0] = E_OP(e, CompositeExtract, u32_type(e), pair, 0);
	out[1] = E_OP(e, CompositeExtract, u32_type(e), pair, 1);
}

uint32_t emit_pack(struct emit *e, ir_type t, uint32_t lo, uint32_t hi)
{
	uint32_t type = emit_type(e, t);

	return E_OP(e, Bitcast, type, E_OP(e, CompositeConstruct, emit_type(e, IR_VEC(IR_I32, 2)), lo, hi));
}

/* Leading zeros: 31 - FindUMsb, which is -1 for zero. */
uint32_t emit_clz32(struct emit *e, uint32_t v)
{
	return E_OP(e, ISub, u32_type(e), emit_u32(e, 31), E_EXT(e, FindUMsb, u32_type(e), v));
}

static uint32_t is_zero(struct emit *e, uint32_t v)
{
	return E_OP(e, IEqual, emit_type(e, IR_B1), v, emit_u32(e, 0));
}

static uint32_t count64(struct emit *e, unsigned op, uint32_t v)
{
	uint32_t h[2], u32 = u32_type(e), a, b;

	emit_halves(e, v, h);
	switch (op) {
	case IR_popc: return E_OP(e, IAdd, u32, E_OP(e, BitCount, u32, h[0]), E_OP(e, BitCount, u32, h[1]));
	case IR_clz:
		a = emit_clz32(e, h[1]);
		b = E_OP(e, IAdd, u32, emit_clz32(e, h[0]), emit_u32(e, 32));
		return E_OP(e, Select, u32, is_zero(e, h[1]), b, a);
	default:
		a = E_EXT(e, FindILsb, u32, h[0]);
		b = E_EXT(e, UMin, u32, E_EXT(e, FindILsb, u32, h[1]), emit_u32(e, 32));
		b = E_OP(e, IAdd, u32, b, emit_u32(e, 32));
		return E_OP(e, Select, u32, is_zero(e, h[0]), b, a);
	}
}

static uint32_t count(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned op = i->op, w = ir_bits(emit_inst(e, i->a[0])->type);
	uint32_t u32 = u32_type(e), v;

	if (w == 64)
		return count64(e, op, emit_get(e, i->a[0]));
	v = emit_get_u32(e, i->a[0]);
	if (op == IR_popc)
		return E_OP(e, BitCount, u32, v);
	if (op == IR_clz)
		return E_OP(e, ISub, u32, emit_u32(e, w - 1), E_EXT(e, FindUMsb, u32, v));
	return E_EXT(e, UMin, u32, E_EXT(e, FindILsb, u32, v), emit_u32(e, w)); /* -1 for zero */
}

static uint32_t reverse(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned w = ir_bits(i->type);
	ir_type t = i->type;
	uint32_t u32 = u32_type(e), h[2], v;

	if (w == 64) {
		emit_halves(e, emit_get(e, i->a[0]), h);
		for (unsigned k = 0; k < 2; k++)
			h[k] = E_OP(e, BitReverse, u32, h[k]);
		return emit_pack(e, IR_I64, h[1], h[0]);
	}
	v = E_OP(e, BitReverse, u32, emit_get_u32(e, i->a[0]));
	if (w == 32)
		return v;
	v = E_OP(e, ShiftRightLogical, u32, v, emit_u32(e, 32 - w));
	return E_OP(e, UConvert, emit_type(e, t), v);
}

/* min(v, limit), nothing where the bound is known. */
static uint32_t at_most(struct emit *e, ir_id v, uint32_t limit)
{
	uint64_t k;

	if (emit_is_const(e, v, &k))
		return emit_u32(e, k < limit ? (uint32_t)k : limit);
	if (emit_max(e, v, 4) <= limit)
		return emit_get(e, v);
	return E_EXT(e, UMin, u32_type(e), emit_get(e, v), emit_u32(e, limit));
}

/* A field of a 32-bit value, offset and width made to fit: offset <= top, offset + width <= 32. */
static uint32_t field32(struct emit *e, bool sign, uint32_t v, ir_id off, ir_id width)
{
	uint32_t u32 = u32_type(e), top = sign ? 31 : 32, o, n;
	uint64_t ko, kn;
	bool co = emit_is_const(e, off, &ko), cn = emit_is_const(e, width, &kn);

	if (co && ko > top)
		ko = top;
	o = at_most(e, off, top);
	if (co && cn)
		n = emit_u32(e, kn < 32 - ko ? (uint32_t)kn : (uint32_t)(32 - ko));
	else if (co)
		n = at_most(e, width, (uint32_t)(32 - ko));
	else if (emit_max(e, off, 4) + emit_max(e, width, 4) <= 32 && emit_max(e, width, 4) <= 32)
		n = emit_get_u32(e, width);
	else
		n = E_EXT(e, UMin, u32, emit_get_u32(e, width), E_OP(e, ISub, u32, emit_u32(e, 32), o));
	return emit_op(e, sign ? SpvOpBitFieldSExtract : SpvOpBitFieldUExtract, u32, (uint32_t[]){v, o, n}, 3);
}

/* Fields of 64 bits by shifts. */
static uint32_t field64(struct emit *e, bool sign, uint32_t v, ir_id off, ir_id width)
{
	uint32_t u64 = emit_type(e, IR_I64), u32 = u32_type(e), b1 = emit_type(e, IR_B1), t, o = at_most(e, off, 63), n = at_most(e, width, 64);
	uint32_t zero = emit_const(e, IR_I64, 0), l;

	t = emit_op(e, sign ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical, u64, (uint32_t[]){v, o}, 2);
	l = E_OP(e, ISub, u32, emit_u32(e, 64), n); /* bits to drop above the field; 64 when it is empty */
	l = E_EXT(e, UMin, u32, l, emit_u32(e, 63));
	t = E_OP(e, ShiftLeftLogical, u64, t, l);
	t = emit_op(e, sign ? SpvOpShiftRightArithmetic : SpvOpShiftRightLogical, u64, (uint32_t[]){t, l}, 2);
	t = E_OP(e, Select, u64, is_zero(e, n), zero, t);
	if (!sign && emit_max(e, off, 4) > 63) {
		uint32_t past = E_OP(e, UGreaterThan, b1, emit_get(e, off), emit_u32(e, 63));
		t = E_OP(e, Select, u64, past, zero, t);
	}
	return t;
}

static uint32_t field(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool sign = i->op == IR_sbfe;
	unsigned w = ir_bits(i->type);
	ir_type t = i->type;
	uint32_t v;

	if (w == 64)
		return field64(e, sign, emit_get(e, i->a[0]), i->a[1], i->a[2]);
	if (w == 32)
		return field32(e, sign, emit_get(e, i->a[0]), i->a[1], i->a[2]);
	/* the bits past the narrow value are those of its extension, so the 32-bit field is the same */
	v = emit_get(e, i->a[0]);
	v = emit_op(e, sign ? SpvOpSConvert : SpvOpUConvert, u32_type(e), &v, 1);
	return E_OP(e, UConvert, emit_type(e, t), field32(e, sign, v, i->a[1], i->a[2]));
}

bool emit_bits_select(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id), *n = emit_inst(e, i->a[2]);
	uint64_t k;

	if (n->op != IR_ctz || ir_bits(emit_inst(e, n->a[0])->type) > 32 || !emit_is_const(e, i->a[1], &k) || k != UINT32_MAX ||
	    !ir_is_zero_test(e->fn, i->a[0], n->a[0]))
		return false;
	e->val[id] = E_EXT(e, FindILsb, u32_type(e), emit_get_u32(e, n->a[0]));
	return true;
}

bool emit_bits_diff(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id), *n = emit_inst(e, i->a[1]);
	uint64_t k;

	if (n->op != IR_clz || ir_bits(emit_inst(e, n->a[0])->type) != 32 || !emit_is_const(e, i->a[0], &k) || k != 31)
		return false;
	const struct ir_inst *x = emit_inst(e, n->a[0]);
	for (unsigned s = 0; s < 2 && x->op == IR_ixor; s++) { /* the sign turned away */
		const struct ir_inst *sign = emit_inst(e, x->a[s]);
		if (sign->op == IR_ashr && sign->a[0] == x->a[!s] && emit_is_const(e, sign->a[1], &k) && k == 31) {
			e->val[id] = E_EXT(e, FindSMsb, u32_type(e), emit_get(e, x->a[!s]));
			return true;
		}
	}
	e->val[id] = E_EXT(e, FindUMsb, u32_type(e), emit_get(e, n->a[0]));
	return true;
}

void emit_bits_op(struct emit *e, ir_id id)
{
	unsigned op = emit_inst(e, id)->op;

	if (op == IR_brev)
		e->val[id] = reverse(e, id);
	else if (op == IR_ubfe || op == IR_sbfe)
		e->val[id] = field(e, id);
	else
		e->val[id] = count(e, id);
}
