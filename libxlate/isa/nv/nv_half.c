/* nv_half.c - pairs of 16-bit floats (sm86). */
#include "nv_lift.h"

/* Half `k` of source i, as its swizzle and modifiers say. */
static ir_id half(struct nv_lift *l, unsigned i, unsigned k)
{
	const struct nv_opnd *o = &l->in->src[i];
	ir_id v = nv_word(l, o, 0);

	if (o->swz ? o->swz == 3 : k)
		v = ik(l, IR_lshr, v, 16);
	v = cast(l, IR_F16, op1(l, IR_trunc, IR_I16, v));
	if (o->abs)
		v = op1(l, IR_fabs, IR_F16, v);
	return o->neg ? op1(l, IR_fneg, IR_F16, v) : v;
}

static void set_pair(struct nv_lift *l, ir_id lo, ir_id hi)
{
	nv_set(l, 0, op2(l, IR_pack32, IR_I32, cast(l, IR_I16, lo), cast(l, IR_I16, hi)));
}

static bool plain(struct nv_lift *l)
{
	if (!l->in->m[NVM_F32] && !l->in->m[NVM_DNZ])
		return true;
	nv_refuse(l, "half-precision arithmetic with 32-bit results or old-style zero products");
	return false;
}

void lift_alu_hadd2(struct nv_lift *l)
{
	ir_id v[2];

	if (!plain(l))
		return;
	for (unsigned k = 0; k < 2; k++)
		v[k] = nv_float_sat(l, nv_float_ftz(l, op2(l, IR_fadd, IR_F16, half(l, 0, k), half(l, 1, k))));
	set_pair(l, v[0], v[1]);
}

void lift_alu_hmul2(struct nv_lift *l)
{
	ir_id v[2];

	if (!plain(l))
		return;
	for (unsigned k = 0; k < 2; k++)
		v[k] = nv_float_sat(l, nv_float_ftz(l, op2(l, IR_fmul, IR_F16, half(l, 0, k), half(l, 1, k))));
	set_pair(l, v[0], v[1]);
}

void lift_alu_hfma2(struct nv_lift *l)
{
	ir_id v[2];

	if (!plain(l))
		return;
	for (unsigned k = 0; k < 2; k++)
		v[k] = nv_float_sat(l, nv_float_ftz(l, op3(l, IR_ffma, IR_F16, half(l, 0, k), half(l, 1, k), half(l, 2, k))));
	set_pair(l, v[0], v[1]);
}

void lift_alu_hmnmx2(struct nv_lift *l)
{
	ir_id min = nv_pred(l, 2), v[2];

	for (unsigned k = 0; k < 2; k++) {
		ir_id a = half(l, 0, k), b = half(l, 1, k);

		v[k] = op3(l, IR_select, IR_F16, min, nv_float_ftz(l, op2(l, IR_fmin, IR_F16, a, b)),
		           nv_float_ftz(l, op2(l, IR_fmax, IR_F16, a, b)));
	}
	set_pair(l, v[0], v[1]);
}

static ir_id compare(struct nv_lift *l, unsigned k)
{
	return nv_float_cmp(l, l->in->m[NVM_FCMP], half(l, 0, k), half(l, 1, k));
}

void lift_alu_hset2(struct nv_lift *l)
{
	ir_id accum = nv_pred(l, 2), v[2];

	for (unsigned k = 0; k < 2; k++) {
		ir_id c = nv_float_setop(l, l->in->m[NVM_SETOP], compare(l, k), accum);

		v[k] = op3(l, IR_select, IR_I16, c, ir_const(l->fn, IR_I16, l->in->m[NVM_BF] ? 0x3c00 : 0xffff),
		           ir_const(l->fn, IR_I16, 0));
	}
	set_pair(l, v[0], v[1]);
}

/* One predicate a half; with .h_and both halves at once, and the inverse of that. */
void lift_alu_hsetp2(struct nv_lift *l)
{
	ir_id accum = nv_pred(l, 2), v[2] = {compare(l, 0), compare(l, 1)};

	if (l->in->m[NVM_HAND]) {
		v[0] = b2(l, IR_iand, v[0], v[1]);
		v[1] = not1(l, v[0]);
	}
	for (unsigned k = 0; k < 2; k++)
		if (!nv_discards(&l->in->dst[k]))
			nv_set(l, k, nv_float_setop(l, l->in->m[NVM_SETOP], v[k], accum));
}
