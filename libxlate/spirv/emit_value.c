/* emit_value.c - types, constants, and the forms that a value may take. See emit.h. */
#include "emit.h"

#include <assert.h>
#include <string.h>

uint32_t emit_void(struct emit *e)
{
	return words_type(&e->m, SpvOpTypeVoid, NULL, 0);
}

static uint32_t scalar_type(struct emit *e, unsigned base)
{
	const struct fact_target *t = e->t;

	switch (base) {
	case IR_B1: return words_type(&e->m, SpvOpTypeBool, NULL, 0);
	case IR_I8: emit_need(e, t->int8, SpvCapabilityInt8, "shaderInt8"); break;
	case IR_I16: emit_need(e, t->int16, SpvCapabilityInt16, "shaderInt16"); break;
	case IR_I64: emit_need(e, t->int64, SpvCapabilityInt64, "shaderInt64"); break;
	case IR_F16: emit_need(e, t->f16, SpvCapabilityFloat16, "shaderFloat16"); break;
	case IR_F64: emit_need(e, t->f64, SpvCapabilityFloat64, "shaderFloat64"); break;
	default: break;
	}
	if (base >= IR_F16 && base <= IR_F64)
		return words_type(&e->m, SpvOpTypeFloat, WORDS_ARGS(ir_bits((ir_type)base)));
	if (base >= IR_I8 && base <= IR_I64)
		return words_type(&e->m, SpvOpTypeInt, WORDS_ARGS(ir_bits((ir_type)base), 0));
	return emit_void(e);
}

uint32_t emit_new_type(struct emit *e, ir_type t)
{
	uint32_t *known = &e->type[t & 63], s;

	if (ir_elems(t) == 1)
		return *known = scalar_type(e, ir_base(t));
	s = emit_type(e, (ir_type)ir_base(t));
	return *known = words_type(&e->m, SpvOpTypeVector, WORDS_ARGS(s, ir_elems(t)));
}

uint32_t emit_vec_type(struct emit *e, ir_type base, unsigned n)
{
	return emit_type(e, n > 1 ? IR_VEC(ir_base(base), n) : (ir_type)ir_base(base));
}

uint32_t emit_pointer(struct emit *e, SpvStorageClass c, uint32_t type)
{
	return words_type(&e->m, SpvOpTypePointer, WORDS_ARGS((uint32_t)c, type));
}

uint32_t emit_true(struct emit *e, bool v)
{
	return words_const(&e->m, v ? SpvOpConstantTrue : SpvOpConstantFalse, emit_type(e, IR_B1), NULL, 0);
}

/* Where a constant stands among those known, or will: open addressing. */
static struct emit_const *const_place(struct emit *e, ir_type t, uint64_t bits)
{
	struct emit_const *c = emit_const_slot(e, t, bits), *end = e->konst + ((size_t)1 << e->konst_bits);

	while (c->type && (c->bits != bits || c->type != t))
		c = c + 1 < end ? c + 1 : e->konst;
	return c;
}

static void more_consts(struct emit *e)
{
	struct emit_const *old = e->konst;
	size_t n = old ? (size_t)1 << e->konst_bits : 0;

	e->konst_bits = old ? e->konst_bits + 1 : EMIT_CONSTS;
	e->konst = arena_array(e->arena, struct emit_const, (size_t)1 << e->konst_bits);
	for (size_t k = 0; k < n; k++)
		if (old[k].type)
			*const_place(e, old[k].type, old[k].bits) = old[k];
}

/* Of a vector: all elements are `one`. */
static uint32_t new_const(struct emit *e, ir_type t, uint64_t bits, uint32_t one)
{
	uint32_t n = ir_bits(t) == 64 ? 2 : 1, type, *w;

	if (t == IR_B1)
		return emit_true(e, bits);
	type = emit_type(e, t); /* the type must precede the constant */
	if (ir_elems(t) > 1)
		return words_const(&e->m, SpvOpConstantComposite, type, (uint32_t[]){one, one, one, one}, ir_elems(t));
	w = words_room(&e->m, SEC_GLOBAL, 3 + n);
	w[0] = words_head(&e->m, SpvOpConstant, 3 + n);
	w[1] = type;
	w[2] = words_id(&e->m);
	w[3] = (uint32_t)bits;
	if (n == 2)
		w[4] = (uint32_t)(bits >> 32);
	return w[2];
}

uint32_t emit_find_const(struct emit *e, ir_type t, uint64_t bits)
{
	struct emit_const *c;
	uint32_t one = 0;

	if (ir_bits(t) < 64)
		bits &= (1ull << ir_bits(t)) - 1;
	if (ir_elems(t) > 1)
		one = emit_const(e, (ir_type)ir_base(t), bits);
	if (e->nkonst >> (e->konst_bits - 1))
		more_consts(e);
	c = const_place(e, t, bits);
	if (!c->type) {
		*c = (struct emit_const){bits, new_const(e, t, bits, one), t}; /* which makes no other */
		e->nkonst++;
	}
	return c->id;
}

void emit_consts_init(struct emit *e) { more_consts(e); }

uint32_t emit_f32(struct emit *e, float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return emit_const(e, IR_F32, bits);
}

uint32_t emit_undef(struct emit *e, ir_type t)
{
	return words_const(&e->m, SpvOpUndef, emit_type(e, t), NULL, 0);
}

/* Apart from emit_op, which so has nothing to save. */
static __attribute__((noinline)) uint32_t grow_and_op(struct emit *e, SpvOp op, uint32_t type, const uint32_t *args, size_t n)
{
	words_grow(&e->m, e->to, n + 3);
	return emit_op(e, op, type, args, n);
}

uint32_t emit_op(struct emit *e, SpvOp op, uint32_t type, const uint32_t *args, size_t n)
{
	uint32_t *w, id;

	if (words_full(&e->m, e->to, n + 3))
		return grow_and_op(e, op, type, args, n);
	w = words_room(&e->m, e->to, n + 3);
	id = words_id(&e->m);
	w[0] = words_head(&e->m, op, n + 3);
	w[1] = type;
	w[2] = id;
	for (size_t k = 0; k < n; k++) /* a few words: less than a call */
		w[k + 3] = args[k];
	return id;
}

/* Operands, without a loop over how many: what is written behind them is no part of the module yet. */
static inline void put_few(uint32_t *w, const uint32_t *a)
{
	w[0] = a[0];
	w[1] = a[1];
	w[2] = a[2];
	w[3] = a[3];
}

uint32_t emit_few(struct emit *e, SpvOp op, uint32_t type, const uint32_t args[EMIT_FEW], size_t n)
{
	uint32_t id;

	if ((n > EMIT_FEW) | emit_short_of_room(e))
		return emit_op(e, op, type, args, n);
	put_few(emit_start(e, e->to, op, type, (unsigned)n, &id), args);
	return id;
}

uint32_t emit_ext(struct emit *e, enum GLSLstd450 op, uint32_t type, const uint32_t *args, size_t n)
{
	uint32_t w[8] = {words_glsl(&e->m), (uint32_t)op};

	if (n > 6)
		n = 6;
	for (size_t k = 0; k < n; k++)
		w[k + 2] = args[k];
	return emit_op(e, SpvOpExtInst, type, w, n + 2);
}

void emit_stmt(struct emit *e, SpvOp op, const uint32_t *args, size_t n)
{
	words_put(&e->m, SEC_BODY, op, args, n);
}

/* Takes the last operands back. They are valid until the next one. */
static const uint32_t *take_args(struct emit *e, unsigned n)
{
	assert(e->narg >= n);
	e->narg = (uint8_t)(e->narg - n);
	return e->arg + e->narg;
}

uint32_t emit_op_of(struct emit *e, SpvOp op, unsigned n)
{
	const uint32_t *a = take_args(e, n + 1);

	return emit_few(e, op, a[0], a + 1, n);
}

uint32_t emit_ext_of(struct emit *e, enum GLSLstd450 op, unsigned n)
{
	const uint32_t *a = take_args(e, n + 1);

	return emit_ext(e, op, a[0], a + 1, n);
}

void emit_stmt_of(struct emit *e, SpvOp op, unsigned n)
{
	const uint32_t *a = take_args(e, n);
	uint32_t *w;

	if ((n > EMIT_FEW) | words_full(&e->m, SEC_BODY, EMIT_ROOM)) {
		emit_stmt(e, op, a, n);
		return;
	}
	w = words_room(&e->m, SEC_BODY, n + 1);
	w[0] = words_head(&e->m, op, n + 1);
	put_few(w + 1, a);
}

/* Values of a constant or undef need no place in a block. */
static uint32_t global_value(struct emit *e, ir_id v, ir_type as)
{
	const struct ir_inst *i = emit_inst(e, v);

	if (i->op == IR_const)
		return emit_const(e, as, i->imm);
	if (i->op == IR_undef)
		return emit_undef(e, as);
	return 0;
}

static uint32_t gather(struct emit *e, ir_type t, const uint32_t part[EMIT_FEW])
{
	return emit_few(e, SpvOpCompositeConstruct, emit_type(e, t), part, ir_elems(t));
}

uint32_t emit_new_value(struct emit *e, ir_id v)
{
	ir_type t = emit_inst(e, v)->type;

	if ((e->val[v] = global_value(e, v, t)) != 0)
		return e->val[v];
	if (e->part[v])
		return gather(e, t, e->comp + e->part[v]);
	if (e->alt[v])
		return E_OP(e, Bitcast, emit_type(e, t), e->alt[v]);
	if (e->part_alt[v])
		return E_OP(e, Bitcast, emit_type(e, t), gather(e, emit_alt_type(t), e->comp + e->part_alt[v]));
	emit_refuse(e, DIAG_VERIFY, "value of %s is used but was not emitted", ir_ops[emit_inst(e, v)->op].name);
	e->val[v] = emit_undef(e, t);
	return e->val[v];
}

uint32_t emit_get_as(struct emit *e, ir_id v, ir_type as)
{
	const struct ir_inst *i = emit_inst(e, v);
	ir_type t = i->type;

	if (as == t)
		return emit_get(e, v);
	if (ir_elems(as) == ir_elems(t) && ir_bits(as) == ir_bits(t)) {
		if (i->op == IR_const || i->op == IR_undef)
			return global_value(e, v, as);
		if (e->alt[v])
			return e->alt[v];
		if (!e->val[v] && e->part_alt[v])
			return gather(e, as, e->comp + e->part_alt[v]);
	}
	return E_OP(e, Bitcast, emit_type(e, as), emit_get(e, v));
}

uint32_t emit_get_part(struct emit *e, ir_id v, unsigned k)
{
	ir_type t = emit_inst(e, v)->type;

	return emit_get_part_as(e, v, k, (ir_type)ir_base(t));
}

uint32_t emit_get_part_as(struct emit *e, ir_id v, unsigned k, ir_type as)
{
	const struct ir_inst *i = emit_inst(e, v);
	ir_type t = i->type;
	bool self = ir_base(as) == ir_base(t);

	if (ir_elems(t) == 1)
		return emit_get_as(e, v, as);
	if (i->op == IR_const || i->op == IR_undef)
		return global_value(e, v, as);
	if (self && e->part[v])
		return e->comp[e->part[v] + k];
	if (!self && e->part_alt[v])
		return e->comp[e->part_alt[v] + k];
	if (self && e->val[v])
		return E_OP(e, CompositeExtract, emit_type(e, as), e->val[v], k);
	if (!self && e->alt[v])
		return E_OP(e, CompositeExtract, emit_type(e, as), e->alt[v], k);
	uint32_t have = self ? emit_get_part_as(e, v, k, emit_alt_type((ir_type)ir_base(t))) : emit_get_part(e, v, k);
	return E_OP(e, Bitcast, emit_type(e, as), have);
}

uint32_t emit_get_u32(struct emit *e, ir_id v)
{
	ir_type t = emit_inst(e, v)->type;
	uint64_t bits;

	if (emit_is_const(e, v, &bits))
		return emit_u32(e, (uint32_t)bits);
	if (ir_base(t) == IR_I32)
		return emit_get(e, v);
	if (ir_base(t) == IR_F32)
		return emit_get_as(e, v, IR_I32);
	if (ir_is_float(t))
		return E_OP(e, UConvert, emit_type(e, IR_I32), emit_get_as(e, v, emit_alt_type(t)));
	return E_OP(e, UConvert, emit_type(e, IR_I32), emit_get(e, v));
}

void emit_set(struct emit *e, ir_id v, ir_type t, uint32_t id)
{
	ir_type own = emit_inst(e, v)->type;
	uint8_t want = e->want[v];

	if (t == own) {
		e->val[v] = id;
		return;
	}
	e->alt[v] = id;
	if (want & (WANT_SELF | WANT_PART)) /* readers of the own class: convert here, where it dominates them */
		e->val[v] = E_OP(e, Bitcast, emit_type(e, own), id);
}

static uint32_t keep_parts(struct emit *e, const uint32_t *parts, unsigned n)
{
	size_t at = e->ncomp ? e->ncomp : 1;

	e->comp = arena_grow_raw(e->arena, e->comp, e->ncomp, &e->comp_cap, at + EMIT_FEW, sizeof *e->comp);
	memcpy(e->comp + at, parts, n * sizeof *parts);
	e->ncomp = at + n;
	return (uint32_t)at;
}

void emit_set_parts(struct emit *e, ir_id v, ir_type base, const uint32_t parts[EMIT_FEW])
{
	ir_type own = emit_inst(e, v)->type;
	unsigned n = ir_elems(own);
	uint8_t want = e->want[v];
	uint32_t at;

	if (n == 1) {
		emit_set(e, v, (ir_type)ir_base(base), parts[0]);
		return;
	}
	at = keep_parts(e, parts, n);
	if (ir_base(base) == ir_base(own)) {
		e->part[v] = at;
		if (want & WANT_SELF)
			e->val[v] = gather(e, own, parts);
		return;
	}
	e->part_alt[v] = at;
	if (want & (WANT_SELF | WANT_ALT))
		e->alt[v] = gather(e, emit_alt_type(own), parts);
	if (want & (WANT_SELF | WANT_PART))
		e->val[v] = E_OP(e, Bitcast, emit_type(e, own), e->alt[v] ? e->alt[v] : gather(e, emit_alt_type(own), parts));
}

void emit_exact_more(struct emit *e, size_t n)
{
	e->exact = arena_grow_raw(e->arena, e->exact, e->nexact, &e->exact_cap, e->nexact + n, sizeof *e->exact);
}

/* An upper bound of an unsigned value, from its form alone. */
uint64_t emit_max(const struct emit *e, ir_id v, unsigned depth)
{
	const struct ir_inst *i = emit_inst(e, v);
	unsigned w = ir_bits(i->type);
	uint64_t all = w >= 64 ? UINT64_MAX : (1ull << w) - 1, a, b, k;
	uint64_t group = (uint64_t)e->fn->workgroup[0] * e->fn->workgroup[1] * e->fn->workgroup[2];

	if (emit_is_const(e, v, &k))
		return k;
	if (!depth)
		return all;
	switch (i->op) {
	case IR_sysval:
		if (i->sub == SYSVAL_lane_id)
			return e->fn->wave - 1u;
		if (group && (i->sub == SYSVAL_local_index || i->sub == SYSVAL_local_id || i->sub == SYSVAL_wave_in_group))
			return group - 1;
		return all;
	case IR_iadd: case IR_ior:
		a = emit_max(e, i->a[0], depth - 1);
		b = emit_max(e, i->a[1], depth - 1);
		return a <= all - b ? a + b : all;
	case IR_shl:
		if (!emit_is_const(e, i->a[1], &k))
			return all;
		a = emit_max(e, i->a[0], depth - 1);
		return a <= all >> (k & (w - 1)) ? a << (k & (w - 1)) : all;
	case IR_iand:
	case IR_umin:
		a = emit_max(e, i->a[0], depth - 1);
		b = emit_max(e, i->a[1], depth - 1);
		return a < b ? a : b;
	case IR_zext:
		k = emit_max(e, i->a[0], depth - 1);
		return k < all ? k : all;
	case IR_lshr:
		if (emit_is_const(e, i->a[1], &k))
			return emit_max(e, i->a[0], depth - 1) >> (k & (w - 1));
		return all;
	case IR_ubfe:
		if (emit_is_const(e, i->a[2], &k) && k < w)
			return (1ull << k) - 1;
		return all;
	case IR_select:
		a = emit_max(e, i->a[1], depth - 1);
		b = emit_max(e, i->a[2], depth - 1);
		return a > b ? a : b;
	case IR_popc: case IR_clz: case IR_ctz: return 64;
	default: return all;
	}
}
