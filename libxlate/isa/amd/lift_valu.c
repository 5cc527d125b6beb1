/* lift_valu.c - vector arithmetic, compares, conversions. Each lifter's comment says what it reads of its row's
 * argument. */
#include "lift_amd.h"

static ir_type type_of(const struct lift_row *r)
{
	return (ir_type)(r->arg & TYPE);
}

static ir_id zero(struct amd_lift *l, ir_type t)
{
	return ir_const(l->fn, t, 0);
}

static ir_id fconst(struct amd_lift *l, uint32_t bits)
{
	return ir_const(l->fn, IR_F32, bits);
}

static inline ir_id emit(struct amd_lift *l, enum ir_op op, ir_type t, unsigned n, const ir_id *a)
{
	if (!ir_is_float(t))
		return n == 1 ? op1(l, op, t, a[0]) : n == 2 ? op2(l, op, t, a[0], a[1]) : op3(l, op, t, a[0], a[1], a[2]);
	return n == 1 ? lift_f1(l, op, t, a[0]) : n == 2 ? lift_f2(l, op, t, a[0], a[1]) : lift_f3(l, op, t, a[0], a[1], a[2]);
}

/* The first n, which are there. */
static inline void sources(struct amd_lift *l, ir_type t, unsigned n, ir_id *a)
{
	const struct amd_opnd *o = l->in->src;

	if (ir_bits(t) == 32 && lift_is_plain(l->in)) /* as lift_vsrc does, and most are */
		for (unsigned i = 0; i < n; i++)
			a[i] = lift_word(l, t, &o[i]);
	else
		for (unsigned i = 0; i < n; i++)
			a[i] = lift_vsrc(l, i, t);
}

/* Arithmetic other than moves needs the default rounding where the program may have chosen another. */
static void rounding(struct amd_lift *l, ir_type t)
{
	if (ir_is_float(t) && ir_bits(t) != 32 && (lift_float_mode(l) & FACT_RTZ16_64))
		lift_refuse(l, "16- or 64-bit float arithmetic that rounds to zero");
}

void lift_v_nop(struct amd_lift *l, const struct lift_row *r)
{
	(void)l;
	(void)r;
}

/* One op over n sources. TYPE, REV, NOT; HI: the op rounds (so a rounding mode matters) */
static inline void alu(struct amd_lift *l, const struct lift_row *r, unsigned n)
{
	ir_type t = type_of(r);
	bool reversed = n == 2 && r->arg & REV;
	ir_id a[2] = { 0 };

	sources(l, t, n, a);
	if (r->arg & HI)
		rounding(l, t);
	ir_id v = emit(l, r->op, t, n, (ir_id[]){ a[reversed], a[!reversed] });
	lift_vdst(l, r->arg & NOT ? op1(l, IR_inot, t, v) : v, t);
}

void lift_v_alu1(struct amd_lift *l, const struct lift_row *r)
{
	alu(l, r, 1);
}

void lift_v_alu(struct amd_lift *l, const struct lift_row *r)
{
	alu(l, r, 2);
}

void lift_v_mov(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_opnd *o = &l->in->src[0];
	bool as_it_is = o->kind == AMD_K_VGPR && lift_is_plain(l->in); /* of any type */

	(void)r;
	lift_vdst(l, as_it_is ? lift_vgpr_any(l, o->index) : lift_vsrc(l, 0, IR_I32), IR_I32);
}

/* gfx7 has halves in conversions only, whose denormals no mode flushes (ERRATA.md). */
static bool flushes(struct amd_lift *l, ir_type t)
{
	if (l->gfx7 && ir_bits(t) == 16)
		return false;
	return ir_is_float(t) && (lift_float_mode(l) & (ir_bits(t) == 32 ? FACT_FTZ32 : FACT_FTZ16_64));
}

/* Conversions. TYPE: the source's; count: the result's; for f2f to 16 bits the rounding mode decides. */
void lift_v_cvt(struct amd_lift *l, const struct lift_row *r)
{
	ir_type from = type_of(r), to = (ir_type)lift_count(r);
	enum ir_op op = r->op;
	ir_id v = lift_vsrc(l, 0, from);

	if (ir_is_float(to) && ir_bits(to) == 16 && (lift_float_mode(l) & FACT_RTZ16_64)) {
		if (op != IR_f2f)
			lift_refuse(l, "conversion to a 16-bit float that rounds to zero");
		op = IR_f2f_rtz;
	}
	ir_id c = op1(l, op, to, v);
	if (flushes(l, from))
		l->fn->inst[c].flags |= IR_F_FTZ;
	if (ir_is_float(from) && flushes(l, to) && ir_bits(to) < ir_bits(from)) /* the flag is about the source's width */
		c = op1(l, IR_fflush, to, c);
	if (ir_is_float(to))
		lift_vdst(l, c, to);
	else
		lift_vput(l, c, to); /* saturates without a clamp, too */
}

/* float to integer: op ffloor of x, or with HI of x + 0.5 */
void lift_v_rnd(struct amd_lift *l, const struct lift_row *r)
{
	ir_id v = lift_vsrc(l, 0, IR_F32);

	if (r->arg & HI)
		v = lift_f2(l, IR_fadd, IR_F32, v, fconst(l, 0x3f000000));
	lift_vput(l, op1(l, IR_f2s, IR_I32, lift_f1(l, r->op, IR_F32, v)), IR_I32);
}

void lift_v_ubyte(struct amd_lift *l, const struct lift_row *r) /* count: byte */
{
	ir_id b = lift_ubfe(l, lift_vsrc(l, 0, IR_I32), 8 * lift_count(r), 8, false);

	lift_vdst(l, op1(l, IR_u2f, IR_F32, b), IR_F32);
}

static ir_id pack16(struct amd_lift *l, ir_id lo, ir_id hi)
{
	lo = lift_cast(l, IR_I16, lo);
	hi = lift_cast(l, IR_I16, hi);
	return op2(l, IR_pack32, IR_I32, lo, hi);
}

void lift_v_pkrtz(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = lift_vsrc(l, 0, IR_F32), b = lift_vsrc(l, 1, IR_F32);

	(void)r;
	if (l->in->omod || l->in->clamp)
		lift_refuse(l, "output modifier on packed halves");
	if (flushes(l, IR_F16) && l->facts->floats == FLOAT_STRICT)
		lift_refuse(l, "packed halves where a mode flushes halves: nothing says whether it does here");
	a = op1(l, IR_f2f_rtz, IR_F16, a);
	b = op1(l, IR_f2f_rtz, IR_F16, b);
	lift_vdst(l, pack16(l, a, b), IR_I32);
}

/* Two floats to 16-bit normalised integers, rounded to nearest even; NaN gives 0 (the rule that Direct3D states for these
 * conversions). op: f2s or f2u. */
void lift_v_pknorm(struct amd_lift *l, const struct lift_row *r)
{
	bool sign = r->op == IR_f2s;
	ir_id low = ir_const(l->fn, IR_F32, sign ? 0xbf800000 : 0), one = ir_const(l->fn, IR_F32, 0x3f800000);
	ir_id scale = ir_const(l->fn, IR_F32, sign ? 0x46fffe00 : 0x477fff00); /* 32767, 65535 */
	ir_id v[2];

	if (l->in->omod || l->in->clamp)
		lift_refuse(l, "output modifier on packed halves");
	for (unsigned k = 0; k < 2; k++) {
		ir_id x = lift_vsrc(l, k, IR_F32);
		if (sign) { /* of NaN the bounds would make the lower one, which is 0 for unsigned ones */
			ir_id nan = lift_f2(l, IR_funo, IR_F32, x, x);
			x = op3(l, IR_select, IR_F32, nan, ir_const(l->fn, IR_F32, 0), x);
		}
		x = lift_f2(l, IR_fmin, IR_F32, lift_f2(l, IR_fmax, IR_F32, x, low), one);
		x = op1(l, IR_frndne, IR_F32, lift_f2(l, IR_fmul, IR_F32, x, scale));
		v[k] = op1(l, IR_trunc, IR_I16, op1(l, r->op, IR_I32, x));
	}
	lift_vdst(l, op2(l, IR_pack32, IR_I32, v[0], v[1]), IR_I32);
}

/* Two integers saturated to 16 bits. op: smin or umin */
void lift_v_pkint(struct amd_lift *l, const struct lift_row *r)
{
	ir_id v[2];

	for (unsigned k = 0; k < 2; k++) {
		ir_id x = lift_vsrc(l, k, IR_I32);
		if (r->op == IR_smin)
			x = i2(l, IR_smax, x, lift_c32(l, (uint32_t)-32768));
		v[k] = op1(l, IR_trunc, IR_I16, i2(l, r->op, x, lift_c32(l, r->op == IR_smin ? 32767 : 65535)));
	}
	lift_vdst(l, op2(l, IR_pack32, IR_I32, v[0], v[1]), IR_I32);
}

void lift_v_pack(struct amd_lift *l, const struct lift_row *r) /* v_pack_b32_f16 */
{
	ir_id a = lift_vsrc(l, 0, IR_F16), b = lift_vsrc(l, 1, IR_F16);

	(void)r;
	if (l->in->omod || l->in->clamp)
		lift_refuse(l, "output modifier on packed halves");
	lift_vdst(l, pack16(l, a, b), IR_I32);
}

/* ---- multiply and add */
static ir_id either_zero(struct amd_lift *l, ir_type t, ir_id a, ir_id b)
{
	ir_id z = zero(l, t), za = lift_f2(l, IR_feq, t, a, z), zb = lift_f2(l, IR_feq, t, b, z);

	return b2(l, IR_ior, za, zb);
}

static ir_id mul_legacy(struct amd_lift *l, ir_id a, ir_id b)
{
	ir_id z = zero(l, IR_F32), any = either_zero(l, IR_F32, a, b);

	return op3(l, IR_select, IR_F32, any, z, lift_f2(l, IR_fmul, IR_F32, a, b));
}

void lift_v_mulleg(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = lift_vsrc(l, 0, IR_F32), b = lift_vsrc(l, 1, IR_F32);

	(void)r;
	lift_vdst(l, mul_legacy(l, a, b), IR_F32);
}

/* a * b + c, c the destination where the row accumulates. TYPE, FUSED (one rounding), LEGACY */
void lift_v_mad(struct amd_lift *l, const struct lift_row *r)
{
	ir_type t = type_of(r);
	ir_id s[2], v;

	sources(l, t, 2, s);
	ir_id a = s[0], b = s[1], c = l->in->src[2].kind == AMD_K_NONE ? lift_vacc(l, t) : lift_vsrc(l, 2, t);

	rounding(l, t);
	if (r->arg & LEGACY) {
		ir_id z = zero(l, t);
		if (r->arg & FUSED) { /* 0 * anything + c is c */
			ir_id any = either_zero(l, t, a, b), plain = lift_f2(l, IR_fadd, t, z, c);
			v = op3(l, IR_select, t, any, plain, lift_f3(l, IR_ffma, t, a, b, c));
		} else {
			v = lift_f2(l, IR_fadd, t, mul_legacy(l, a, b), c);
		}
	} else if (r->arg & FUSED) {
		v = lift_f3(l, IR_ffma, t, a, b, c);
	} else {
		v = lift_f2(l, IR_fadd, t, lift_f2(l, IR_fmul, t, a, b), c);
	}
	lift_vdst(l, v, t);
}

/* Source i of v_fma_mix*: a float, or one half of the register where op_sel_hi is set. An inline float is a half there, too
 * (LLVM 19 assembles 0x3c00 as inline 1.0). */
static ir_id mix_source(struct amd_lift *l, unsigned i)
{
	const struct amd_inst *in = l->in;
	ir_id v = lift_dword(l, &in->src[i], 0);
	bool high = in->op_sel >> i & 1;

	if (!(in->op_sel_hi >> i & 1))
		return lift_cast(l, IR_F32, v);
	if (in->src[i].kind != AMD_K_FLOAT)
		return op1(l, IR_f2f, IR_F32, lift_cast(l, IR_F16, lift_half(l, v, high)));
	if (high)
		lift_refuse(l, "the upper half of an inline float");
	return op1(l, IR_f2f, IR_F32, op1(l, IR_f2f, IR_F16, lift_cast(l, IR_F32, v)));
}

/* v_fma_mix*: count: 0 f32 result, 1 low half, 2 high half */
void lift_v_mix(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	bool rtz = lift_float_mode(l) & FACT_RTZ16_64;
	unsigned where = lift_count(r), n = in->dst[0].index;
	ir_id a[3];

	for (unsigned i = 0; i < 3; i++) {
		ir_id v = mix_source(l, i);
		if ((in->neg_hi >> i & 1) || (in->src[i].mods & AMD_MOD_ABS))
			v = op1(l, IR_fabs, IR_F32, v);
		if ((in->neg_lo >> i & 1) || (in->src[i].mods & AMD_MOD_NEG))
			v = op1(l, IR_fneg, IR_F32, v);
		a[i] = v;
	}
	ir_id v = lift_f3(l, IR_ffma, IR_F32, a[0], a[1], a[2]);
	if (!where) {
		lift_vdst(l, v, IR_F32);
		return;
	}
	v = op1(l, rtz ? IR_f2f_rtz : IR_f2f, IR_F16, v);
	if (in->clamp)
		v = op1(l, IR_fsat, IR_F16, v);
	v = lift_cast(l, IR_I16, v);
	ir_id keep = lift_half(l, lift_vgpr(l, n), where == 1);
	lift_set_vgpr(l, n, where == 1 ? op2(l, IR_pack32, IR_I32, v, keep) : op2(l, IR_pack32, IR_I32, keep, v));
}

/* Packed halves: the op on each half. TYPE, REV; FUSED and accumulators by operand count */
void lift_v_pk(struct amd_lift *l, const struct lift_row *r)
{
	const struct amd_inst *in = l->in;
	ir_type t = type_of(r);
	ir_id out[2];

	rounding(l, t);
	if (in->flags & AMD_F_ACC)
		lift_refuse(l, "packed accumulate");
	if ((in->neg_lo | in->neg_hi) && !ir_is_float(t)) {
		lift_refuse(l, "negation of packed integers");
		return;
	}
	bool sat = in->clamp && !ir_is_float(t);
	if (sat && r->op != IR_iadd && r->op != IR_isub && !(r->op == IR_imul && in->src[2].kind != AMD_K_NONE) &&
	    r->op < IR_smin)
		lift_refuse(l, "clamp of a packed shift or product");
	for (unsigned h = 0; h < 2; h++) {
		ir_id a[3];
		unsigned n = 0, sel = h ? in->op_sel_hi : in->op_sel, neg = h ? in->neg_hi : in->neg_lo;
		for (; n < 3 && in->src[n].kind != AMD_K_NONE; n++) {
			a[n] = lift_cast(l, t, lift_half(l, lift_dword(l, &in->src[n], 0), sel >> n & 1));
			if (neg >> n & 1)
				a[n] = op1(l, IR_fneg, t, a[n]);
		}
		if (sat && r->op < IR_shl)
			out[h] = lift_sat16(l, r->op, r->arg & SIGNED, a, n);
		else if (r->arg & REV)
			out[h] = emit(l, r->op, t, 2, (ir_id[]){ a[1], a[0] });
		else if (n == 3 && r->op == IR_imul)
			out[h] = op2(l, IR_iadd, t, op2(l, IR_imul, t, a[0], a[1]), a[2]);
		else
			out[h] = emit(l, r->op, t, n, a);
		if (in->clamp && !sat)
			out[h] = op1(l, IR_fsat, t, out[h]);
	}
	lift_set_vgpr(l, in->dst[0].index, pack16(l, out[0], out[1]));
}

void lift_v_chain(struct amd_lift *l, const struct lift_row *r) /* (a op b) op2 c. TYPE; count: op2 */
{
	ir_type t = type_of(r);
	ir_id a[3];

	sources(l, t, 3, a);
	ir_id v = emit(l, r->op, t, 2, a);
	v = emit(l, (enum ir_op)lift_count(r), t, 2, (ir_id[]){ v, a[2] });
	if (ir_is_float(t))
		lift_vdst(l, v, t);
	else
		lift_vput(l, v, t); /* a clamp has nothing to do: the others are v_intsat */
}

static bool below(ir_type t, const uint64_t k[2])
{
	uint64_t less;

	return ir_eval_op(IR_flt, IR_B1, 0, 0, (ir_type[]){ t, t }, k, &less) && less;
}

/* The middle of x and two constants, low < high: of a NaN it is the lower one, which is what the ISA's minimum of all three is. A
 * high one of zero is left to the whole definition, which says which zero it is. 0: not that. */
static ir_id between(struct amd_lift *l, ir_type t, const ir_id a[3])
{
	uint64_t normal = t == IR_F16 ? 0x7c00 : 0x7f800000, k[2];

	for (unsigned x = 0; x < 3; x++) {
		ir_id low = a[(x + 1) % 3], high = a[(x + 2) % 3];
		if (!ir_is_const(l->fn, low, &k[0]) || !ir_is_const(l->fn, high, &k[1]))
			continue;
		if (!below(t, k)) {
			uint64_t first = k[0];
			k[0] = k[1];
			k[1] = first;
			low = high;
			high = a[(x + 1) % 3];
		}
		return below(t, k) && k[1] & normal ? lift_f2(l, IR_fmin, t, lift_f2(l, IR_fmax, t, a[x], low), high) : 0;
	}
	return 0;
}

void lift_v_med3(struct amd_lift *l, const struct lift_row *r) /* TYPE, SIGNED */
{
	ir_type t = type_of(r);
	bool f = ir_is_float(t);
	enum ir_op mn = f ? IR_fmin : r->arg & SIGNED ? IR_smin : IR_umin;
	enum ir_op mx = f ? IR_fmax : r->arg & SIGNED ? IR_smax : IR_umax;
	ir_id a[3];

	sources(l, t, 3, a);
	if (!f) {
		ir_id lo = op2(l, mn, t, a[0], a[1]), hi = op2(l, mx, t, a[0], a[1]);
		lift_vput(l, op2(l, mx, t, lo, op2(l, mn, t, hi, a[2])), t);
		return;
	}
	ir_id mid = between(l, t, a);
	if (mid) {
		lift_vdst(l, mid, t);
		return;
	}
	ir_id top = lift_f2(l, mx, t, lift_f2(l, mx, t, a[0], a[1]), a[2]);
	ir_id bottom = lift_f2(l, mn, t, lift_f2(l, mn, t, a[0], a[1]), a[2]);
	ir_id v = lift_f2(l, mx, t, a[0], a[1]), v1 = lift_f2(l, mx, t, a[0], a[2]), v0 = lift_f2(l, mx, t, a[1], a[2]);
	/* by the denormals that lift_f2's maxima have */
	v = op3(l, IR_select, t, l->gfx7 ? op2(l, IR_feq, IR_B1, top, a[1]) : lift_f2(l, IR_feq, t, top, a[1]), v1, v);
	v = op3(l, IR_select, t, l->gfx7 ? op2(l, IR_feq, IR_B1, top, a[0]) : lift_f2(l, IR_feq, t, top, a[0]), v0, v);
	ir_id nan = b2(l, IR_funo, a[0], a[1]), nan2 = b2(l, IR_funo, a[2], a[2]);
	nan = b2(l, IR_ior, nan, nan2);
	lift_vdst(l, op3(l, IR_select, t, nan, bottom, v), t);
}

/* ---- compares: the mask gets 0 in lanes that are off */
static void set_compare(struct amd_lift *l, ir_id v)
{
	const struct amd_inst *in = l->in;

	if (l->enable)
		lift_refuse(l, "DPP compare");
	v = lift_where_on(l, v);
	l->settled = true;
	lift_set_mask(l, &in->dst[0], v);
	if (in->flags & AMD_F_CMPX)
		lift_set_exec(l, v);
}

void lift_v_cmp(struct amd_lift *l, const struct lift_row *r) /* TYPE, REV, NOT; op const: count is the answer */
{
	ir_type t = type_of(r);

	if (r->op == IR_const) {
		set_compare(l, lift_bool(l, lift_count(r)));
		return;
	}
	ir_id s[3];
	sources(l, t, 2, s);
	ir_id a = s[r->arg & REV ? 1 : 0], b = s[r->arg & REV ? 0 : 1];
	ir_id v = ir_is_float(t) ? lift_f2(l, r->op, t, a, b) : b2(l, r->op, a, b);
	set_compare(l, r->arg & NOT ? lift_not(l, v) : v);
}

/* A constant is of one class, so that compilers test a bit of the mask with it. (A denormal may count as zero.) The classes that `a`
 * may be of, a bit each. */
static uint32_t classes_of(struct amd_lift *l, ir_id a, ir_type t)
{
	enum { DENORMALS = 1 << 4 | 1 << 7, ALL = (1 << 10) - 1 };
	uint32_t class = 1;
	uint64_t k, is;

	if (!ir_is_const(l->fn, a, &k) || !ir_eval_op(IR_fclass, IR_B1, 0, DENORMALS, &t, &k, &is) || is)
		return ALL;
	while (class < ALL && (!ir_eval_op(IR_fclass, IR_B1, 0, class, &t, &k, &is) || !is))
		class <<= 1;
	return class & ALL ? class : ALL;
}

void lift_v_class(struct amd_lift *l, const struct lift_row *r) /* TYPE */
{
	ir_type t = type_of(r);
	ir_id a = lift_vsrc(l, 0, t), v = lift_bool(l, false);
	ir_id m = ir_bits(t) == 16 ? op1(l, IR_zext, IR_I32, lift_vsrc(l, 1, IR_I16)) : lift_vsrc(l, 1, IR_I32);
	uint64_t k;

	if (ir_is_const(l->fn, m, &k)) {
		v = op1(l, IR_fclass, IR_B1, a);
		l->fn->inst[v].imm = k & 1023;
		set_compare(l, v);
		return;
	}
	uint32_t classes = classes_of(l, a, t);
	if (!(classes & (classes - 1))) {
		set_compare(l, bk(l, IR_ine, ik(l, IR_iand, m, classes), 0));
		return;
	}
	for (unsigned i = 0; i < 10; i++) {
		ir_id c = op1(l, IR_fclass, IR_B1, a);
		l->fn->inst[c].imm = 1u << i;
		ir_id bit = bk(l, IR_ine, ik(l, IR_iand, m, 1u << i), 0);
		v = b2(l, IR_ior, v, b2(l, IR_iand, c, bit));
	}
	set_compare(l, v);
}

/* ---- integer add and subtract */
/* op: iadd, isub; REV, CIN. Carry or borrow goes to dst[1] */
void lift_v_carry(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a = lift_vsrc(l, 0, IR_I32), b = lift_vsrc(l, 1, IR_I32);
	enum ir_op carry = r->op == IR_isub ? IR_borrow : IR_carry;

	if (r->arg & REV) {
		ir_id x = a;
		a = b;
		b = x;
	}
	ir_id v = i2(l, r->op, a, b), c = b2(l, carry, a, b), mask = lift_exec(l);
	if (r->arg & CIN) {
		ir_id in = op1(l, IR_zext, IR_I32, lift_active(l, lift_mask(l, &l->in->src[2])));
		c = b2(l, IR_ior, c, b2(l, carry, v, in));
		v = i2(l, r->op, v, in);
	}
	if (l->in->clamp)
		v = op3(l, IR_select, IR_I32, c, lift_c32(l, r->op == IR_isub ? 0 : UINT32_MAX), v);
	lift_vput(l, v, IR_I32);
	if (l->enable)
		mask = b2(l, IR_iand, mask, l->enable);
	lift_set_mask(l, &l->in->dst[1], mask == l->yes ? c : b2(l, IR_iand, mask, c));
}

void lift_v_mad64(struct amd_lift *l, const struct lift_row *r) /* SIGNED; the carry out goes to dst[1] */
{
	bool s = r->arg & SIGNED;
	ir_id a = lift_vsrc(l, 0, IR_I32), b = lift_vsrc(l, 1, IR_I32), c = lift_vsrc(l, 2, IR_I64);
	ir_id lo = i2(l, IR_imul, a, b), hi = i2(l, s ? IR_smulh : IR_umulh, a, b), p = op2(l, IR_pack64, IR_I64, lo, hi);

	lift_vdst(l, op2(l, IR_iadd, IR_I64, p, c), IR_I64);
	ir_id over = b2(l, IR_carry, p, c);
	if (s) { /* bit 64 of the sum of the sign-extended values */
		ir_id z = ir_const(l->fn, IR_I64, 0), np = b2(l, IR_slt, p, z), nc = b2(l, IR_slt, c, z);
		over = b2(l, IR_ixor, over, b2(l, IR_ixor, np, nc));
	}
	lift_set_mask(l, &l->in->dst[1], lift_where_on(l, over));
}

/* ---- transcendental and friends */
void lift_v_sin(struct amd_lift *l, const struct lift_row *r) /* op: fsin, fcos of revolutions */
{
	ir_id v = lift_f1(l, IR_ffract, IR_F32, lift_vsrc(l, 0, IR_F32));

	lift_vdst(l, lift_f1(l, r->op, IR_F32, lift_f2(l, IR_fmul, IR_F32, v, fconst(l, 0x40c90fdb))), IR_F32);
}

void lift_v_ldexp(struct amd_lift *l, const struct lift_row *r) /* TYPE */
{
	ir_type t = type_of(r);
	bool half = ir_bits(t) == 16;
	ir_id a = lift_vsrc(l, 0, t), e = lift_vsrc(l, 1, half ? IR_I16 : IR_I32);

	if (half)
		e = op1(l, IR_sext, IR_I32, e);

	rounding(l, t);
	lift_vdst(l, lift_f2(l, IR_fldexp, t, a, e), t);
}

void lift_v_frexp_exp(struct amd_lift *l, const struct lift_row *r) /* TYPE */
{
	ir_type t = type_of(r);
	ir_id v = op1(l, IR_ffrexpe, IR_I32, lift_vsrc(l, 0, t));

	if ((lift_float_mode(l) & FACT_FTZ32) && t == IR_F32)
		l->fn->inst[v].flags |= IR_F_FTZ;
	if (ir_bits(t) == 16)
		lift_vput(l, op1(l, IR_trunc, IR_I16, v), IR_I16);
	else
		lift_vput(l, v, IR_I32);
}

/* Cube faces: with the largest magnitude among z, then y, then x (in this order on ties): id 4/5, 2/3, 0/1.
 * count: 0 id, 1 s, 2 t, 3 twice the major axis. */
void lift_v_cube(struct amd_lift *l, const struct lift_row *r)
{
	ir_id a[3], ab[3], z = zero(l, IR_F32);
	unsigned what = lift_count(r);

	sources(l, IR_F32, 3, a);
	for (unsigned i = 0; i < 3; i++)
		ab[i] = op1(l, IR_fabs, IR_F32, a[i]);
	ir_id xz = lift_f2(l, IR_fle, IR_F32, ab[0], ab[2]), yz = lift_f2(l, IR_fle, IR_F32, ab[1], ab[2]);
	ir_id isz = b2(l, IR_iand, xz, yz);
	ir_id isy = lift_f2(l, IR_fle, IR_F32, ab[0], ab[1]);
	ir_id neg[3], m[3];
	for (unsigned i = 0; i < 3; i++) {
		neg[i] = lift_f2(l, IR_flt, IR_F32, a[i], z);
		if (what == 0) {
			ir_id face = fconst(l, i == 2 ? 0x40800000 : i ? 0x40000000 : 0);
			m[i] = op3(l, IR_select, IR_F32, neg[i], fconst(l, i == 2 ? 0x40a00000 : i ? 0x40400000 : 0x3f800000), face);
		} else
			m[i] = op1(l, IR_fneg, IR_F32, a[i]);
	}
	ir_id x, y, w;
	if (what == 0) {
		x = m[0];
		y = m[1];
		w = m[2];
	} else if (what == 1) {
		x = op3(l, IR_select, IR_F32, neg[0], a[2], m[2]);
		y = a[0];
		w = op3(l, IR_select, IR_F32, neg[2], m[0], a[0]);
	} else if (what == 2) {
		x = m[1];
		y = op3(l, IR_select, IR_F32, neg[1], m[2], a[2]);
		w = m[1];
	} else {
		x = lift_f2(l, IR_fmul, IR_F32, a[0], fconst(l, 0x40000000));
		y = lift_f2(l, IR_fmul, IR_F32, a[1], fconst(l, 0x40000000));
		w = lift_f2(l, IR_fmul, IR_F32, a[2], fconst(l, 0x40000000));
	}
	lift_vdst(l, op3(l, IR_select, IR_F32, isz, w, op3(l, IR_select, IR_F32, isy, y, x)), IR_F32);
}
