/* nv_half.c - pairs of 16-bit floats. sm53 can also merge one half into the destination, or give one 32-bit float;
 * sources
 * that are 32-bit floats (which make the arithmetic 32-bit) are refused. */
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
	enum { PAIR, SINGLE, LOW, HIGH }; /* NVM_MERGE */
	struct nv_opnd old = l->in->dst[0];
	unsigned merge = l->in->m[NVM_MERGE];

	if (merge == SINGLE) {
		nv_set(l, 0, op1(l, IR_f2f, IR_F32, lo));
		return;
	}
	if (merge == LOW || merge == HIGH) {
		ir_id keep = ik(l, IR_iand, nv_word(l, &old, 0), merge == LOW ? 0xffff0000 : 0xffff);
		ir_id h = op1(l, IR_zext, IR_I32, cast(l, IR_I16, merge == LOW ? lo : hi));

		nv_set(l, 0, i2(l, IR_ior, keep, merge == LOW ? h : ik(l, IR_shl, h, 16)));
		return;
	}
	lo = cast(l, IR_I16, lo);
	nv_set(l, 0, op2(l, IR_pack32, IR_I32, lo, cast(l, IR_I16, hi)));
}

/* No 32-bit operand or result, no old-style zero products. */
static bool plain(struct nv_lift *l)
{
	bool mixed = l->in->m[NVM_F32] || l->in->m[NVM_DNZ];

	for (unsigned i = 0; i < 3; i++)
		mixed |= l->in->src[i].swz == 1;
	if (mixed)
		nv_refuse(l, "half-precision arithmetic with 32-bit floats or old-style zero products");
	return !mixed;
}

static void arithmetic(struct nv_lift *l, enum ir_op op, unsigned n)
{
	ir_id v[2], s[3];

	if (!plain(l))
		return;
	for (unsigned k = 0; k < 2; k++) {
		for (unsigned i = 0; i < n; i++)
			s[i] = half(l, i, k);
		v[k] = nv_float_sat(l, nv_float_ftz(l, ir_new(l->fn, op, IR_F16, n, s)));
	}
	set_pair(l, v[0], v[1]);
}

void lift_alu_hadd2(struct nv_lift *l) { arithmetic(l, IR_fadd, 2); }
void lift_alu_hmul2(struct nv_lift *l) { arithmetic(l, IR_fmul, 2); }
void lift_alu_hfma2(struct nv_lift *l) { arithmetic(l, IR_ffma, 3); }

void lift_alu_hmnmx2(struct nv_lift *l)
{
	ir_id v[2];

	for (unsigned k = 0; k < 2; k++) {
		ir_id a = half(l, 0, k), b = half(l, 1, k);

		v[k] = nv_float_min_max(l, IR_F16, a, b);
	}
	set_pair(l, v[0], v[1]);
}

static ir_id compare(struct nv_lift *l, unsigned k)
{
	ir_id a = half(l, 0, k), b = half(l, 1, k);

	return nv_float_cmp(l, l->in->m[NVM_FCMP], a, b);
}

void lift_alu_hset2(struct nv_lift *l)
{
	ir_id accum = nv_pred(l, 2), yes = ir_const(l->fn, IR_I16, l->in->m[NVM_BF] ? 0x3c00 : 0xffff), v[2];

	if (!plain(l))
		return;
	for (unsigned k = 0; k < 2; k++) {
		ir_id c = nv_float_setop(l, l->in->m[NVM_SETOP], compare(l, k), accum);

		v[k] = op3(l, IR_select, IR_I16, c, yes, ir_const(l->fn, IR_I16, 0));
	}
	set_pair(l, v[0], v[1]);
}

/* One predicate a half; with .h_and both halves at once, and the inverse of that. */
void lift_alu_hsetp2(struct nv_lift *l)
{
	ir_id accum = nv_pred(l, 2), v[2];

	if (!plain(l))
		return;
	v[0] = compare(l, 0);
	v[1] = compare(l, 1);
	if (l->in->m[NVM_HAND]) {
		v[0] = b2(l, IR_iand, v[0], v[1]);
		v[1] = not1(l, v[0]);
	}
	for (unsigned k = 0; k < 2; k++)
		if (!nv_discards(&l->in->dst[k]))
			nv_set(l, k, nv_float_setop(l, l->in->m[NVM_SETOP], v[k], accum));
}
