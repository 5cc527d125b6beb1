/* nv_conv.c - conversions between types and roundings to integers. Sizes are log2 of bytes. */
#include "nv_lift.h"

static ir_type float_type(struct nv_lift *l, unsigned size)
{
	if (size == 1)
		return IR_F16;
	if (size == 3)
		return IR_F64;
	if (size != 2)
		nv_refuse(l, "8-bit float");
	return IR_F32;
}

static ir_type int_type(unsigned size)
{
	return ir_int_of_bits(8u << size);
}

/* Source 0 as a float of `t`, modifiers applied, denormals flushed when the instruction says so. */
static ir_id float_src(struct nv_lift *l, ir_type t)
{
	const struct nv_opnd *o = &l->in->src[0];
	ir_id v;

	if (t == IR_F64) {
		v = nv_f64(l, 0);
	} else if (t == IR_F32) {
		v = nv_f32(l, 0);
	} else {
		v = nv_word(l, o, 0);
		if (l->in->m[NVM_H1])
			v = ik(l, IR_lshr, v, 16);
		v = cast(l, IR_F16, op1(l, IR_trunc, IR_I16, v));
		if (o->abs)
			v = op1(l, IR_fabs, t, v);
		if (o->neg)
			v = op1(l, IR_fneg, t, v);
	}
	return v;
}

static ir_id flushed(struct nv_lift *l, ir_type t, ir_id v)
{
	return l->in->m[NVM_FTZ] && t == IR_F32 ? op1(l, IR_fflush, t, v) : v;
}

static void set_float(struct nv_lift *l, ir_type t, ir_id v)
{
	if (t == IR_F64)
		nv_set64(l, 0, v);
	else if (t == IR_F32)
		nv_set(l, 0, v);
	else
		nv_set(l, 0, op1(l, IR_zext, IR_I32, cast(l, IR_I16, v)));
}

static ir_id to_integral(struct nv_lift *l, ir_type t, ir_id v)
{
	static const uint16_t ops[] = {[NV_RE] = IR_frndne, [NV_RM] = IR_ffloor, [NV_RP] = IR_fceil, [NV_RZ] = IR_ftrunc};

	return op1(l, (enum ir_op)ops[l->in->m[NVM_RND]], t, v);
}

static void round_float(struct nv_lift *l, ir_type from, ir_type to)
{
	ir_id v;

	if (from != to) {
		nv_refuse(l, "rounding to an integer into another float type");
		return;
	}
	v = to_integral(l, from, flushed(l, from, float_src(l, from)));
	set_float(l, to, nv_float_sat(l, v));
}

void lift_alu_frnd(struct nv_lift *l)
{
	ir_type from = float_type(l, l->in->m[NVM_SSZ]), to = float_type(l, l->in->m[NVM_DSZ]);

	round_float(l, from, to);
}

void lift_alu_f2f(struct nv_lift *l)
{
	ir_type from = float_type(l, l->in->m[NVM_SSZ]), to = float_type(l, l->in->m[NVM_DSZ]);
	unsigned rnd = l->in->m[NVM_RND];
	ir_id v;

	if (l->in->m[NVM_INTRND]) {
		round_float(l, from, to);
		return;
	}
	v = flushed(l, from, float_src(l, from));
	if (from != to) {
		bool exact = ir_bits(from) < ir_bits(to);

		if (!exact && rnd != NV_RE && rnd != NV_RZ)
			nv_refuse(l, "rounding direction of a conversion");
		v = op1(l, exact || rnd == NV_RE ? IR_f2f : IR_f2f_rtz, to, v);
		v = flushed(l, to, v);
	}
	set_float(l, to, nv_float_sat(l, v));
}

void lift_alu_f2fp(struct nv_lift *l) /* first source in the high half */
{
	unsigned rnd = l->in->m[NVM_RND];
	ir_id h[2];

	if (rnd != NV_RE && rnd != NV_RZ) {
		nv_refuse(l, "rounding direction of a conversion");
		return;
	}
	for (unsigned k = 0; k < 2; k++)
		h[k] = cast(l, IR_I16, op1(l, rnd == NV_RE ? IR_f2f : IR_f2f_rtz, IR_F16, nv_f32(l, 1 - k)));
	nv_set(l, 0, op2(l, IR_pack32, IR_I32, h[0], h[1]));
}

/* An integer result of `t` into its register or pair. */
static void set_int(struct nv_lift *l, ir_type t, bool sign, ir_id v)
{
	if (t == IR_I64)
		nv_set64(l, 0, v);
	else
		nv_set(l, 0, t == IR_I32 ? v : op1(l, sign ? IR_sext : IR_zext, IR_I32, v));
}

void lift_alu_f2i(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_type from = float_type(l, m[NVM_SSZ]), to = int_type(m[NVM_DSZ]);
	ir_id v = flushed(l, from, float_src(l, from));

	if (m[NVM_INTRND] && l->in->chip == NV_SM86) {
		nv_refuse(l, "f2i with its unknown bit 77");
		return;
	}
	if (m[NVM_RND] != NV_RZ)
		v = to_integral(l, from, v);
	set_int(l, to, m[NVM_DSG], op1(l, m[NVM_DSG] ? IR_f2s : IR_f2u, to, v));
}

/* Source 0 as an integer of the source size: a byte or half of the register, or a pair. */
static ir_id int_src(struct nv_lift *l, ir_type t)
{
	ir_id v;

	if (t == IR_I64)
		return nv_int64(l, 0);
	v = nv_word(l, &l->in->src[0], 0);
	if (l->in->m[NVM_BYTE]) {
		unsigned shift = 8u * l->in->m[NVM_BYTE];

		if (t != IR_I8 && !(t == IR_I16 && shift == 16 && l->in->chip == NV_SM53))
			nv_refuse(l, "part of a source that is no byte");
		v = ik(l, IR_lshr, v, shift);
	}
	return t == IR_I32 ? v : op1(l, IR_trunc, t, v);
}

void lift_alu_i2f(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_type from = int_type(m[NVM_SSZ]), to = float_type(l, m[NVM_DSZ]);
	unsigned mantissa = to == IR_F64 ? 53 : to == IR_F32 ? 24 : 11;
	ir_id v;

	if (m[NVM_RND] != NV_RE && ir_bits(from) - m[NVM_SSG] > mantissa) {
		nv_refuse(l, "rounding other than to nearest");
		return;
	}
	if (l->in->src[0].neg || l->in->src[0].abs) {
		nv_refuse(l, "modifiers of an integer operand");
		return;
	}
	v = int_src(l, from);
	if (ir_bits(from) < 32)
		v = op1(l, m[NVM_SSG] ? IR_sext : IR_zext, IR_I32, v);
	set_float(l, to, op1(l, m[NVM_SSG] ? IR_s2f : IR_u2f, to, v));
}

void lift_alu_i2i(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	const struct nv_opnd *o = &l->in->src[0];
	ir_type from = int_type(m[NVM_SSZ]), to = int_type(m[NVM_DSZ]);
	ir_id v;

	if (m[NVM_SAT] || from == IR_I64 || to == IR_I64) {
		nv_refuse(l, "saturating or 64-bit integer conversion");
		return;
	}
	v = int_src(l, from);
	if (from != IR_I32)
		v = op1(l, m[NVM_SSG] ? IR_sext : IR_zext, IR_I32, v);
	if (o->abs)
		v = i2(l, IR_smax, v, op1(l, IR_ineg, IR_I32, v));
	if (o->neg)
		v = op1(l, IR_ineg, IR_I32, v);
	set_int(l, to, m[NVM_DSG], to == IR_I32 ? v : op1(l, IR_trunc, to, v));
}
