/* lift_vext.c - vector instructions beyond plain arithmetic: integers that saturate, sums of bytes, the helpers of a
 * division, legacy floats, small conversions. */
#include "lift_amd.h"

static ir_id vs(struct amd_lift *l, unsigned i)
{
	return lift_vsrc(l, i, IR_I32);
}

static ir_id k64(struct amd_lift *l, uint64_t v)
{
	return ir_const(l->fn, IR_I64, v);
}

static ir_id widen(struct amd_lift *l, ir_type t, ir_id v, bool sign)
{
	return op1(l, sign ? IR_sext : IR_zext, t, v);
}

/* ---- saturation: `exact` is the true result in twice the width; clamped to the range of the narrow one */
ir_id lift_saturate(struct amd_lift *l, ir_id exact, bool sign)
{
	ir_type t = l->fn->inst[exact].type;
	unsigned w = ir_bits(t) / 2;
	uint64_t top = sign ? (1ull << (w - 1)) - 1 : (1ull << w) - 1, low = sign ? 0 - (1ull << (w - 1)) : 0;

	exact = op2(l, IR_smax, t, exact, ir_const(l->fn, t, low));
	exact = op2(l, IR_smin, t, exact, ir_const(l->fn, t, top));
	return w == 32 ? op1(l, IR_lo64, IR_I32, exact) : op1(l, IR_trunc, ir_int_of_bits(w), exact);
}

/* A sum or difference of words, saturated, in words: what does not fit is known before or by the signs. */
static ir_id saturated32(struct amd_lift *l, enum ir_op op, bool sign, ir_id a, ir_id b)
{
	if (!sign && op == IR_iadd)
		return i2(l, IR_iadd, i2(l, IR_umin, a, op1(l, IR_inot, IR_I32, b)), b);
	if (!sign)
		return i2(l, IR_isub, i2(l, IR_umax, a, b), b);
	ir_id v = i2(l, op, a, b), turned = i2(l, IR_ixor, v, a);
	ir_id other = i2(l, IR_ixor, op == IR_iadd ? v : a, b);
	ir_id end = ik(l, IR_ixor, ik(l, IR_ashr, a, 31), INT32_MAX);
	return op3(l, IR_select, IR_I32, bk(l, IR_slt, i2(l, IR_iand, turned, other), 0), end, v);
}

/* a op b (+ c) exactly, saturated. Operands of 16 or 32 bits. */
static ir_id saturated(struct amd_lift *l, enum ir_op op, ir_type t, bool sign, ir_id a, ir_id b, ir_id c)
{
	ir_type wide = ir_bits(t) == 32 ? IR_I64 : IR_I32;

	if (wide == IR_I64 && !c && op != IR_imul)
		return saturated32(l, op, sign, a, b);

	a = widen(l, wide, a, sign);
	b = widen(l, wide, b, sign);
	ir_id v = op2(l, op, wide, a, b);
	if (c)
		v = op2(l, IR_iadd, wide, v, widen(l, wide, c, sign));
	if (op == IR_imul && !sign && wide == IR_I32) /* may have bit 31 */
		return op1(l, IR_trunc, IR_I16, ik(l, IR_umin, v, 65535));
	return lift_saturate(l, v, sign);
}

/* op: iadd, isub, imul, or imul and a third operand to add. TYPE: I16, I32; SIGNED, REV */
void lift_v_intsat(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = (ir_type)(r->arg & TYPE);
	bool sign = r->arg & SIGNED, three = l->in->src[2].kind != AMD_K_NONE;
	ir_id a = lift_vsrc(l, 0, t), b = lift_vsrc(l, 1, t), c = three ? lift_vsrc(l, 2, t) : 0, v;

	if (r->arg & REV) {
		ir_id x = a;
		a = b;
		b = x;
	}
	if (l->in->clamp) {
		lift_vput(l, saturated(l, r->op, t, sign, a, b, c), t);
		return;
	}
	v = op2(l, r->op, t, a, b);
	lift_vdst(l, c ? op2(l, IR_iadd, t, v, c) : v, t);
}

/* Halves: what v_pk does of two or three 16-bit integers when it saturates. */
ir_id lift_sat16(struct amd_lift *l, enum ir_op op, bool sign, const ir_id *a, unsigned n)
{
	return saturated(l, op, IR_I16, sign, a[0], a[1], n == 3 ? a[2] : 0);
}

static ir_id int24(struct amd_lift *l, ir_id v, bool sign)
{
	return sign ? lift_ubfe(l, v, 0, 24, true) : ik(l, IR_iand, v, 0xffffff);
}

void lift_v_mul24(struct amd_lift *l, const struct lift_row *r) /* SIGNED, HI: bits 47:32; a third operand is added */
{
	bool s = r->arg & SIGNED;
	ir_id a = int24(l, vs(l, 0), s), b = int24(l, vs(l, 1), s), c = l->in->src[2].kind != AMD_K_NONE ? vs(l, 2) : 0;

	if (l->in->clamp && !(r->arg & HI)) {
		lift_vput(l, saturated(l, IR_imul, IR_I32, s, a, b, c), IR_I32);
		return;
	}
	ir_id v = i2(l, r->arg & HI ? (s ? IR_smulh : IR_umulh) : IR_imul, a, b);
	lift_vdst(l, c ? i2(l, IR_iadd, v, c) : v, IR_I32);
}

void lift_v_mad16(struct amd_lift *l, const struct lift_row *r) /* 16 x 16 + 32. SIGNED */
{
	bool s = r->arg & SIGNED;
	ir_id a = widen(l, IR_I32, lift_vsrc(l, 0, IR_I16), s), b = widen(l, IR_I32, lift_vsrc(l, 1, IR_I16), s), c = vs(l, 2);

	if (l->in->clamp)
		lift_vput(l, saturated(l, IR_imul, IR_I32, s, a, b, c), IR_I32);
	else
		lift_vdst(l, i2(l, IR_iadd, i2(l, IR_imul, a, b), c), IR_I32);
}

/* Sum of the products of packed integers, plus source 2 or the destination. SIGNED; count: bits of one */
void lift_v_dot(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	unsigned bits = lift_count(r);
	bool s = r->arg & SIGNED, acc = in->flags & AMD_F_ACC;
	ir_id a = acc ? vs(l, 0) : lift_dword(l, &in->src[0], 0), b = acc ? vs(l, 1) : lift_dword(l, &in->src[1], 0);
	ir_id c = acc ? lift_vacc(l, IR_I32) : lift_dword(l, &in->src[2], 0), sum = 0;

	if (!acc && (in->neg_lo | in->neg_hi))
		lift_refuse(l, "negation of packed integers");
	for (unsigned at = 0; at < 32; at += bits) {
		unsigned i = at / bits, pa = at, pb = at;
		if (bits == 16) { /* op_sel and op_sel_hi choose the half for the first and the second product */
			pa = ((i ? in->op_sel_hi : in->op_sel) & 1) * 16u;
			pb = ((i ? in->op_sel_hi : in->op_sel) >> 1 & 1) * 16u;
		}
		ir_id x = lift_ubfe(l, a, pa, bits, s), y = lift_ubfe(l, b, pb, bits, s), p = i2(l, IR_imul, x, y);
		if (in->clamp)
			p = widen(l, IR_I64, p, s);
		sum = !sum ? p : op2(l, IR_iadd, in->clamp ? IR_I64 : IR_I32, sum, p);
	}
	if (in->clamp)
		lift_vput(l, lift_saturate(l, op2(l, IR_iadd, IR_I64, sum, widen(l, IR_I64, c, s)), s), IR_I32);
	else
		lift_vdst(l, i2(l, IR_iadd, sum, c), IR_I32);
}

/* Products of halves, exact in 32 bits, added to a float: the low one first. */
void lift_v_dotf(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	bool acc = in->flags & AMD_F_ACC;
	ir_id a = acc ? vs(l, 0) : lift_dword(l, &in->src[0], 0), b = acc ? vs(l, 1) : lift_dword(l, &in->src[1], 0);
	ir_id v = acc ? lift_vacc(l, IR_F32) : lift_word(l, IR_F32, &in->src[2]), w[2] = { a, b }, h[2];

	(void)r;
	if (!acc && (((in->neg_lo | in->neg_hi | in->op_sel) & 4) || !(in->op_sel_hi & 4)))
		lift_refuse(l, "modifier on the addend of a dot product");
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < 2; k++) {
			bool high = acc ? i : (i ? in->op_sel_hi : in->op_sel) >> k & 1;
			h[k] = op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, w[k], high)));
			if (!acc && ((i ? in->neg_hi : in->neg_lo) >> k & 1))
				h[k] = op1(l, IR_fneg, IR_F32, h[k]);
		}
		v = lift_f3(l, IR_ffma, IR_F32, h[0], h[1], v);
	}
	lift_vdst(l, v, IR_F32);
}

/* ---- sums of absolute differences */
static ir_id absdiff(struct amd_lift *l, ir_id a, ir_id b)
{
	ir_id more = i2(l, IR_umax, a, b);

	return i2(l, IR_isub, more, i2(l, IR_umin, a, b));
}

/* |a - b| summed over fields of `bits` bits; masked: fields whose b is 0 do not count. */
static ir_id sad(struct amd_lift *l, ir_id a, ir_id b, unsigned bits, bool masked)
{
	ir_id sum = 0;

	for (unsigned at = 0; at < 32; at += bits) {
		ir_id x = bits == 32 ? a : lift_ubfe(l, a, at, bits, false), y = bits == 32 ? b : lift_ubfe(l, b, at, bits, false);
		ir_id d = absdiff(l, x, y);
		if (masked)
			d = k_where(l, bk(l, IR_ieq, y, 0), 0, d);
		sum = sum ? i2(l, IR_iadd, sum, d) : d;
	}
	return sum;
}

void lift_v_sad(struct amd_lift *l, const struct lift_row *r) /* count: bits of a field; HI: sum << 16; NZ: masked */
{
	ir_id a = vs(l, 0), b = vs(l, 1), c = vs(l, 2), d = sad(l, a, b, lift_count(r), r->arg & NZ), v;

	if (r->arg & HI)
		d = ik(l, IR_shl, d, 16);
	v = i2(l, IR_iadd, d, c);
	if (l->in->clamp)
		lift_vput(l, k_where(l, b2(l, IR_carry, d, c), UINT32_MAX, v), IR_I32);
	else
		lift_vdst(l, v, IR_I32);
}

/* Four sums over the bytes that start at byte 0, 1, 2, 3 of a pair. count: bits of a sum, 16 or 32; NZ: masked */
void lift_v_qsad(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	unsigned bits = lift_count(r);
	ir_id pair = lift_vsrc(l, 0, IR_I64), b = vs(l, 1), v[4], h[4];

	for (unsigned i = 0; i < 4; i++) {
		ir_id a = op1(l, IR_lo64, IR_I32, op2(l, IR_lshr, IR_I64, pair, k64(l, 8 * i)));
		ir_id d = sad(l, a, b, 8, r->arg & NZ), c = lift_dword(l, &in->src[2], bits == 32 ? i : i / 2);
		if (bits == 16)
			c = lift_ubfe(l, c, i & 1 ? 16 : 0, 16, false);
		v[i] = i2(l, IR_iadd, d, c);
		if (in->clamp && bits == 32)
			v[i] = k_where(l, b2(l, IR_carry, d, c), UINT32_MAX, v[i]);
		else if (in->clamp)
			v[i] = ik(l, IR_umin, v[i], 65535);
		h[i] = bits == 16 ? op1(l, IR_trunc, IR_I16, v[i]) : 0;
	}
	for (unsigned i = 0; i < (bits == 32 ? 4u : 2u); i++)
		lift_set_vgpr(l, in->dst[0].index + i, bits == 32 ? v[i] : op2(l, IR_pack32, IR_I32, h[2 * i], h[2 * i + 1]));
}

/* (a + b + (c & 1)) / 2 of each byte */
void lift_v_lerp(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = vs(l, 0), b = vs(l, 1), c = vs(l, 2), v = 0;

	(void)r;
	for (unsigned at = 0; at < 32; at += 8) {
		ir_id x = lift_ubfe(l, a, at, 8, false), s = i2(l, IR_iadd, x, lift_ubfe(l, b, at, 8, false));
		s = ik(l, IR_lshr, i2(l, IR_iadd, s, lift_ubfe(l, c, at, 1, false)), 1);
		v = v ? i2(l, IR_ior, v, ik(l, IR_shl, s, at)) : s;
	}
	lift_vdst(l, v, IR_I32);
}

/* ---- division helpers (ERRATA.md has where the documents are followed in spirit) */
struct layout { unsigned mant, emax, bias, step, near_max, tiny; };

static struct layout layout_of(ir_type t)
{
	return ir_bits(t) == 64 ? (struct layout){ 52, 2047, 1023, 128, 768, 53 } :
	       ir_bits(t) == 32 ? (struct layout){ 23, 255, 127, 64, 96, 23 } : (struct layout){ 10, 31, 15, 0, 0, 0 };
}

static ir_id exponent(struct amd_lift *l, ir_type t, ir_id v) /* the field, as i32 */
{
	struct layout y = layout_of(t);
	ir_id w = lift_cast(l, ir_int_of_bits(ir_bits(t)), v);

	if (ir_bits(t) == 64)
		return lift_ubfe(l, op1(l, IR_hi64, IR_I32, w), 20, 11, false);
	if (ir_bits(t) == 16)
		w = op1(l, IR_zext, IR_I32, w);
	return lift_ubfe(l, w, y.mant, ir_bits(t) == 16 ? 5 : 8, false);
}

static ir_id is_class(struct amd_lift *l, ir_id v, unsigned set)
{
	ir_id c = op1(l, IR_fclass, IR_B1, v);

	l->fn->inst[c].imm = set;
	return c;
}

/* is_class of a, op is_class of b */
static ir_id are_class(struct amd_lift *l, ir_id a, enum ir_op op, ir_id b, unsigned set)
{
	ir_id c = is_class(l, a, set);

	return b2(l, op, c, is_class(l, b, set));
}

enum { CLASS_NAN = 3, CLASS_INF = 0x204, CLASS_ZERO = 0x60, CLASS_DENORM = 0x90, CLASS_FINITE = 0x1f8 };

static ir_id pick(struct amd_lift *l, ir_type t, ir_id c, ir_id yes, ir_id no)
{
	return op3(l, IR_select, t, c, yes, no);
}

/* Scale source 0, which is the denominator (source 1) or the numerator (source 2), so that the steps of a division
 * neither overflow nor lose bits; the mask says that the quotient has to be scaled back. */
void lift_v_divscale(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = (ir_type)(r->arg & TYPE);
	struct layout y = layout_of(t);
	ir_id a = lift_vsrc(l, 0, t), den = lift_vsrc(l, 1, t), num = lift_vsrc(l, 2, t), mask = lift_exec(l);
	ir_id en = exponent(l, t, num), ed = exponent(l, t, den), step = lift_c32(l, y.step);
	ir_id up = op2(l, IR_fldexp, t, a, step), down = op2(l, IR_fldexp, t, a, lift_c32(l, 0u - y.step));
	ir_id zero = are_class(l, den, IR_ior, num, CLASS_ZERO);
	ir_id gap = i2(l, IR_isub, en, ed), near_max = b2(l, IR_sle, lift_c32(l, y.near_max), gap);
	ir_id denorm = is_class(l, den, CLASS_DENORM), finite = are_class(l, den, IR_iand, num, CLASS_FINITE);
	/* 1 / den is denormal: |den| above 2^(bias - 1) */
	ir_id big = ir_const(l->fn, t, (uint64_t)(y.emax - 2) << y.mant), abs = op1(l, IR_fabs, t, den);
	ir_id above = b2(l, IR_flt, big, abs), rden = b2(l, IR_iand, is_class(l, den, CLASS_FINITE), above);
	/* num / den is below the normal range, by exponents and mantissas in [0.5, 1) */
	ir_id xn = op1(l, IR_ffrexpe, IR_I32, num), e = i2(l, IR_isub, xn, op1(l, IR_ffrexpe, IR_I32, den));
	ir_id mn = op1(l, IR_fabs, t, op1(l, IR_ffrexpm, t, num)), md = op1(l, IR_fabs, t, op1(l, IR_ffrexpm, t, den));
	ir_id edge = lift_c32(l, 1 - y.bias), same = b2(l, IR_ieq, e, edge), below = b2(l, IR_slt, e, edge);
	ir_id less = b2(l, IR_iand, same, b2(l, IR_flt, mn, md)), qden = b2(l, IR_iand, finite, b2(l, IR_ior, below, less));
	ir_id isden = b2(l, IR_feq, a, den), isnum = b2(l, IR_feq, a, num);

	ir_id v = pick(l, t, b2(l, IR_sle, en, lift_c32(l, y.tiny)), up, a);
	v = pick(l, t, qden, pick(l, t, isnum, up, a), v);
	v = pick(l, t, rden, pick(l, t, b2(l, IR_ior, lift_not(l, qden), isden), down, a), v);
	v = pick(l, t, denorm, up, v);
	v = pick(l, t, near_max, pick(l, t, isden, up, a), v);
	v = pick(l, t, zero, ir_const(l->fn, t, ((uint64_t)y.emax << y.mant) | 1ull << (y.mant - 1)), v);
	ir_id back = b2(l, IR_ior, near_max, b2(l, IR_iand, lift_not(l, denorm), qden));
	back = b2(l, IR_iand, lift_not(l, zero), back);
	lift_vdst(l, v, t);
	lift_set_mask(l, &l->in->dst[1], b2(l, IR_iand, mask, back));
}

/* a * b + c, scaled back by 2^64 (f64: 2^128) in the direction of c's exponent where VCC has the lane's bit */
void lift_v_divfmas(struct amd_lift *l, const struct lift_row *r)
{
	struct amd_opnd vcc = { .kind = AMD_K_SPECIAL, .index = AMD_VCC_LO, .dwords = (uint8_t)(l->wave / 32) };
	ir_type t = (ir_type)(r->arg & TYPE);
	struct layout y = layout_of(t);
	ir_id a = lift_vsrc(l, 0, t), b = lift_vsrc(l, 1, t), c = lift_vsrc(l, 2, t);
	ir_id bit = lift_active(l, lift_mask(l, &vcc));
	ir_id e = exponent(l, t, c), up = b2(l, IR_slt, lift_c32(l, y.bias), e);
	ir_id n = k_where(l, up, y.step, lift_c32(l, 0u - y.step)), v = lift_f3(l, IR_ffma, t, a, b, c);

	n = pick(l, IR_I32, bit, n, lift_c32(l, 0));
	lift_vdst(l, op2(l, IR_fldexp, t, v, n), t);
}

/* The quotient (source 0) of source 2 by source 1 where the two are ordinary, else what the division of special
 * values gives. */
void lift_v_divfixup(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = (ir_type)(r->arg & TYPE), it = ir_int_of_bits(ir_bits(t));
	struct layout y = layout_of(t);
	uint64_t top = 1ull << (ir_bits(t) - 1), inf = (uint64_t)y.emax << y.mant, nan = inf | 1ull << (y.mant - 1);
	ir_id q = lift_vsrc(l, 0, t), den = lift_vsrc(l, 1, t), num = lift_vsrc(l, 2, t);
	ir_id bd = lift_cast(l, it, den), bn = lift_cast(l, it, num);
	ir_id sign = opk(l, IR_iand, it, op2(l, IR_ixor, it, bd, bn), top), under, v;
	ir_id zd = is_class(l, den, CLASS_ZERO), zn = is_class(l, num, CLASS_ZERO), id = is_class(l, den, CLASS_INF);
	ir_id in = is_class(l, num, CLASS_INF), en = exponent(l, t, num), ed = exponent(l, t, den);

	v = op2(l, IR_ior, it, lift_cast(l, it, op1(l, IR_fabs, t, q)), sign);
	under = bk(l, IR_slt, i2(l, IR_isub, en, ed), 0u - (y.bias + y.mant));
	if (ir_bits(t) != 16)
		v = pick(l, it, under, sign, v);
	v = pick(l, it, b2(l, IR_ior, id, zn), sign, v);
	ir_id huge = opk(l, IR_ior, it, sign, inf), zeros = b2(l, IR_iand, zd, zn), none = b2(l, IR_iand, id, in);
	v = pick(l, it, b2(l, IR_ior, zd, in), huge, v);
	none = b2(l, IR_ior, zeros, none);
	v = pick(l, it, none, ir_const(l->fn, it, top | nan), v);
	for (unsigned i = 0; i < 2; i++) { /* made quiet */
		ir_id is_nan = is_class(l, i ? num : den, CLASS_NAN);
		v = pick(l, it, is_nan, opk(l, IR_ior, it, i ? bn : bd, nan ^ inf), v);
	}
	lift_vdst(l, lift_cast(l, t, v), t);
}

/* ---- floats of the first generations */
void lift_v_minleg(struct amd_lift *l, const struct lift_row *r) /* op: flt (min), fle with REV (max): a op b ? a : b */
{
	ir_id a = lift_vsrc(l, 0, IR_F32), b = lift_vsrc(l, 1, IR_F32);
	ir_id c = r->arg & REV ? lift_f2(l, r->op, IR_F32, b, a) : lift_f2(l, r->op, IR_F32, a, b);

	lift_vdst(l, pick(l, IR_F32, c, a, b), IR_F32);
}

/* op of a source, then infinities become the largest float, or with LEGACY zero; of the same sign. TYPE */
void lift_v_noinf(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = (ir_type)(r->arg & TYPE), it = ir_int_of_bits(ir_bits(t));
	struct layout y = layout_of(t);
	uint64_t top = 1ull << (ir_bits(t) - 1), most = ((uint64_t)y.emax << y.mant) - 1;
	ir_id v = lift_f1(l, r->op, t, lift_vsrc(l, 0, t));
	ir_id sign = opk(l, IR_iand, it, lift_cast(l, it, v), top), inf = is_class(l, v, CLASS_INF);
	ir_id w = r->arg & LEGACY ? sign : opk(l, IR_ior, it, sign, most);

	lift_vdst(l, pick(l, t, inf, lift_cast(l, t, w), v), t);
}

void lift_v_sin16(struct amd_lift *l, const struct lift_row *r) /* op: fsin, fcos of revolutions, in 32 bits */
{
	ir_id v = op1(l, IR_f2f, IR_F32, lift_vsrc(l, 0, IR_F16));

	v = opk(l, IR_fmul, IR_F32, op1(l, IR_ffract, IR_F32, v), 0x40c90fdb);
	lift_vdst(l, op1(l, IR_f2f, IR_F16, op1(l, r->op, IR_F32, v)), IR_F16);
}

/* ---- conversions */
void lift_v_offi4(struct amd_lift *l, const struct lift_row *r) /* a signed nibble in sixteenths */
{
	ir_id v = op1(l, IR_s2f, IR_F32, lift_ubfe(l, vs(l, 0), 0, 4, true));

	(void)r;
	lift_vdst(l, opk(l, IR_fmul, IR_F32, v, 0x3d800000), IR_F32);
}

void lift_v_satpk8(struct amd_lift *l, const struct lift_row *r) /* two signed halves to unsigned bytes */
{
	ir_id w = vs(l, 0), v[2];

	(void)r;
	for (unsigned i = 0; i < 2; i++) {
		v[i] = lift_ubfe(l, w, 16 * i, 16, true);
		v[i] = ik(l, IR_smin, ik(l, IR_smax, v[i], 0), 255);
	}
	lift_vdst(l, i2(l, IR_ior, v[0], ik(l, IR_shl, v[1], 8)), IR_I32);
}

/* A half to a 16-bit normalised integer, to nearest even, NaN gives 0. SIGNED */
static ir_id norm16(struct amd_lift *l, ir_id h, bool sign)
{
	ir_id x = op1(l, IR_f2f, IR_F32, h), nan = b2(l, IR_funo, x, x), low = ir_const(l->fn, IR_F32, sign ? 0xbf800000 : 0);

	x = opk(l, IR_fmin, IR_F32, op2(l, IR_fmax, IR_F32, x, low), 0x3f800000);
	x = op1(l, IR_frndne, IR_F32, opk(l, IR_fmul, IR_F32, x, sign ? 0x46fffe00 : 0x477fff00));
	x = pick(l, IR_F32, nan, ir_const(l->fn, IR_F32, 0), x);
	return op1(l, IR_trunc, IR_I16, op1(l, sign ? IR_f2s : IR_f2u, IR_I32, x));
}

void lift_v_norm16(struct amd_lift *l, const struct lift_row *r) /* SIGNED; PAIR: two sources, packed */
{
	bool sign = r->arg & SIGNED;

	if (l->in->omod || l->in->clamp) {
		lift_refuse(l, "output modifier on normalised integers");
		return;
	}
	ir_id a = norm16(l, lift_vsrc(l, 0, IR_F16), sign);
	if (r->arg & PAIR)
		lift_vdst(l, op2(l, IR_pack32, IR_I32, a, norm16(l, lift_vsrc(l, 1, IR_F16), sign)), IR_I32);
	else
		lift_vdst(l, a, IR_I16);
}

/* a * b + d of both halves */
void lift_v_pkfmac(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = vs(l, 0), b = vs(l, 1), d = lift_vacc(l, IR_I32), v[2];

	(void)r;
	for (unsigned h = 0; h < 2; h++) {
		ir_id x = lift_cast(l, IR_F16, lift_half(l, a, h)), y = lift_cast(l, IR_F16, lift_half(l, b, h));
		ir_id z = lift_cast(l, IR_F16, lift_half(l, d, h));
		v[h] = lift_cast(l, IR_I16, lift_f3(l, IR_ffma, IR_F16, x, y, z));
	}
	lift_vdst(l, op2(l, IR_pack32, IR_I32, v[0], v[1]), IR_I32);
}

/* The first 1201 bits of 2 / pi, a fraction, highest first; behind them are zeros (the ISA documents name them [1200:0]). */
static const uint32_t two_over_pi[] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
	0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
	0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
	0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
	0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b0000,
};
enum { PI_WORDS = sizeof(two_over_pi) / sizeof(two_over_pi[0]) };

/* 53 bits of 2 / pi for the reduction of a large angle: segment n starts at bit 53 n, for an angle with an exponent past 1077 at as
 * many bits more; their weight stays, but 2^128 times it for exponents from 1968 on. */
void lift_v_trigpre(struct amd_lift *l, const struct lift_row *r)
{
	ir_id angle = lift_cast(l, IR_I64, lift_vsrc(l, 0, IR_F64)), top = op1(l, IR_hi64, IR_I32, angle);
	ir_id exponent = lift_ubfe(l, top, 20, 11, false), past = ik(l, IR_isub, ik(l, IR_umax, exponent, 1077), 1077);
	ir_id first = ik(l, IR_imul, ik(l, IR_iand, vs(l, 1), 31), 53), shift = i2(l, IR_iadd, first, past);
	ir_id at = ik(l, IR_lshr, shift, 5), in = op1(l, IR_zext, IR_I64, ik(l, IR_iand, shift, 31)), word[3];

	(void)r;
	for (unsigned k = 0; k < 3; k++)
		word[k] = lift_c32(l, 0);
	for (unsigned w = 0; w < PI_WORDS; w++) {
		ir_id here = b2(l, IR_ieq, at, lift_c32(l, w));
		for (unsigned k = 0; k < 3 && w + k < PI_WORDS; k++)
			word[k] = op3(l, IR_select, IR_I32, here, lift_c32(l, two_over_pi[w + k]), word[k]);
	}
	ir_id high = op2(l, IR_shl, IR_I64, op2(l, IR_pack64, IR_I64, word[1], word[0]), in);
	ir_id low = op2(l, IR_shl, IR_I64, op1(l, IR_zext, IR_I64, word[2]), in);
	ir_id bits = op2(l, IR_ior, IR_I64, high, op2(l, IR_lshr, IR_I64, low, k64(l, 32)));
	ir_id v = op1(l, IR_u2f, IR_F64, op2(l, IR_lshr, IR_I64, bits, k64(l, 11)));
	ir_id large = b2(l, IR_ule, lift_c32(l, 1968), exponent);
	ir_id weight = k_where(l, large, 128 - 53, lift_c32(l, (uint32_t)-53));
	lift_vdst(l, lift_f2(l, IR_fldexp, IR_F64, v, i2(l, IR_isub, weight, shift)), IR_F64);
}
