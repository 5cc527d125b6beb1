/* amd_print.c - one line per instruction in LLVM 19 syntax: scalar and vector ALU; memory is in amd_memtext.c. */
#include "amd_text.h"

static const char *list(struct amd_text *t, const char *gap, const struct amd_opnd *o)
{
	if (o->kind == AMD_K_NONE)
		return gap;
	amd_text_put(t, "%s", gap);
	amd_text_opnd(t, o);
	return ", ";
}

/* A source with its modifiers. A constant is negated as neg(1), since -1 is another constant. */
static const char *source(struct amd_text *t, const char *gap, const struct amd_opnd *o)
{
	bool neg = o->mods & AMD_MOD_NEG, abs = o->mods & AMD_MOD_ABS, sext = o->mods & AMD_MOD_SEXT;
	bool constant = o->kind == AMD_K_INT || o->kind == AMD_K_FLOAT || o->kind == AMD_K_LITERAL;
	bool call = neg && !abs && constant;

	if (o->kind == AMD_K_NONE)
		return gap;
	amd_text_put(t, "%s%s%s%s", gap, sext ? "sext(" : "", call ? "neg(" : neg ? "-" : "", abs ? "|" : "");
	amd_text_opnd(t, o);
	amd_text_put(t, "%s%s%s", abs ? "|" : "", call ? ")" : "", sext ? ")" : "");
	return ", ";
}

/* madmk and madak: their own constant is always in hex, and whole. */
static void factor_form(struct amd_text *t, const char *gap)
{
	uint32_t at = t->format->shape == AMD_SH_K1 ? 1 : 2;

	for (uint32_t n = 0; n < 3; n++) {
		if (n == at)
			amd_text_put(t, "%s0x%x", gap, (unsigned)t->in->literal);
		else
			source(t, gap, &t->in->src[n]);
		gap = ", ";
	}
}

static bool has_simm(const struct amd_text *t)
{
	switch (t->format->shape) {
	case AMD_SH_PLAIN:
	case AMD_SH_NOADDR:
		return false;
	case AMD_SH_ENDPGM:
		return t->in->simm16 != 0;
	}
	return true;
}

static void scalar(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	bool simm_first = t->format->shape == AMD_SH_SETREG || t->format->shape == AMD_SH_SETREG_IMM;
	const char *gap = " ";

	if (simm_first) {
		amd_text_put(t, " ");
		amd_simm_print(t);
		gap = ", ";
	}
	gap = list(t, gap, &in->dst[0]);
	gap = list(t, gap, &in->src[0]);
	gap = list(t, gap, &in->src[1]);
	if (!simm_first && (in->enc == AMD_ENC_SOPK || in->enc == AMD_ENC_SOPP) && has_simm(t)) {
		amd_text_put(t, "%s", gap);
		amd_simm_print(t);
	}
}

static const char *suffix(const struct amd_text *t)
{
	const struct amd_inst *in = t->in;

	switch (in->form) {
	case AMD_FORM_VOP3:
		return "_e64";
	case AMD_FORM_SDWA:
		return "_sdwa";
	case AMD_FORM_DPP:
	case AMD_FORM_DPP8: /* v_nop stays v_nop */
		return t->format->shape == AMD_SH_NOADDR ? "" : "_dpp";
	}
	switch (in->enc) {
	case AMD_ENC_VOP1:
	case AMD_ENC_VOP2:
	case AMD_ENC_VOPC:
		return in->flags & AMD_F_NOE64 ? "" : "_e32";
	case AMD_ENC_VINTRP:
		return t->gfx10 ? "_e32" : "";
	}
	return "";
}

static void bit_list(struct amd_text *t, const char *name, uint32_t bits, uint32_t count)
{
	amd_text_put(t, " %s:[", name);
	for (uint32_t n = 0; n < count; n++)
		amd_text_put(t, "%s%u", n ? "," : "", bits >> n & 1);
	amd_text_put(t, "]");
}

static uint32_t sources(const struct amd_text *t)
{
	uint32_t n = 0;

	while (n < 3 && t->in->src[n].kind != AMD_K_NONE)
		n++;
	return n;
}

static void op_sel(struct amd_text *t)
{
	uint32_t n = sources(t), bits = t->in->op_sel;

	if (!bits || t->in->flags & AMD_F_OPSELQ)
		return;
	if (t->in->op == AMD_v_permlane16_b32_VOP3 || t->in->op == AMD_v_permlanex16_b32_VOP3)
		n = 1;
	else if (n < 3)
		bits = (bits & 3) | bits >> 3 << 2;
	bit_list(t, "op_sel", bits, n + 1);
}

static void packed(struct amd_text *t)
{
	const struct amd_inst *in = t->in;
	uint32_t n = sources(t), all = (1u << n) - 1;
	bool mix = t->format->src[0] == AMD_T_MIX;

	if (in->op_sel & all)
		bit_list(t, "op_sel", in->op_sel, n);
	if ((in->op_sel_hi & all) != (mix ? 0 : all))
		bit_list(t, "op_sel_hi", in->op_sel_hi, n);
	if (in->neg_lo & all)
		bit_list(t, "neg_lo", in->neg_lo, n);
	if (in->neg_hi & all)
		bit_list(t, "neg_hi", in->neg_hi, n);
}

static void sdwa(struct amd_text *t)
{
	static const char *const sels[7] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD" };
	static const char *const unused[3] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE" };
	const struct amd_inst *in = t->in;

	if (in->enc != AMD_ENC_VOPC)
		amd_text_put(t, " dst_sel:%s dst_unused:%s", sels[in->dst_sel], unused[in->dst_unused]);
	amd_text_put(t, " src0_sel:%s", sels[in->src[0].sel]);
	if (t->format->src[1])
		amd_text_put(t, " src1_sel:%s", sels[in->src[1].sel]);
}

static void dpp(struct amd_text *t)
{
	static const char *const rows[7] = { "", "row_shl", "row_shr", "row_ror", "", "row_share", "row_xmask" };
	const struct amd_inst *in = t->in;
	uint32_t c = in->dpp_ctrl;

	if (in->form == AMD_FORM_DPP8) {
		amd_text_put(t, " dpp8:[");
		for (uint32_t n = 0; n < 8; n++)
			amd_text_put(t, "%s%u", n ? "," : "", in->dpp8 >> 3 * n & 7);
		amd_text_put(t, "]");
	} else {
		if (c <= 0xff)
			amd_text_put(t, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
		else if (c == 0x140 || c == 0x141)
			amd_text_put(t, c == 0x140 ? " row_mirror" : " row_half_mirror");
		else
			amd_text_put(t, " %s:%u", rows[(c - 0x100) / 16 + (c < 0x140)], c & 15);
		amd_text_put(t, " row_mask:0x%x bank_mask:0x%x", in->row_mask, in->bank_mask);
		if (in->bound_ctrl)
			amd_text_put(t, " bound_ctrl:1");
	}
	if (in->fi)
		amd_text_put(t, " fi:1");
}

static void interp(struct amd_text *t)
{
	static const char *const planes[3] = { "p10", "p20", "p0" };
	static const char channels[4] = "xyzw";
	const struct amd_inst *in = t->in;
	const char *gap = list(t, " ", &in->dst[0]);

	if (t->format->shape == AMD_SH_P10)
		amd_text_put(t, "%s%s", gap, planes[in->src[0].value]);
	else
		source(t, gap, &in->src[0]);
	amd_text_put(t, ", attr%u.%c", in->attr, channels[in->chan]);
}

static void vector(struct amd_text *t)
{
	static const char *const omods[4] = { "", " mul:2", " mul:4", " div:2" };
	const struct amd_inst *in = t->in;
	const char *gap = " ";

	if (in->enc == AMD_ENC_VINTRP) {
		interp(t);
	} else {
		if (!(in->flags & AMD_F_CMPX && t->gfx10))
			gap = list(t, gap, &in->dst[0]);
		gap = list(t, gap, &in->dst[1]);
		if (in->src[0].kind == AMD_K_ATTR) { /* printed behind the coordinate */
			gap = source(t, gap, &in->src[1]);
			gap = list(t, gap, &in->src[0]);
			source(t, gap, &in->src[2]);
		} else if (t->format->shape == AMD_SH_K1 || t->format->shape == AMD_SH_K2) {
			factor_form(t, gap);
		} else {
			for (uint32_t n = 0; n < 3; n++)
				gap = source(t, gap, &in->src[n]);
		}
	}
	if (in->high)
		amd_text_put(t, " high");
	if (in->enc == AMD_ENC_VOP3P)
		packed(t);
	else
		op_sel(t);
	amd_text_put(t, "%s%s", in->clamp ? " clamp" : "", omods[in->omod]);
	if (in->form == AMD_FORM_SDWA)
		sdwa(t);
	else if (in->form == AMD_FORM_DPP || in->form == AMD_FORM_DPP8)
		dpp(t);
}

void amd_print(const struct isa_cpu *cpu, const struct amd_inst *in, char *text, size_t cap)
{
	struct amd_text t = { .cpu = cpu, .in = in, .row = &amd_rows[in->op], .gfx10 = cpu->column != AMD_GFX700 };

	if (!cap)
		return;
	textbuf_init(&t.out, text, cap);
	t.format = &amd_formats[t.row->format];
	amd_text_put(&t, "%s%s", t.row->mnemonic, suffix(&t));
	switch (in->enc) {
	case AMD_ENC_SOP1:
	case AMD_ENC_SOP2:
	case AMD_ENC_SOPC:
	case AMD_ENC_SOPK:
	case AMD_ENC_SOPP:
		scalar(&t);
		break;
	case AMD_ENC_VOP1:
	case AMD_ENC_VOP2:
	case AMD_ENC_VOPC:
	case AMD_ENC_VOP3:
	case AMD_ENC_VOP3P:
	case AMD_ENC_VINTRP:
		vector(&t);
		break;
	default:
		amd_memtext_print(&t);
	}
}
