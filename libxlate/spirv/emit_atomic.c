/* emit_atomic.c - atomics on buffers, shared memory and images. What SPIR-V has no instruction for (wrapping increments,
 * float minimum and maximum, floats without the extension, stores of part of a word) is a compare-and-exchange loop.
 */
#include "emit.h"

static const uint16_t direct[ATOMIC_COUNT] = {
	[ATOMIC_add] = SpvOpAtomicIAdd, [ATOMIC_sub] = SpvOpAtomicISub, [ATOMIC_smin] = SpvOpAtomicSMin,
	[ATOMIC_umin] = SpvOpAtomicUMin, [ATOMIC_smax] = SpvOpAtomicSMax, [ATOMIC_umax] = SpvOpAtomicUMax,
	[ATOMIC_and] = SpvOpAtomicAnd, [ATOMIC_or] = SpvOpAtomicOr, [ATOMIC_xor] = SpvOpAtomicXor,
	[ATOMIC_xchg] = SpvOpAtomicExchange,
};

void emit_cas_begin(struct emit *e, struct emit_cas *c, uint32_t type, uint32_t pointer, SpvScope scope)
{
	c->header = words_id(&e->m);
	c->body = words_id(&e->m);
	c->next = words_id(&e->m);
	c->merge = words_id(&e->m);
	c->pointer = pointer;
	c->type = type;
	c->scope = emit_u32(e, (uint32_t)scope);
	c->zero = emit_u32(e, 0);
	E_STMT(e, Branch, c->header);
	emit_new_label(e, c->header);
	E_STMT(e, LoopMerge, c->merge, c->next, 0);
	E_STMT(e, Branch, c->body);
	emit_new_label(e, c->body);
	c->old = E_OP(e, AtomicLoad, type, pointer, c->scope, c->zero);
}

uint32_t emit_cas_end(struct emit *e, struct emit_cas *c, uint32_t value)
{
	uint32_t got = E_OP(e, AtomicCompareExchange, c->type, c->pointer, c->scope, c->zero, c->zero, value, c->old);
	uint32_t same = E_OP(e, IEqual, emit_type(e, IR_B1), got, c->old);

	E_STMT(e, BranchConditional, same, c->merge, c->next);
	emit_new_label(e, c->next);
	E_STMT(e, Branch, c->header);
	emit_new_label(e, c->merge);
	return c->old;
}

/* Store `value` (zero above its width) into the bits at `shift` of a word that other lanes write too. */
void emit_insert(struct emit *e, const struct emit_access *a, uint32_t pointer, uint32_t shift, uint32_t value)
{
	uint32_t u32 = emit_type(e, IR_I32), mask, keep, v;
	struct emit_cas c;

	if (a->space == MEM_BUFFER && e->res[a->res].is_float) { /* cannot be: atomics vote for integers */
		emit_refuse(e, DIAG_MISSING_FEATURE, "a store of part of a float word");
		return;
	}
	mask = E_OP(e, ShiftLeftLogical, u32, emit_u32(e, (1u << a->bits) - 1), shift);
	keep = E_OP(e, Not, u32, mask);
	v = E_OP(e, ShiftLeftLogical, u32, value, shift);
	emit_cas_begin(e, &c, u32, pointer, a->space == MEM_SHARED ? SpvScopeWorkgroup : emit_scope(e, SCOPE_DEVICE));
	emit_cas_end(e, &c, E_OP(e, BitwiseOr, u32, E_OP(e, BitwiseAnd, u32, c.old, keep), v));
}

/* The new value of an op in a loop. */
uint32_t emit_atomic_next(struct emit *e, unsigned op, ir_type t, uint32_t old, const uint32_t *value)
{
	uint32_t type = emit_type(e, t), b1 = emit_type(e, IR_B1), c, d, one = emit_const(e, t, 1), zero = emit_const(e, t, 0);
	ir_type ft = emit_alt_type(t);
	uint32_t ftype, x, y, v = value[0];

	switch (op) {
	case ATOMIC_inc:
		c = E_OP(e, UGreaterThanEqual, b1, old, v);
		return E_OP(e, Select, type, c, zero, E_OP(e, IAdd, type, old, one));
	case ATOMIC_dec:
		c = E_OP(e, IEqual, b1, old, zero);
		d = E_OP(e, UGreaterThan, b1, old, v);
		c = E_OP(e, LogicalOr, b1, c, d);
		return E_OP(e, Select, type, c, v, E_OP(e, ISub, type, old, one));
	case ATOMIC_xchg: return v;
	case ATOMIC_cmpxchg: return E_OP(e, Select, type, E_OP(e, IEqual, b1, old, v), value[1], old);
	case ATOMIC_add: return E_OP(e, IAdd, type, old, v);
	case ATOMIC_sub: return E_OP(e, ISub, type, old, v);
	case ATOMIC_and: return E_OP(e, BitwiseAnd, type, old, v);
	case ATOMIC_or: return E_OP(e, BitwiseOr, type, old, v);
	case ATOMIC_xor: return E_OP(e, BitwiseXor, type, old, v);
	case ATOMIC_smin: return E_EXT(e, SMin, type, old, v);
	case ATOMIC_smax: return E_EXT(e, SMax, type, old, v);
	case ATOMIC_umin: return E_EXT(e, UMin, type, old, v);
	case ATOMIC_umax: return E_EXT(e, UMax, type, old, v);
	case ATOMIC_rsub: return E_OP(e, ISub, type, v, old);
	case ATOMIC_csub:
		c = E_OP(e, ULessThan, b1, old, v);
		return E_OP(e, Select, type, c, zero, E_OP(e, ISub, type, old, v));
	case ATOMIC_mskor:
		x = E_OP(e, Not, type, v);
		return E_OP(e, BitwiseOr, type, E_OP(e, BitwiseAnd, type, old, x), value[1]);
	case ATOMIC_wrap:
		c = E_OP(e, UGreaterThanEqual, b1, old, v);
		x = E_OP(e, ISub, type, old, v);
		return E_OP(e, Select, type, c, x, E_OP(e, IAdd, type, old, value[1]));
	default: break;
	}
	ftype = emit_type(e, ft);
	emit_computes(e, ft);
	x = E_OP(e, Bitcast, ftype, old);
	y = E_OP(e, Bitcast, ftype, v);
	if (op == ATOMIC_fcmpxchg)
		return E_OP(e, Select, type, E_OP(e, FOrdEqual, b1, x, y), value[1], old);
	if (op == ATOMIC_fadd) {
		x = E_OP(e, FAdd, ftype, x, y);
		emit_exact(e, x);
	} else if (op == ATOMIC_fmin)
		x = E_EXT(e, NMin, ftype, x, y);
	else
		x = E_EXT(e, NMax, ftype, x, y);
	return E_OP(e, Bitcast, type, x);
}

/* value[0]: operand (the comparand of cmpxchg), value[1]: new value of cmpxchg; all of integer type `t`, or of `type` where
 * that is not 0 (signed images). */
uint32_t emit_atomic_op(struct emit *e, unsigned op, ir_type t, uint32_t as, uint32_t pointer, SpvScope scope, const uint32_t *value)
{
	uint32_t type = as ? as : emit_type(e, t), s = emit_u32(e, (uint32_t)scope), zero = emit_u32(e, 0);
	struct emit_cas c;

	if (op >= ATOMIC_COUNT) {
		emit_refuse(e, DIAG_UNLIFTED, "atomic %u", op);
		return emit_undef(e, t);
	}
	if (t == IR_F32 && (op == ATOMIC_fmin || op == ATOMIC_fmax)) {
		emit_need(e, e->t->image_float_minmax, SpvCapabilityAtomicFloat32MinMaxEXT, "shaderImageFloat32AtomicMinMax");
		words_extension(&e->m, "SPV_EXT_shader_atomic_float_min_max");
		return emit_op(e, op == ATOMIC_fmin ? SpvOpAtomicFMinEXT : SpvOpAtomicFMaxEXT, type, (uint32_t[]){pointer, s, zero, value[0]}, 4);
	}
	if (op == ATOMIC_cmpxchg)
		return E_OP(e, AtomicCompareExchange, type, pointer, s, zero, zero, value[1], value[0]);
	if (direct[op])
		return emit_op(e, (SpvOp)direct[op], type, (uint32_t[]){pointer, s, zero, value[0]}, 4);
	if (as && as != emit_type(e, t)) { /* signed integers: the values are computed without sign */
		uint32_t u[2] = {0}, u32 = emit_type(e, t);
		for (unsigned k = 0; k < 2 && value[k]; k++)
			u[k] = E_OP(e, Bitcast, u32, value[k]);
		emit_cas_begin(e, &c, type, pointer, scope);
		return emit_cas_end(e, &c, E_OP(e, Bitcast, type, emit_atomic_next(e, op, t, E_OP(e, Bitcast, u32, c.old), u)));
	}
	emit_cas_begin(e, &c, type, pointer, scope);
	return emit_cas_end(e, &c, emit_atomic_next(e, op, t, c.old, value));
}

/* Increment and decrement whose bound is all ones never wrap early: plain additions. */
static unsigned simplify(struct emit *e, unsigned op, ir_type t, ir_id v, uint32_t *value)
{
	uint64_t k, all = ir_bits(t) == 64 ? UINT64_MAX : UINT32_MAX;

	if ((op != ATOMIC_inc && op != ATOMIC_dec) || !emit_is_const(e, v, &k) || k != all)
		return op;
	*value = emit_const(e, t, 1);
	return op == ATOMIC_inc ? ATOMIC_add : ATOMIC_sub;
}

static bool float_native(const struct emit *e, const struct ir_inst *i, const struct emit_access *a)
{
	return i->sub == ATOMIC_fadd && a->bits == 32 && a->space == MEM_BUFFER && e->t->float_atomics;
}

static uint32_t float_add(struct emit *e, const struct emit_access *a, SpvScope scope)
{
	uint32_t pointer = emit_chain(e, a, VIEW_F32, emit_index(e, a, 2, 0), -1), s = emit_u32(e, (uint32_t)scope);

	words_capability(&e->m, SpvCapabilityAtomicFloat32AddEXT);
	words_extension(&e->m, "SPV_EXT_shader_atomic_float_add");
	return E_OP(e, AtomicFAddEXT, emit_type(e, IR_F32), pointer, s, emit_u32(e, 0), emit_get_as(e, a->value, IR_F32));
}

static void atomic_pointer(struct emit *e, const struct emit_access *a, uint32_t *pointer)
{
	if (a->bits == 32) {
		*pointer = emit_chain(e, a, VIEW_U32, emit_index(e, a, 2, 0), -1);
		return;
	}
	emit_int64_atomics(e, a->space == MEM_SHARED);
	*pointer = emit_chain(e, a, VIEW_U64, emit_index(e, a, 3, 0), -1);
}

void emit_atomic(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const struct emit_access *known = emit_access_of(e, id, true);
	struct emit_access a;
	struct emit_guard g;
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t value[2] = {0}, v, pointer;
	unsigned op = i->sub, first;
	SpvScope scope;
	ir_type t = ir_int_of_bits(ir_bits(i->type));

	e->val[id] = 0;
	if (!known || (known->bits != 32 && known->bits != 64) || known->n != 1 ||
	    (known->space == MEM_BUFFER && e->fn->res[known->res].kind != RES_STORAGE_BUFFER)) {
		if (!e->failed)
			emit_refuse(e, DIAG_MISSING_FEATURE, "a %u-bit atomic in this kind of memory", ir_bits(i->type));
		e->val[id] = emit_undef(e, i->type);
		return;
	}
	a = *known;
	first = a.space == MEM_BUFFER ? 4 : 2;
	scope = a.space == MEM_SHARED ? SpvScopeWorkgroup : emit_scope(e, SCOPE_DEVICE);
	bool guarded = emit_guard_begin(e, arg[0], &g);
	if (float_native(e, i, &a)) {
		v = float_add(e, &a, scope);
		if (ir_is_int(a.type))
			v = E_OP(e, Bitcast, emit_type(e, a.type), v);
	} else {
		if (ir_atomic_two(op) && !arg[first + 1])
			emit_refuse(e, DIAG_VERIFY, "an atomic without its second value");
		for (unsigned k = 0; k < 2 && first + k < ir_nargs(e->fn, id) && arg[first + k]; k++)
			value[k] = emit_get_as(e, arg[first + k], t);
		op = simplify(e, op, t, arg[first], &value[0]);
		if (a.bits == 32 && a.wide)
			v = emit_shared_atomic(e, &a, op, value);
		else {
			atomic_pointer(e, &a, &pointer);
			v = emit_atomic_op(e, op, t, 0, pointer, scope, value);
		}
		if (ir_is_float(a.type))
			v = E_OP(e, Bitcast, emit_type(e, a.type), v);
	}
	if (guarded)
		emit_guard_end(e, &g, emit_type(e, a.type), &v);
	emit_set(e, id, a.type, v);
}

void emit_image_atomic(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	uint32_t res, pointer, value[2] = {0}, coord, v, texel, n;
	struct emit_guard g;
	ir_type t = IR_I32, own = i->type;
	unsigned op = i->sub;

	e->val[id] = emit_undef(e, own);
	if (emit_inst(e, arg[1])->op != IR_bind || emit_inst(e, arg[1])->imm >= e->fn->nres || ir_bits(own) != 32) {
		emit_refuse(e, DIAG_DESCRIPTOR, "an image atomic whose image is not known or not of 32 bits");
		return;
	}
	res = (uint32_t)emit_inst(e, arg[1])->imm;
	const struct ir_resource *q = &e->fn->res[res];
	if ((q->kind != RES_STORAGE_IMAGE && q->kind != RES_STORAGE_TEXEL) || (q->ms == 1) != (arg[3] != 0)) {
		emit_refuse(e, DIAG_DESCRIPTOR, "an atomic on something other than a storage image, or one whose samples the record and the program disagree about");
		return;
	}
	if (q->format != SpvImageFormatR32i && q->format != SpvImageFormatR32ui && q->format != SpvImageFormatR32f) {
		emit_refuse(e, DIAG_FACT, "an image atomic needs the format of set %u binding %u", q->set, q->binding);
		return;
	}
	if (q->format == SpvImageFormatR32f && op != ATOMIC_xchg && op != ATOMIC_fmin && op != ATOMIC_fmax) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "this atomic on a float image");
		return;
	}
	bool guarded = emit_guard_begin(e, arg[0], &g);
	n = emit_texel_coord_count(q);
	if (q->format == SpvImageFormatR32f) {
		if (op == ATOMIC_xchg) /* no capability says it: SPIR-V exchanges numbers of any kind */
			emit_feature(e, e->t->image_float_atomics, SPIRV_shaderImageFloat32Atomics);
		t = IR_F32;
	}
	for (unsigned k = 0; k < 2 && 4 + k < ir_nargs(e->fn, id) && arg[4 + k]; k++)
		value[k] = emit_get_as(e, arg[4 + k], t);
	if (t == IR_I32)
		op = simplify(e, op, t, arg[4], &value[0]);
	pointer = emit_image_pointer(e, arg[1], res);
	coord = emit_coords(e, arg[2], n, IR_I32);
	uint32_t sample = arg[3] ? emit_get_as(e, arg[3], IR_I32) : emit_u32(e, 0);
	texel = emit_texel_type(e, q, 1);
	for (unsigned k = 0; k < 2 && texel != emit_type(e, t); k++)
		value[k] = value[k] ? E_OP(e, Bitcast, texel, value[k]) : 0;
	v = E_OP(e, ImageTexelPointer, emit_pointer(e, SpvStorageClassImage, texel), pointer, coord, sample);
	emit_nonuniform(e, arg[1], v, true);
	v = emit_atomic_op(e, op, t, texel, v, emit_scope(e, SCOPE_DEVICE), value);
	if (texel != emit_type(e, t))
		v = E_OP(e, Bitcast, emit_type(e, t), v);
	if (own != t)
		v = E_OP(e, Bitcast, emit_type(e, own), v);
	if (guarded)
		emit_guard_end(e, &g, emit_type(e, own), &v);
	e->val[id] = v;
}
