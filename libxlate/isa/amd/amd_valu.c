/* amd_valu.c - decoding of the vector ALU: VOP1, VOP2, VOPC in all their forms, VOP3, VOP3P, VINTRP. */
#include "amd_dec.h"

static bool is_float(uint32_t type)
{
	switch (type & AMD_C_TYPE) {
	case AMD_T_F16:
	case AMD_T_F32:
	case AMD_T_F64:
	case AMD_T_PF16:
	case AMD_T_MIX:
		return true;
	}
	return false;
}

/* Does source n of the row take neg and abs? */
static bool has_mods(const struct amd_dec *d, uint32_t n)
{
	uint32_t type = d->format->src[n];

	return is_float(type) || (d->row->flags & AMD_F_FMODS && type && type != AMD_T_MASK);
}

static inline bool vdst(struct amd_dec *d, uint32_t index)
{
	uint32_t type = d->format->dst[0];

	if (!type)
		return true;
	if (type & AMD_C_S)
		return amd_dec_sdst(d, &d->in->dst[0], index & 0x7f, type) && index < 128;
	return amd_dec_vgpr(d, &d->in->dst[0], index, type);
}

/* Operands that VOP2 and VOPC leave out because they are always VCC (or EXEC for v_cmpx on gfx10). */
static void implied_masks(struct amd_dec *d)
{
	const struct amd_format *f = d->format;
	bool exec = d->row->flags & AMD_F_CMPX && d->gfx10;

	if (f->dst[0] == AMD_T_MASK)
		amd_dec_special(d, &d->in->dst[0], exec ? AMD_EXEC_LO : AMD_VCC_LO, AMD_T_MASK);
	if (f->dst[1] == AMD_T_MASK)
		amd_dec_special(d, &d->in->dst[1], AMD_VCC_LO, AMD_T_MASK);
	if (f->src[2] == AMD_T_MASK)
		amd_dec_special(d, &d->in->src[2], AMD_VCC_LO, AMD_T_MASK);
}

static inline void implied(struct amd_dec *d)
{
	const struct amd_format *f = d->format;

	if (f->dst[0] == AMD_T_MASK || f->dst[1] == AMD_T_MASK || f->src[2] == AMD_T_MASK)
		implied_masks(d);
}

/* madmk and madak: the literal is always there, and is an operand of its own. */
static bool literal_forms(struct amd_dec *d, uint32_t src0, uint32_t src1)
{
	const struct amd_format *f = d->format;
	bool k1 = f->shape == AMD_SH_K1;

	return amd_dec_literal(d) && amd_dec_src(d, &d->in->src[0], src0, f->src[0]) &&
	       amd_dec_src(d, &d->in->src[1], k1 ? 255 : src1, f->src[1]) &&
	       amd_dec_src(d, &d->in->src[2], k1 ? src1 : 255, f->src[2]);
}

static bool lane_source(const struct amd_dec *d)
{
	switch (d->in->op) {
	case AMD_v_readfirstlane_b32_VOP1:
	case AMD_v_readlane_b32_VOP2:
	case AMD_v_readlane_b32_VOP3:
	case AMD_v_writelane_b32_VOP2:
	case AMD_v_writelane_b32_VOP3:
		return true;
	}
	return false;
}

/* The lane reads take a VGPR or lds_direct, v_writelane a scalar or lds_direct. */
static inline bool source0(struct amd_dec *d, uint32_t code)
{
	uint32_t type = d->format->src[0];

	if (code == AMD_LDS_DIRECT && lane_source(d))
		type &= AMD_C_TYPE;
	return amd_dec_src(d, &d->in->src[0], code, type);
}

static void mods(struct amd_dec *d, uint32_t n, bool neg, bool abs, bool sext)
{
	d->in->src[n].mods = (uint8_t)((neg ? AMD_MOD_NEG : 0) | (abs ? AMD_MOD_ABS : 0) | (sext ? AMD_MOD_SEXT : 0));
	d->in->modified |= neg | abs | sext;
}

/* Modifiers on an operand that cannot have any: refused, or ignored as LLVM does. In rows without op_sel LLVM reads neg as
 * a sign extension, which has no meaning there. */
static bool ignored_mods(struct amd_dec *d, uint32_t n, bool neg)
{
	d->in->odd = true;
	return d->row->flags & AMD_F_MODIGN && d->format->src[n] && !(neg && !(d->row->flags & AMD_F_OPSEL));
}

/* SDWA word: where a source is from and how it is modified. */
static bool sdwa_source(struct amd_dec *d, uint32_t n, uint32_t reg, uint32_t bits)
{
	struct amd_opnd *o = &d->in->src[n];
	uint32_t sel = amd_bits(bits, 2, 0);
	bool sext = bits & 8, neg = bits & 16, abs = bits & 32, scalar = bits & 128;

	if (sel > AMD_SEL_DWORD || (scalar && reg == 255))
		return false;
	if (has_mods(d, n) ? sext : neg || abs)
		return false;
	if (!amd_dec_src(d, o, scalar ? reg : reg + 256, d->format->src[n]))
		return false;
	mods(d, n, neg, abs, sext);
	o->sel = (uint8_t)sel;
	return true;
}

static bool sdwa(struct amd_dec *d, uint32_t dst, uint32_t src1)
{
	struct amd_inst *in = d->in;
	uint32_t w = d->w1;
	bool vopc = d->row->enc == AMD_ENC_VOPC;

	if (d->row->flags & AMD_F_NOSDWA)
		return false;
	in->form = AMD_FORM_SDWA;
	implied(d);
	if (vopc) {
		if (w >> 15 & 1) {
			if (d->row->flags & AMD_F_CMPX || !amd_dec_sdst(d, &in->dst[0], amd_bits(w, 14, 8), AMD_T_MASK))
				return false;
		}
	} else {
		uint32_t omod = amd_bits(w, 15, 14);

		in->dst_sel = (uint8_t)amd_bits(w, 10, 8);
		in->dst_unused = (uint8_t)amd_bits(w, 12, 11);
		in->clamp = w >> 13 & 1;
		in->omod = (uint8_t)omod;
		in->modified = in->clamp || omod;
		if (in->dst_sel > AMD_SEL_DWORD || in->dst_unused > 2 || !vdst(d, dst))
			return false;
		if (omod && !(d->row->flags & AMD_F_OMOD && is_float(d->format->dst[0])))
			return false;
	}
	if (!sdwa_source(d, 0, amd_bits(w, 7, 0), amd_bits(w, 23, 16)))
		return false;
	if (!d->format->src[1])
		return (w >> 24 & 0xbf) == 0;
	return sdwa_source(d, 1, src1, amd_bits(w, 31, 24));
}

static bool dpp_ctrl_valid(uint32_t ctrl)
{
	return ctrl <= 0xff || (ctrl > 0x100 && ctrl <= 0x10f) || (ctrl > 0x110 && ctrl <= 0x11f) ||
	       (ctrl > 0x120 && ctrl <= 0x12f) || ctrl == 0x140 || ctrl == 0x141 || (ctrl >= 0x150 && ctrl <= 0x16f);
}

/* What the second word says beside the operands. */
static bool dpp_control(struct amd_dec *d, uint32_t src0)
{
	struct amd_inst *in = d->in;
	uint32_t w = d->w1;

	if (src0 != 0xfa) {
		in->dpp8 = w >> 8;
		in->fi = src0 == 0xea;
		return true;
	}
	in->dpp_ctrl = (uint16_t)amd_bits(w, 16, 8);
	in->fi = w >> 18 & 1;
	in->bound_ctrl = w >> 19 & 1;
	in->bank_mask = (uint8_t)amd_bits(w, 27, 24);
	in->row_mask = (uint8_t)(w >> 28);
	return dpp_ctrl_valid(in->dpp_ctrl);
}

static bool dpp(struct amd_dec *d, uint32_t dst, uint32_t src0, uint32_t src1)
{
	struct amd_inst *in = d->in;
	uint32_t w = d->w1;
	bool dpp8 = src0 != 0xfa, vopc = d->row->enc == AMD_ENC_VOPC;

	if (d->row->flags & AMD_F_NODPP || (vopc && amd_dec_dwords(d, d->format->src[0]) > 1))
		return false;
	in->form = dpp8 ? AMD_FORM_DPP8 : AMD_FORM_DPP;
	implied(d);
	if ((!vopc && !vdst(d, dst)) || !amd_dec_src(d, &in->src[0], amd_bits(w, 7, 0) + 256, d->format->src[0]))
		return false;
	if (d->format->src[1] && !amd_dec_src(d, &in->src[1], src1 + 256, d->format->src[1]))
		return false;
	if (!dpp_control(d, src0))
		return false;
	if (dpp8)
		return true;
	for (uint32_t n = 0; n < 2; n++) {
		bool neg = w >> (20 + 2 * n) & 1, abs = w >> (21 + 2 * n) & 1;

		if (d->format->src[n] && has_mods(d, n))
			mods(d, n, neg, abs, false);
		else if ((neg || abs) && (vopc || !ignored_mods(d, n, neg && in->op != AMD_v_dot4c_i32_i8_VOP2)))
			return false;
	}
	return true;
}

/* v_nop and its like: the source field is free, but a v_nop with DPP or SDWA takes the second word along if that has no
 * operands either. */
static bool no_operands(struct amd_dec *d, uint32_t src0)
{
	uint32_t zero = src0 == 0xf9 ? 0xbfbfe0ff : src0 == 0xfa ? 0x00f000ff : 0xff;

	if (d->in->op != AMD_v_nop_VOP1 || !d->gfx10 || (src0 != 0xe9 && src0 != 0xea && src0 != 0xf9 && src0 != 0xfa))
		return true;
	if (d->left < 8 || !amd_dec_word(d, 1, &d->w1) || d->w1 & zero)
		return true;
	if (src0 == 0xf9) {
		d->in->length = 8;
		return true;
	}
	d->in->length = 8;
	d->in->form = src0 == 0xfa ? AMD_FORM_DPP : AMD_FORM_DPP8;
	return dpp_control(d, src0);
}

/* SDWA, DPP16 and both forms of DPP8: 0xf9, 0xfa, 0xe9, 0xea */
static inline bool second_word(const struct amd_dec *d, uint32_t src0)
{
	return (src0 | 0x10) - 0xf9 < 2 && d->gfx10;
}

/* Source n of a plain format, at any place. */
static inline bool plain_source(struct amd_dec *d, struct amd_opnd *o, uint32_t code, uint32_t type)
{
	return code >= 256 ? amd_dec_vgpr(d, o, code - 256, type) : amd_dec_scalar(d, o, code, type);
}

static __attribute__((noinline)) bool other_short_forms(struct amd_dec *d, uint32_t enc)
{
	uint32_t src0 = amd_bits(d->w0, 8, 0), src1 = amd_bits(d->w0, 16, 9), dst = amd_bits(d->w0, 24, 17);
	const struct amd_format *f = d->format;

	if (f->shape == AMD_SH_NOADDR)
		return dst == 0 && no_operands(d, src0);
	if (second_word(d, src0)) {
		if (!amd_dec_word(d, 1, &d->w1))
			return false;
		d->in->length = 8;
		return src0 == 0xf9 ? sdwa(d, dst, src1) : dpp(d, dst, src0, src1);
	}
	implied(d);
	if (enc != AMD_ENC_VOPC && !vdst(d, dst))
		return false;
	if (f->shape == AMD_SH_K1 || f->shape == AMD_SH_K2)
		return literal_forms(d, src0, src1 + 256);
	if (f->src[0] && !source0(d, src0))
		return false;
	if (f->src[1] && !amd_dec_src(d, &d->in->src[1], f->src[1] & AMD_C_S ? src1 : src1 + 256, f->src[1]))
		return false;
	return true;
}

static inline bool short_decode(struct amd_dec *d, uint32_t enc, uint32_t opcode)
{
	struct amd_inst *in = d->in;
	const struct amd_format *f = amd_dec_row(d, enc, opcode);
	uint32_t src0 = amd_bits(d->w0, 8, 0);

	if (!f)
		return false;
	if (!f->plain || second_word(d, src0))
		return other_short_forms(d, enc);
	return amd_dec_vgpr(d, &in->dst[0], amd_bits(d->w0, 24, 17), f->dst[0]) &&
	       (!f->src[1] || amd_dec_vgpr(d, &in->src[1], amd_bits(d->w0, 16, 9), f->src[1])) &&
	       plain_source(d, &in->src[0], src0, f->src[0]);
}

bool amd_dec_vop1(struct amd_dec *d)
{
	return short_decode(d, AMD_ENC_VOP1, amd_bits(d->w0, 16, 9));
}

bool amd_dec_vop2(struct amd_dec *d)
{
	return short_decode(d, AMD_ENC_VOP2, d->w0 >> 25);
}

/* Its result is a mask. */
bool amd_dec_vopc(struct amd_dec *d)
{
	return amd_dec_row(d, AMD_ENC_VOPC, amd_bits(d->w0, 24, 17)) && other_short_forms(d, AMD_ENC_VOPC);
}

bool amd_dec_vintrp(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	uint32_t src = amd_bits(d->w0, 7, 0);

	if (!amd_dec_row(d, AMD_ENC_VINTRP, amd_bits(d->w0, 17, 16)))
		return false;
	in->chan = (uint8_t)amd_bits(d->w0, 9, 8);
	in->attr = (uint8_t)amd_bits(d->w0, 15, 10);
	if (!vdst(d, amd_bits(d->w0, 25, 18)))
		return false;
	if (d->format->shape == AMD_SH_P10) {
		in->src[0].kind = AMD_K_INT;
		in->src[0].type = AMD_T_B32;
		in->src[0].value = src;
		return src < 3;
	}
	return amd_dec_src(d, &in->src[0], src + 256, AMD_T_F32);
}

/* VOP3 form of an interpolation: src0 is the attribute. */
static bool vop3_interp(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	uint32_t attr = amd_bits(d->w1, 8, 0), src1 = amd_bits(d->w1, 17, 9), src2 = amd_bits(d->w1, 26, 18);

	in->attr = (uint8_t)amd_bits(attr, 5, 0);
	in->chan = (uint8_t)amd_bits(attr, 7, 6);
	in->high = attr >> 8;
	if (d->row->enc == AMD_ENC_VINTRP) {
		in->form = AMD_FORM_VOP3;
		if (in->high || src2)
			return false;
		if (d->format->shape == AMD_SH_P10) {
			in->src[0].kind = AMD_K_INT;
			in->src[0].type = AMD_T_B32;
			in->src[0].value = src1;
			return src1 < 3;
		}
		return amd_dec_src(d, &in->src[0], src1, d->format->src[0]);
	}
	in->src[0].kind = AMD_K_ATTR;
	if (d->format->src[2] ? !amd_dec_src(d, &in->src[2], src2, d->format->src[2]) : src2 != 0)
		return false;
	return amd_dec_src(d, &in->src[1], src1, d->format->src[1]);
}

static bool is_interp(const struct amd_dec *d)
{
	return d->row->enc == AMD_ENC_VINTRP || (!d->format->src[0] && d->format->src[1]);
}

/* neg (word 1, 31:29) and abs (word 0, 10:8) of a VOP3. */
static bool vop3_mods(struct amd_dec *d)
{
	uint32_t neg = d->w1 >> 29, abs = d->format->dst[1] ? 0 : amd_bits(d->w0, 10, 8);
	bool vintrp_row = d->row->enc == AMD_ENC_VINTRP;

	for (uint32_t n = 0; n < 3 && (neg | abs) >> n; n++) {
		bool has_neg = neg >> n & 1, has_abs = abs >> n & 1;
		/* the coordinate of the 32-bit interpolations is field 1 and operand 0 */
		uint32_t at = vintrp_row ? n - 1 : n;

		if (!has_neg && !has_abs)
			continue;
		if (at > 2 || !d->format->src[at])
			return false;
		if (has_mods(d, at))
			mods(d, at, has_neg, has_abs, false);
		else if (!ignored_mods(d, at, has_neg))
			return false;
	}
	return true;
}

static const struct amd_format *vop3_row(struct amd_dec *d, uint32_t opcode)
{
	const struct amd_format *f = amd_dec_row(d, AMD_ENC_VOP3, opcode);

	if (f)
		return f;
	d->in->form = AMD_FORM_VOP3;
	if (opcode < 0x100)
		return amd_dec_row(d, AMD_ENC_VOPC, opcode);
	if (opcode < 0x140)
		f = amd_dec_row(d, AMD_ENC_VOP2, opcode - 0x100);
	else if (opcode >= 0x180 && opcode < 0x200)
		f = amd_dec_row(d, AMD_ENC_VOP1, opcode - 0x180);
	else if (d->gfx10 && opcode >= 0x200 && opcode < 0x204)
		return amd_dec_row(d, AMD_ENC_VINTRP, opcode - 0x200);
	return f && !(d->row->flags & AMD_F_NOE64) ? f : NULL;
}

static bool vop3_dst(struct amd_dec *d, uint32_t dst)
{
	if (d->format->dst[0] != AMD_T_MASK)
		return vdst(d, dst);
	if (d->row->flags & AMD_F_CMPX && d->gfx10) {
		amd_dec_special(d, &d->in->dst[0], AMD_EXEC_LO, AMD_T_MASK);
		return true;
	}
	return amd_dec_sdst(d, &d->in->dst[0], dst, AMD_T_MASK);
}

static __attribute__((noinline)) bool vop3_other_source(struct amd_dec *d, uint32_t n, uint32_t code)
{
	uint32_t type = d->format->src[n];

	if (!type)
		return !d->gfx10;
	if (code == 255 && !d->gfx10) /* no literals in VOP3 before gfx10 */
		return false;
	if (type == AMD_T_MASK)
		return code != AMD_EXEC_LO && code != AMD_EXEC_HI && amd_dec_src(d, &d->in->src[n], code, type | AMD_C_R);
	return n == 0 ? source0(d, code) : amd_dec_src(d, &d->in->src[n], code, type);
}

static inline bool vop3_source(struct amd_dec *d, struct amd_opnd *o, uint32_t type, uint32_t n, uint32_t code)
{
	if (!type && !code)
		return true;
	if (code >= 256 && type && amd_any_class(type))
		return amd_dec_vgpr(d, o, code - 256, type);
	return vop3_other_source(d, n, code);
}

static bool vop3_sources(struct amd_dec *d)
{
	const struct amd_format *f = d->format;
	struct amd_inst *in = d->in;
	uint32_t w = d->w1;

	return vop3_source(d, &in->src[0], f->src[0], 0, amd_bits(w, 8, 0)) &&
	       vop3_source(d, &in->src[1], f->src[1], 1, amd_bits(w, 17, 9)) &&
	       vop3_source(d, &in->src[2], f->src[2], 2, amd_bits(w, 26, 18));
}

/* What the bits around the opcode change: clamp, omod, op_sel. */
static bool vop3_result(struct amd_dec *d, bool mask_dst)
{
	struct amd_inst *in = d->in;
	uint32_t op_sel = amd_bits(d->w0, 14, 11);

	if (!amd_dec_reserved(d, mask_dst ? 0x18000 : 0x1f000, 0))
		return false;
	if (d->gfx10)
		in->clamp = d->w0 >> 15 & 1;
	else
		in->clamp = !mask_dst && (d->w0 >> 11 & 1);
	in->omod = (uint8_t)amd_bits(d->w1, 28, 27);
	in->modified = in->clamp || in->omod;
	if ((in->clamp && !(d->row->flags & AMD_F_CLAMP)) || (in->omod && !(d->row->flags & AMD_F_OMOD)))
		return false;
	if (d->row->flags & AMD_F_OPSEL && !mask_dst) {
		if (!d->format->src[2] && op_sel & 4)
			return false;
		if (d->format->src[1] & AMD_C_S) { /* permlane: fetch-inactive and bound-control live in the two low bits */
			in->odd |= op_sel > 3;
			op_sel &= 3;
		}
		in->op_sel = (uint8_t)op_sel;
	} else if (d->row->flags & AMD_F_OPSELQ) {
		in->odd |= op_sel >> 2 & 1; /* there is no third source */
		in->op_sel = (uint8_t)op_sel;
	} else if (d->gfx10 && !mask_dst && op_sel) {
		in->odd = true;
	}
	return true;
}

bool amd_dec_vop3(struct amd_dec *d)
{
	const struct amd_format *f;
	struct amd_inst *in = d->in;
	bool modified, mask_dst;

	if (!amd_dec_word(d, 1, &d->w1))
		return false;
	in->length = 8;
	f = vop3_row(d, d->gfx10 ? amd_bits(d->w0, 25, 16) : amd_bits(d->w0, 25, 17));
	if (!f)
		return false;
	modified = d->w1 >> 27 || d->w0 & (d->gfx10 ? 0xff00 : 0x1ff00);
	if (f->plain && !modified)
		return amd_dec_vgpr(d, &in->dst[0], amd_bits(d->w0, 7, 0), f->dst[0]) && vop3_sources(d);
	mask_dst = f->dst[1] == AMD_T_MASK;
	if ((modified && !vop3_result(d, mask_dst)) || !vop3_dst(d, amd_bits(d->w0, 7, 0)))
		return false;
	if (mask_dst && !amd_dec_sdst(d, &in->dst[1], amd_bits(d->w0, 14, 8), AMD_T_MASK))
		return false;
	if (is_interp(d) ? !vop3_interp(d) : !vop3_sources(d))
		return false;
	return !modified || vop3_mods(d);
}

bool amd_dec_vop3p(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	bool mix;

	if (!amd_dec_word(d, 1, &d->w1) || amd_bits(d->w0, 25, 23))
		return false;
	in->length = 8;
	if (!amd_dec_row(d, AMD_ENC_VOP3P, amd_bits(d->w0, 22, 16)))
		return false;
	mix = d->format->src[0] == AMD_T_MIX;
	if (!d->format->src[2] && (d->w0 >> 10 & 1 || d->w0 >> 13 & 1 || d->w1 >> 31))
		return false;
	in->op_sel = (uint8_t)amd_bits(d->w0, 13, 11);
	in->op_sel_hi = (uint8_t)(amd_bits(d->w1, 28, 27) | (d->w0 >> 14 & 1) << 2);
	in->neg_lo = (uint8_t)(d->w1 >> 29);
	in->neg_hi = (uint8_t)amd_bits(d->w0, 10, 8);
	in->modified = in->clamp = d->w0 >> 15 & 1;
	if (!vdst(d, amd_bits(d->w0, 7, 0)) || !vop3_sources(d))
		return false;
	if (mix) {
		for (uint32_t n = 0; n < 3; n++)
			mods(d, n, in->neg_lo >> n & 1, in->neg_hi >> n & 1, false);
		in->neg_lo = in->neg_hi = 0;
	}
	return true;
}
