/* lift_vsrc.c - operands and results of vector instructions: modifiers, halves, SDWA parts, DPP lanes. */
#include "lift_amd.h"

ir_id lift_recast(struct amd_lift *l, ir_type t, ir_id v)
{
	const struct ir_inst *in = &l->fn->inst[v];
	uint64_t k;

	if (in->op == IR_bitcast && l->fn->inst[in->a[0]].type == t)
		return in->a[0];
	if (ir_elems(t) == 1 && ir_is_const(l->fn, v, &k))
		return ir_const(l->fn, t, k);
	return op1(l, IR_bitcast, t, v);
}

ir_id lift_ubfe(struct amd_lift *l, ir_id v, unsigned offset, unsigned width, bool sign)
{
	ir_id at = lift_c32(l, offset), count = lift_c32(l, width);

	return op3(l, sign ? IR_sbfe : IR_ubfe, IR_I32, v, at, count);
}

ir_id lift_half(struct amd_lift *l, ir_id v, bool high)
{
	const struct ir_inst *in = &l->fn->inst[v];
	uint64_t k;

	if (ir_is_const(l->fn, v, &k))
		return ir_const(l->fn, IR_I16, high ? k >> 16 : k);
	if (in->op == IR_pack32)
		return in->a[high];
	return op1(l, IR_trunc, IR_I16, high ? ik(l, IR_lshr, v, 16) : v);
}

/* ---- float operations with the guest's denormal mode */
static ir_id ftz(struct amd_lift *l, ir_type t, ir_id id)
{
	unsigned need = ir_bits(t) == 32 ? FACT_FTZ32 : FACT_FTZ16_64;

	if (lift_float_mode(l) & need)
		l->fn->inst[id].flags |= IR_F_FTZ;
	return id;
}

static bool compares(enum ir_op op)
{
	return op >= IR_feq && op <= IR_funo;
}

/* The unit of these flushes denormals of 32 bits in every mode, says each instruction's page of the RDNA manuals. */
static bool always_flushes(enum ir_op op, ir_type t)
{
	return t == IR_F32 && (op == IR_frcp || op == IR_frsq || op == IR_fsqrt || op == IR_fexp2 || op == IR_flog2);
}

ir_id lift_f1(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a)
{
	ir_id v = op1(l, op, t, a);

	if (!always_flushes(op, t))
		return ftz(l, t, v);
	l->fn->inst[v].flags |= IR_F_FTZ;
	return v;
}

/* Minima and maxima of gfx7 keep denormals in every mode (LLVM's GCNSubtarget::supportsMinMaxDenormModes: they have
 * modes from gfx9 on). */
ir_id lift_f2(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b)
{
	ir_id v = op2(l, op, compares(op) ? IR_B1 : t, a, b);

	return l->gfx7 && (op == IR_fmin || op == IR_fmax) ? v : ftz(l, t, v);
}

ir_id lift_f3(struct amd_lift *l, enum ir_op op, ir_type t, ir_id a, ir_id b, ir_id c)
{
	return ftz(l, t, op3(l, op, t, a, b, c));
}

/* ---- DPP: source 0 comes from another lane of the row, quad or half row */
static ir_id shuffled(struct amd_lift *l, ir_id v, ir_id index)
{
	return op3(l, IR_shuffle, IR_I32, lift_exec(l), v, index);
}

static ir_id in_row(struct amd_lift *l, ir_id lane, ir_id in16) /* this row's lane number in16 */
{
	return i2(l, IR_ior, ik(l, IR_iand, lane, ~15u), in16);
}

/* Lane to read, and in *valid whether it exists (0: always). */
static ir_id dpp_index(struct amd_lift *l, unsigned c, ir_id *valid)
{
	ir_id lane = lift_lane(l), r = ik(l, IR_iand, lane, 15);
	unsigned n = c & 15;

	*valid = 0;
	switch (c & 0x1f0) {
	case 0x100: /* row_shl */
		*valid = b2(l, IR_ult, r, lift_c32(l, 16 - n));
		return ik(l, IR_iadd, lane, n);
	case 0x110: /* row_shr */
		*valid = b2(l, IR_ule, lift_c32(l, n), r);
		return ik(l, IR_isub, lane, n);
	case 0x120: /* row_ror */
		return in_row(l, lane, ik(l, IR_iand, ik(l, IR_iadd, r, 16 - n), 15));
	case 0x140:
		if (c == 0x140) /* row_mirror */
			return ik(l, IR_ixor, lane, 15);
		if (c == 0x141) /* row_half_mirror */
			return ik(l, IR_ixor, lane, 7);
		break;
	case 0x150: /* row_share, gfx10 */
		return in_row(l, lane, lift_c32(l, n));
	case 0x160: /* row_xmask, gfx10 */
		return ik(l, IR_ixor, lane, n);
	default:
		break;
	}
	lift_refuse(l, "DPP control 0x%x", c);
	return lane;
}

static void restrict_lanes(struct amd_lift *l, ir_id m)
{
	l->enable = l->enable ? b2(l, IR_iand, l->enable, m) : m;
}

/* A lane whose source is missing reads 0 with bound_ctrl, else does not write. */
static ir_id dpp_missing(struct amd_lift *l, ir_id v, ir_id valid)
{
	if (!valid)
		return v;
	if (l->in->bound_ctrl)
		return op3(l, IR_select, IR_I32, valid, v, lift_c32(l, 0));
	restrict_lanes(l, valid);
	return v;
}

static ir_id k_lshr(struct amd_lift *l, uint32_t k, ir_id by)
{
	return i2(l, IR_lshr, lift_c32(l, k), by);
}

static ir_id dpp(struct amd_lift *l, ir_id v)
{
	const struct amd_inst *in = l->in;
	ir_id valid, index, r;

	if (in->form == AMD_FORM_DPP8) {
		ir_id lane = lift_lane(l);
		ir_id sel = k_lshr(l, in->dpp8, ik(l, IR_imul, ik(l, IR_iand, lane, 7), 3));
		ir_id group = ik(l, IR_iand, lane, ~7u);
		index = i2(l, IR_ior, group, ik(l, IR_iand, sel, 7));
		r = shuffled(l, v, index);
		if (!in->fi) { /* lanes that are off read as 0 */
			ir_id on = op3(l, IR_shuffle, IR_B1, l->yes, lift_exec(l), index);
			r = op3(l, IR_select, IR_I32, on, r, lift_c32(l, 0));
		}
		return r;
	}
	if (in->row_mask != 15 || in->bank_mask != 15) {
		ir_id lane = lift_lane(l);
		ir_id row = k_lshr(l, in->row_mask, ik(l, IR_lshr, lane, 4));
		ir_id bank = k_lshr(l, in->bank_mask, lift_ubfe(l, lane, 2, 2, false));
		restrict_lanes(l, bk(l, IR_ine, ik(l, IR_iand, i2(l, IR_iand, row, bank), 1), 0));
	}
	if (in->dpp_ctrl < 0x100) { /* quad_perm */
		r = op2(l, IR_quad, IR_I32, lift_exec(l), v);
		l->fn->inst[r].imm = in->dpp_ctrl;
		if (in->fi)
			return r;
		ir_id on = op2(l, IR_quad, IR_B1, l->yes, lift_exec(l));
		l->fn->inst[on].imm = in->dpp_ctrl;
		return dpp_missing(l, r, on);
	}
	index = dpp_index(l, in->dpp_ctrl, &valid);
	r = shuffled(l, v, index);
	if (!in->fi) {
		ir_id on = op3(l, IR_shuffle, IR_B1, l->yes, lift_exec(l), index);
		valid = valid ? b2(l, IR_iand, valid, on) : on;
	}
	return dpp_missing(l, r, valid);
}

/* ---- sources */
static ir_id modified(struct amd_lift *l, const struct amd_opnd *o, ir_type t, ir_id v)
{
	if (!(o->mods & (AMD_MOD_NEG | AMD_MOD_ABS)))
		return v;
	ir_type f = ir_float_of_bits(ir_bits(t));
	v = lift_cast(l, f, v);
	if (o->mods & AMD_MOD_ABS)
		v = op1(l, IR_fabs, f, v);
	if (o->mods & AMD_MOD_NEG)
		v = op1(l, IR_fneg, f, v);
	return lift_cast(l, t, v);
}

static ir_id selected(struct amd_lift *l, const struct amd_opnd *o, ir_id v)
{
	bool sext = o->mods & AMD_MOD_SEXT;

	if (o->sel <= AMD_SEL_BYTE3)
		return lift_ubfe(l, v, 8u * o->sel, 8, sext);
	if (o->sel <= AMD_SEL_WORD1)
		return lift_ubfe(l, v, o->sel == AMD_SEL_WORD1 ? 16 : 0, 16, sext);
	return v;
}

static bool is_dpp(const struct amd_inst *in)
{
	return in->form == AMD_FORM_DPP || in->form == AMD_FORM_DPP8;
}

static __attribute__((noinline)) ir_id modified_source(struct amd_lift *l, unsigned i, ir_type t)
{
	const struct amd_inst *in = l->in;
	const struct amd_opnd *o = &in->src[i];

	if (ir_bits(t) == 32 && in->form <= AMD_FORM_VOP3)
		return modified(l, o, t, lift_word(l, t, o));
	if (ir_bits(t) == 64)
		return modified(l, o, t, lift_cast(l, t, lift_qword(l, o)));
	ir_id v = lift_dword(l, o, 0);
	if (i == 0 && is_dpp(in))
		v = dpp(l, v);
	if (in->form == AMD_FORM_SDWA)
		v = selected(l, o, v);
	if (ir_bits(t) == 16) {
		bool constant = o->kind == AMD_K_INT || o->kind == AMD_K_FLOAT || o->kind == AMD_K_LITERAL;
		v = lift_half(l, v, in->form != AMD_FORM_SDWA && !constant && (in->op_sel >> i & 1));
	}
	return modified(l, o, t, lift_cast(l, t, v));
}

ir_id lift_vsrc(struct amd_lift *l, unsigned i, ir_type t)
{
	return ir_bits(t) == 32 && lift_is_plain(l->in) ? lift_word(l, t, &l->in->src[i]) : modified_source(l, i, t);
}

ir_id lift_vacc(struct amd_lift *l, ir_type t)
{
	const struct amd_opnd *o = &l->in->dst[0];

	if (ir_bits(t) == 64)
		return lift_cast(l, t, lift_qword(l, o));
	if (ir_bits(t) == 32)
		return lift_word(l, t, o);
	return lift_cast(l, t, lift_half(l, lift_dword(l, o, 0), l->in->op_sel >> 3 & 1));
}

/* ---- results */
static ir_id output_modifiers(struct amd_lift *l, ir_id v, ir_type t)
{
	static const int exponent[] = { 0, 1, 2, -1 }; /* omod: times 2, 4, 1/2 */
	const struct amd_inst *in = l->in;

	if (in->omod) {
		unsigned w = ir_bits(t), mant = w == 64 ? 52 : w == 32 ? 23 : 10, bias = w == 64 ? 1023 : w == 32 ? 127 : 15;
		uint64_t e = (uint64_t)((int)bias + exponent[in->omod & 3]);
		v = lift_f2(l, IR_fmul, t, v, ir_const(l->fn, t, e << mant));
	}
	return in->clamp ? op1(l, IR_fsat, t, v) : v;
}

/* The part of a register that an SDWA result goes to; the rest is padded, sign extended or kept. */
static ir_id sdwa_result(struct amd_lift *l, ir_id v, ir_id old)
{
	const struct amd_inst *in = l->in;
	unsigned at, width;

	if (in->dst_sel == AMD_SEL_DWORD)
		return v;
	width = in->dst_sel <= AMD_SEL_BYTE3 ? 8 : 16;
	at = in->dst_sel <= AMD_SEL_BYTE3 ? 8u * in->dst_sel : in->dst_sel == AMD_SEL_WORD1 ? 16 : 0;
	uint32_t mask = ((1u << width) - 1) << at;
	if (in->dst_unused == 1) /* sign: bits above repeat the top bit, bits below are 0 */
		return ik(l, IR_shl, lift_ubfe(l, v, 0, width, true), at);
	v = ik(l, IR_iand, ik(l, IR_shl, v, at), mask);
	return in->dst_unused == 2 ? i2(l, IR_ior, v, ik(l, IR_iand, old, ~mask)) : v;
}

static __attribute__((noinline)) void modified_result(struct amd_lift *l, ir_id v, ir_type t)
{
	if (ir_is_float(t))
		v = output_modifiers(l, v, t);
	else if (l->in->clamp)
		lift_refuse(l, "integer clamp");
	lift_vput(l, v, t);
}

void lift_vdst(struct amd_lift *l, ir_id v, ir_type t)
{
	if (ir_bits(t) == 32 && lift_is_plain(l->in) && l->in->dst[0].kind == AMD_K_VGPR)
		lift_vgpr_now(l, l->in->dst[0].index, v);
	else
		modified_result(l, v, t);
}

void lift_vput(struct amd_lift *l, ir_id v, ir_type t)
{
	const struct amd_inst *in = l->in;
	unsigned n = in->dst[0].index, w = ir_bits(t);

	if (in->dst[0].kind != AMD_K_VGPR) {
		lift_refuse(l, "vector result that is not in a VGPR");
		return;
	}
	if (w == 64) {
		ir_id d[2];
		lift_split(l, lift_cast(l, IR_I64, v), d);
		lift_vgpr_now(l, n, d[0]);
		lift_vgpr_now(l, n + 1, d[1]);
		return;
	}
	if (w == 32 && in->form != AMD_FORM_SDWA) {
		lift_vgpr_now(l, n, v);
		return;
	}
	v = lift_cast(l, ir_int_of_bits(w), v);
	if (in->form == AMD_FORM_SDWA) {
		if (w == 16) /* selected as a dword it is zero extended */
			v = op1(l, IR_zext, IR_I32, v);
		v = sdwa_result(l, v, lift_vgpr(l, n));
	} else if (w == 16 && l->gfx7) { /* the other half is cleared (ERRATA.md) */
		v = op1(l, IR_zext, IR_I32, v);
	} else if (w == 16) { /* the other half stays */
		ir_id old = lift_vgpr(l, n);
		bool high = in->op_sel >> 3 & 1;
		ir_id keep = lift_half(l, old, !high);
		v = high ? op2(l, IR_pack32, IR_I32, keep, v) : op2(l, IR_pack32, IR_I32, v, keep);
	}
	lift_set_vgpr(l, n, v);
}
