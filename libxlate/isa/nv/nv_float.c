/* nv_float.c - 32-bit and 64-bit float arithmetic.
 *
 * Only round-to-nearest is translated for arithmetic. `.ftz` is the IR's flush flag. `.dnz` multiplies like old shader
 * models: zero times anything is +0. rro prepares the argument of mufu.sin, .cos and .exp2 in a private form on sm53;
 * here those work on plain radians and exponents, so rro passes its operand on. (A program that looked at rro's result
 * itself would differ; no compiler does.) sm86's sin and cos take revolutions.
 */
#include "nv_lift.h"

enum { ONE_F32 = 0x3f800000, TWO_PI_F32 = 0x40c90fdb };

ir_id nv_float_ftz(struct nv_lift *l, ir_id v)
{
	if (l->in->m[NVM_FTZ] || l->in->m[NVM_DNZ])
		l->fn->inst[v].flags |= IR_F_FTZ;
	return v;
}

ir_id nv_float_sat(struct nv_lift *l, ir_id v)
{
	return l->in->m[NVM_SAT] ? op1(l, IR_fsat, l->fn->inst[v].type, v) : v;
}

ir_id nv_float_setop(struct nv_lift *l, unsigned op, ir_id x, ir_id y)
{
	static const uint16_t ops[] = {[NV_AND] = IR_iand, [NV_OR] = IR_ior, [NV_XOR] = IR_ixor};
	uint64_t k;

	if (ir_is_const(l->fn, y, &k) && k == (op == NV_AND)) /* the neutral element */
		return x;
	return b2(l, (enum ir_op)ops[op], x, y);
}

static bool nearest(struct nv_lift *l)
{
	if (l->in->m[NVM_RND] == NV_RE)
		return true;
	nv_refuse(l, "rounding other than to nearest");
	return false;
}

/* ---- 32-bit */
void lift_alu_fadd(struct nv_lift *l)
{
	bool minus[2];
	ir_id b = nv_signed32(l, 1, &minus[1]), a = nv_signed32(l, 0, &minus[0]), v;

	if (!nearest(l))
		return;
	if (minus[0] && minus[1])
		a = op1(l, IR_fneg, IR_F32, a);
	if (minus[1])
		v = op2(l, IR_fsub, IR_F32, a, b);
	else
		v = minus[0] ? op2(l, IR_fsub, IR_F32, b, a) : op2(l, IR_fadd, IR_F32, a, b);
	nv_set(l, 0, nv_float_sat(l, nv_float_ftz(l, v)));
}

/* b1: the product of a and b is taken as +0 whatever the other factor is. */
static ir_id zero_factor(struct nv_lift *l, ir_id a, ir_id b)
{
	ir_id zero = ir_const(l->fn, IR_F32, 0), first = nv_float_ftz(l, op2(l, IR_feq, IR_B1, a, zero));

	return b2(l, IR_ior, first, nv_float_ftz(l, op2(l, IR_feq, IR_B1, b, zero)));
}

void lift_alu_fmul(struct nv_lift *l)
{
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1), v;

	if (!nearest(l))
		return;
	if (l->in->m[NVM_FMULSCALE]) {
		nv_refuse(l, "scaled product");
		return;
	}
	v = nv_float_ftz(l, op2(l, IR_fmul, IR_F32, a, b));
	if (l->in->m[NVM_DNZ]) {
		ir_id zero = zero_factor(l, a, b);
		v = op3(l, IR_select, IR_F32, zero, ir_const(l->fn, IR_F32, 0), v);
	}
	nv_set(l, 0, nv_float_sat(l, v));
}

void lift_alu_ffma(struct nv_lift *l)
{
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1), c = nv_f32(l, 2), v;

	if (!nearest(l))
		return;
	v = nv_float_ftz(l, op3(l, IR_ffma, IR_F32, a, b, c));
	if (l->in->m[NVM_DNZ]) {
		ir_id sum = nv_float_ftz(l, op2(l, IR_fadd, IR_F32, ir_const(l->fn, IR_F32, 0), c));
		v = op3(l, IR_select, IR_F32, zero_factor(l, a, b), sum, v);
	}
	nv_set(l, 0, nv_float_sat(l, v));
}

ir_id nv_float_min_max(struct nv_lift *l, ir_type t, ir_id a, ir_id b)
{
	ir_id min = nv_pred(l, 2), lo, hi;
	uint64_t k;

	if (ir_is_const(l->fn, min, &k))
		return nv_float_ftz(l, op2(l, k ? IR_fmin : IR_fmax, t, a, b));
	lo = nv_float_ftz(l, op2(l, IR_fmin, t, a, b));
	hi = nv_float_ftz(l, op2(l, IR_fmax, t, a, b));
	return op3(l, IR_select, t, min, lo, hi);
}

void lift_alu_fmnmx(struct nv_lift *l)
{
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1);

	nv_set(l, 0, nv_float_min_max(l, IR_F32, a, b));
}

/* Comparisons are ordered in the lower half of the codes, unordered in the upper. */
ir_id nv_float_cmp(struct nv_lift *l, unsigned fcmp, ir_id a, ir_id b)
{
	static const struct { uint16_t op; bool swap, invert; } table[] = {
		{IR_nop, false, false}, {IR_flt, false, false}, {IR_feq, false, false}, {IR_fle, false, false}, {IR_flt, true,
			false},
		{IR_flg, false, false}, {IR_fle, true, false}, {IR_funo, false, true}, {IR_funo, false, false}, {IR_fltu,
			false, false},
		{IR_fequ, false, false}, {IR_fleu, false, false}, {IR_fltu, true, false}, {IR_fneu, false, false},
		{IR_fleu, true, false}, {IR_nop, false, true},
	};
	ir_id v;

	if (table[fcmp].op == IR_nop)
		return nv_bool(l, table[fcmp].invert);
	v = nv_float_ftz(l, op2(l, (enum ir_op)table[fcmp].op, IR_B1, table[fcmp].swap ? b : a, table[fcmp].swap ? a : b));
	return table[fcmp].invert ? not1(l, v) : v;
}

void lift_alu_fset(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1), v = nv_float_cmp(l, m[NVM_FCMP], a, b);

	v = nv_float_setop(l, m[NVM_SETOP], v, nv_pred(l, 2));
	nv_set(l, 0, pick(l, v, m[NVM_FBF] ? ONE_F32 : UINT32_MAX, 0));
}

static void set_predicates(struct nv_lift *l, ir_id a, ir_id b)
{
	ir_id v = nv_float_cmp(l, l->in->m[NVM_FCMP], a, b), accum = nv_pred(l, 2);

	nv_set(l, 0, nv_float_setop(l, l->in->m[NVM_SETOP], v, accum));
	if (!nv_discards(&l->in->dst[1]))
		nv_set(l, 1, nv_float_setop(l, l->in->m[NVM_SETOP], not1(l, v), accum));
}

void lift_alu_fsetp(struct nv_lift *l)
{
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1);

	set_predicates(l, a, b);
}

/* b1: is this lane one of these of its quad? */
static ir_id quad_lane(struct nv_lift *l, unsigned lanes)
{
	ir_id lane, in = 0;

	if (l->quad[lanes].block == l->nblock)
		return l->quad[lanes].value;
	lane = ik(l, IR_iand, nv_lane(l), 3);
	for (unsigned i = 0; i < 4; i++)
		if (lanes >> i & 1) {
			ir_id here = op2(l, IR_ieq, IR_B1, lane, nv_c32(l, i));
			in = in ? b2(l, IR_ior, in, here) : here;
		}
	l->quad[lanes].block = l->nblock;
	l->quad[lanes].value = in;
	return in;
}

/* Sum whose signs depend on the lane's place in its quad. */
void lift_alu_fswzadd(struct nv_lift *l)
{
	enum { ADD, SUB, SUBR, MOVE };
	unsigned swz = l->in->m[NVM_SWZ], kind[4];
	ir_id a = nv_f32(l, 0), b = nv_f32(l, 1), v = 0;

	if (!nearest(l))
		return;
	for (unsigned i = 0; i < 4; i++)
		kind[i] = swz >> 2 * (l->in->chip == NV_SM53 ? i : 3 - i) & 3;
	for (unsigned k = ADD; k <= MOVE; k++) {
		unsigned lanes = 0;
		ir_id part, here;

		for (unsigned i = 0; i < 4; i++)
			if (kind[i] == k)
				lanes |= 1u << i;
		if (!lanes)
			continue;
		here = v ? quad_lane(l, lanes) : 0;
		if (k == MOVE)
			part = b;
		else if (k == ADD)
			part = nv_float_ftz(l, op2(l, IR_fadd, IR_F32, a, b));
		else
			part = nv_float_ftz(l, op2(l, IR_fsub, IR_F32, k == SUB ? a : b, k == SUB ? b : a));
		v = v ? op3(l, IR_select, IR_F32, here, part, v) : part;
	}
	nv_set(l, 0, v);
}

/* rcp64h, rsq64h: the high word of the result of a double whose low word is 0. */
static void mufu64(struct nv_lift *l, enum ir_op op)
{
	const struct nv_opnd *o = &l->in->src[0];
	ir_id word = nv_word(l, o, 0), v = cast(l, IR_F64, op2(l, IR_pack64, IR_I64, nv_c32(l, 0), word));

	if (o->abs)
		v = op1(l, IR_fabs, IR_F64, v);
	if (o->neg)
		v = op1(l, IR_fneg, IR_F64, v);
	nv_set(l, 0, op1(l, IR_hi64, IR_I32, cast(l, IR_I64, op1(l, op, IR_F64, v))));
}

void lift_alu_mufu(struct nv_lift *l)
{
	enum { COS, SIN, EXP2, LOG2, RCP, RSQ, RCP64H, RSQ64H, SQRT, TANH };
	static const uint16_t ops[] = {IR_fcos, IR_fsin, IR_fexp2, IR_flog2, IR_frcp, IR_frsq, IR_frcp, IR_frsq, IR_fsqrt,
		IR_nop};
	unsigned f = l->in->m[NVM_MUFU];
	ir_id v;

	if (f == TANH) {
		nv_refuse(l, "hyperbolic tangent");
		return;
	}
	if (f == RCP64H || f == RSQ64H) {
		mufu64(l, (enum ir_op)ops[f]);
		return;
	}
	v = nv_f32(l, 0);
	if (f <= SIN && l->in->chip == NV_SM86)
		v = op2(l, IR_fmul, IR_F32, v, ir_const(l->fn, IR_F32, TWO_PI_F32));
	v = op1(l, (enum ir_op)ops[f], IR_F32, v);
	l->fn->inst[v].flags |= IR_F_FTZ; /* the unit has no denormals */
	nv_set(l, 0, nv_float_sat(l, v));
}

void lift_alu_rro(struct nv_lift *l)
{
	nv_set(l, 0, nv_f32(l, 0));
}

/* ---- 64-bit */
static void arithmetic64(struct nv_lift *l, enum ir_op op, unsigned n)
{
	ir_id s[3];

	if (!nearest(l))
		return;
	for (unsigned i = 0; i < n; i++)
		s[i] = nv_f64(l, i);
	nv_set64(l, 0, ir_new(l->fn, op, IR_F64, n, s));
}

void lift_alu_dadd(struct nv_lift *l) { arithmetic64(l, IR_fadd, 2); }
void lift_alu_dmul(struct nv_lift *l) { arithmetic64(l, IR_fmul, 2); }
void lift_alu_dfma(struct nv_lift *l) { arithmetic64(l, IR_ffma, 3); }

void lift_alu_dmnmx(struct nv_lift *l)
{
	ir_id a = nv_f64(l, 0), b = nv_f64(l, 1);

	nv_set64(l, 0, nv_float_min_max(l, IR_F64, a, b));
}

void lift_alu_dsetp(struct nv_lift *l)
{
	ir_id a = nv_f64(l, 0), b = nv_f64(l, 1);

	set_predicates(l, a, b);
}
