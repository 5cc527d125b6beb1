/* nv_reg.c - registers as markers, operands with their modifiers, queued writes. */
#include "nv_lift.h"

ir_id nv_c32(struct nv_lift *l, uint32_t v)
{
	if (v)
		return ir_const(l->fn, IR_I32, v);
	if (!l->zero)
		l->zero = ir_const(l->fn, IR_I32, 0);
	return l->zero;
}

ir_id nv_bool(struct nv_lift *l, bool v)
{
	if (!l->truth[v])
		l->truth[v] = ir_const(l->fn, IR_B1, v);
	return l->truth[v];
}

/* ---- registers in the block at hand */
static const struct {
	uint16_t at, mask;
	uint8_t file;
	ir_type type;
} files[] = {
	[NVK_REG] = { NV_AT_GPR, 255, NV_FILE_GPR, IR_I32 },
	[NVK_UREG] = { NV_AT_UGPR, 63, NV_FILE_UGPR, IR_I32 },
	[NVK_PRED] = { NV_AT_PRED, 7, NV_FILE_PRED, IR_B1 },
	[NVK_UPRED] = { NV_AT_UPRED, 7, NV_FILE_UPRED, IR_B1 },
	[NVK_CC] = { NV_AT_CC, 0, NV_FILE_SPECIAL, IR_B1 },
};

/* Register `index` of an operand's file. */
static inline struct nv_cur *reg(struct nv_lift *l, unsigned kind, unsigned index)
{
	struct nv_cur *c;

	index &= files[kind].mask;
	c = &l->cur[files[kind].at + index];
	if (!c->marker)
		c->marker = ir_marker_new(l->fn, files[kind].type, files[kind].file, index) + 1;
	return c;
}

static inline void know(struct nv_lift *l, struct nv_cur *c, ir_id value, ir_id other)
{
	c->block = l->nblock;
	c->value = value;
	c->other = other;
}

static inline ir_id get(struct nv_lift *l, struct nv_cur *c)
{
	if (c->block != l->nblock)
		know(l, c, ir_mget(l->fn, c->marker - 1), 0);
	else if (!c->value)
		c->value = op1(l, IR_bitcast, IR_I32, c->other);
	return c->value;
}

static ir_id get_other(struct nv_lift *l, struct nv_cur *c)
{
	if (c->block != l->nblock || !c->other) {
		ir_id v = get(l, c);

		c->other = l->fn->inst[v].type == IR_B1 ? not1(l, v) : cast(l, IR_F32, v);
	}
	return c->other;
}

static inline void set(struct nv_lift *l, struct nv_cur *c, ir_id value)
{
	if (l->fn->inst[value].type == IR_F32)
		know(l, c, 0, value);
	else
		know(l, c, value, 0);
	if (c->dirty == l->nblock)
		return;
	c->dirty = l->nblock;
	l->dirty[l->ndirty++] = (uint16_t)(c - l->cur);
}

/* ---- guards */
static ir_id pred(struct nv_lift *l, const struct nv_opnd *o)
{
	struct nv_cur *c;

	if (o->kind != NVK_PRED && o->kind != NVK_UPRED)
		return nv_bool(l, false);
	if (o->index == NV_PT)
		return nv_bool(l, !o->inv);
	c = reg(l, o->kind, o->index);
	return o->inv ? get_other(l, c) : get(l, c);
}

ir_id nv_reg_guard(struct nv_lift *l)
{
	return pred(l, &l->in->guard);
}

ir_id nv_mask(struct nv_lift *l)
{
	return l->guard ? l->guard : nv_bool(l, true);
}

/* ---- reads */
static inline bool is_reg(const struct nv_opnd *o)
{
	return o->kind == NVK_REG || o->kind == NVK_UREG;
}

static ir_id bindless(struct nv_lift *l, const struct nv_opnd *o)
{
	ir_id w[4];

	w[0] = get(l, reg(l, NVK_UREG, o->index));
	w[1] = get(l, reg(l, NVK_UREG, o->index + 1u));
	w[2] = w[3] = nv_c32(l, 0);
	return ir_new(l->fn, IR_hbuf, IR_RES, 4, w);
}

static void access(struct nv_lift *l, ir_id id, ir_type t, uint32_t offset)
{
	struct ir_inst *i = &l->fn->inst[id];
	unsigned log = 0;

	while (8u << log < ir_bits(t))
		log++;
	i->imm = offset;
	i->flags |= (uint16_t)(log << IR_F_ALIGN_SHIFT);
}

ir_id nv_cbuf(struct nv_lift *l, const struct nv_opnd *o, ir_type t, ir_id offset, uint32_t more)
{
	ir_id base = offset ? offset : nv_c32(l, 0), id;

	if (o->bindless) {
		ir_id buffer = bindless(l, o), args[4] = {nv_bool(l, true), buffer, base, 0};

		id = ir_new(l->fn, IR_ldbuf, t, 4, args);
		access(l, id, t, o->value + more);
		return id;
	}
	if (o->bank >= 32 || l->facts->bank_table[o->bank] >= l->facts->ntable) {
		nv_refuse(l, "what constant bank c[%u] holds was not recorded", o->bank);
		return ir_undef(l->fn, t);
	}
	id = op1(l, IR_ldtab, t, base);
	l->fn->inst[id].sub = (uint16_t)l->facts->bank_table[o->bank];
	access(l, id, t, o->value + more);
	return id;
}

ir_id nv_word(struct nv_lift *l, const struct nv_opnd *o, unsigned i)
{
	if (nv_is_zero(o))
		return nv_c32(l, 0);
	if (is_reg(o))
		return get(l, reg(l, o->kind, o->index + i));
	if (o->kind == NVK_CBUF)
		return nv_cbuf(l, o, IR_I32, 0, 4 * i);
	return nv_c32(l, o->kind == NVK_IMM && !i ? o->value : 0);
}

ir_id nv_float_word(struct nv_lift *l, const struct nv_opnd *o, unsigned i)
{
	if (is_reg(o) && !nv_is_zero(o))
		return get_other(l, reg(l, o->kind, o->index + i));
	return cast(l, IR_F32, nv_word(l, o, i));
}

ir_id nv_int(struct nv_lift *l, unsigned i)
{
	const struct nv_opnd *o = &l->in->src[i];
	ir_id v = nv_word(l, o, 0);

	if (o->abs)
		nv_refuse(l, "absolute value of an integer operand");
	if (o->neg)
		v = op1(l, IR_ineg, IR_I32, v);
	return o->inv ? op1(l, IR_inot, IR_I32, v) : v;
}

ir_id nv_pair(struct nv_lift *l, const struct nv_opnd *o, unsigned i)
{
	ir_id low = nv_word(l, o, i), high = nv_word(l, o, i + 1);
	unsigned k = low % NV_PAIRS;

	if (l->pair[k].block != l->nblock || l->pair[k].low != low || l->pair[k].high != high) {
		l->pair[k].block = l->nblock;
		l->pair[k].low = low;
		l->pair[k].high = high;
		l->pair[k].value = op2(l, IR_pack64, IR_I64, low, high);
	}
	return l->pair[k].value;
}

ir_id nv_int64(struct nv_lift *l, unsigned i)
{
	const struct nv_opnd *o = &l->in->src[i];

	return nv_is_zero(o) ? ir_const(l->fn, IR_I64, 0) : nv_pair(l, o, 0);
}

static uint64_t sign_bit(ir_type t)
{
	return 1ull << (ir_bits(t) - 1);
}

static ir_id absolute(struct nv_lift *l, const struct nv_opnd *o, ir_type t, ir_id v)
{
	uint64_t k;

	if (!o->abs)
		return v;
	return ir_is_const(l->fn, v, &k) ? ir_const(l->fn, t, k & ~sign_bit(t)) : op1(l, IR_fabs, t, v);
}

static ir_id modify(struct nv_lift *l, const struct nv_opnd *o, ir_type t, ir_id v)
{
	uint64_t k;

	v = absolute(l, o, t, v);
	if (!o->neg)
		return v;
	return ir_is_const(l->fn, v, &k) ? ir_const(l->fn, t, k ^ sign_bit(t)) : op1(l, IR_fneg, t, v);
}

ir_id nv_f32(struct nv_lift *l, unsigned i)
{
	const struct nv_opnd *o = &l->in->src[i];

	return modify(l, o, IR_F32, nv_float_word(l, o, 0));
}

ir_id nv_signed32(struct nv_lift *l, unsigned i, bool *minus)
{
	const struct nv_opnd *o = &l->in->src[i];
	ir_id v = nv_float_word(l, o, 0);
	uint64_t k;

	*minus = o->neg && !ir_is_const(l->fn, v, &k);
	return *minus ? absolute(l, o, IR_F32, v) : modify(l, o, IR_F32, v);
}

ir_id nv_f64(struct nv_lift *l, unsigned i)
{
	const struct nv_opnd *o = &l->in->src[i];
	ir_id v = o->kind == NVK_IMM ? ir_const(l->fn, IR_I64, (uint64_t)o->value << 32) : nv_int64(l, i);

	return modify(l, o, IR_F64, cast(l, IR_F64, v));
}

ir_id nv_pred(struct nv_lift *l, unsigned i)
{
	return pred(l, &l->in->src[i]);
}

ir_id nv_carry(struct nv_lift *l)
{
	return get(l, reg(l, NVK_CC, 0));
}

ir_id nv_sysval(struct nv_lift *l, enum sysval s, unsigned comp)
{
	ir_id id = l->sysval[s][comp].value;

	if (l->sysval[s][comp].block == l->nblock)
		return id;
	id = ir_op0(l->fn, IR_sysval, IR_I32);
	l->fn->inst[id].sub = (uint16_t)s;
	l->fn->inst[id].imm = comp;
	l->sysval[s][comp].block = l->nblock;
	l->sysval[s][comp].value = id;
	return id;
}

ir_id nv_lane(struct nv_lift *l)
{
	return nv_sysval(l, SYSVAL_lane_id, 0);
}

/* ---- writes */
static ir_id guarded(struct nv_lift *l, struct nv_cur *c, ir_id value)
{
	if (l->fn->inst[value].type == IR_F32)
		value = cast(l, IR_I32, value);
	return op3(l, IR_select, l->fn->inst[value].type, l->guard, value, get(l, c));
}

static inline void put(struct nv_lift *l, const struct nv_opnd *d, unsigned i, ir_id value)
{
	struct nv_cur *c;

	if (nv_discards(d))
		return;
	c = reg(l, d->kind, d->index + i);
	if (l->npending == NV_MAX_PENDING) {
		nv_refuse(l, "too many results");
		return;
	}
	l->pending[l->npending].to = c;
	l->pending[l->npending++].value = l->guard ? guarded(l, c, value) : value;
}

void nv_set_word(struct nv_lift *l, unsigned n, unsigned i, ir_id value)
{
	put(l, &l->in->dst[n], i, value);
}

void nv_set(struct nv_lift *l, unsigned n, ir_id value)
{
	put(l, &l->in->dst[n], 0, value);
}

void nv_set64(struct nv_lift *l, unsigned n, ir_id value)
{
	value = cast(l, IR_I64, value);
	nv_set_word(l, n, 0, op1(l, IR_lo64, IR_I32, value));
	nv_set_word(l, n, 1, op1(l, IR_hi64, IR_I32, value));
}

void nv_reg_flush(struct nv_lift *l)
{
	for (unsigned i = 0; i < l->npending; i++)
		set(l, l->pending[i].to, l->pending[i].value);
	l->npending = 0;
}

void nv_reg_init(struct nv_lift *l, unsigned gpr, ir_id value)
{
	set(l, reg(l, NVK_REG, gpr), value);
}

void nv_block_begin(struct nv_lift *l, uint32_t block)
{
	l->fn->at = block;
	l->nblock++;
	l->ndirty = 0;
	l->ended = false;
}

void nv_block_end(struct nv_lift *l)
{
	for (unsigned i = 0; i < l->ndirty; i++)
		ir_mset(l->fn, l->cur[l->dirty[i]].marker - 1, get(l, &l->cur[l->dirty[i]]));
	l->ndirty = 0;
}
