/* nv_print.c - instruction text: walks the templates of nv.def, taken apart by gen/nv_gen.c. The syntax is that of NAK's
 * listings; what those leave out although it is encoded is printed here too (ERRATA.md lists the differences).
 */
#include "../../textbuf.h"
#include "nv_tok.h"
#include "nv_text.inc"

static const struct {
	uint8_t count;
	const char *name[17];
} mods[NVM_COUNT] = {
#define MAP(...)
#define MOD(id, ...) {sizeof((const char *const[]){NULL, __VA_ARGS__}) / sizeof(char *) - 1, {__VA_ARGS__}},
#include "nv_mod.def"
#undef MOD
#undef MAP
};

const char *nv_mod_name(unsigned mod, unsigned value)
{
	if (!mods[mod].count)
		return "";
	return value < mods[mod].count ? mods[mod].name[value] : NULL;
}

struct out {
	const struct nv_inst *in;
	struct textbuf text;
};

#define put(o, ...) textbuf_form(&(o)->text, __VA_ARGS__)

static void put_reg(struct out *o, const char *file, unsigned index, unsigned width)
{
	if (width > 1)
		put(o, "%s%u..%u", file, index, index + width);
	else
		put(o, "%s%u", file, index);
}

static bool is_zero(const struct nv_opnd *p)
{
	return (p->kind == NVK_REG && p->index == NV_RZ_REG) || (p->kind == NVK_UREG && p->index == NV_RZ_UREG);
}

static bool is_null(const struct nv_opnd *p) /* as a destination */
{
	return p->kind == NVK_NONE || is_zero(p) || ((p->kind == NVK_PRED || p->kind == NVK_UPRED) && p->index == NV_PT);
}

static void put_opnd(struct out *o, const struct nv_opnd *p)
{
	bool pred = p->kind == NVK_PRED || p->kind == NVK_UPRED;

	if (pred && p->index == NV_PT) {
		put(o, p->inv ? "pF" : "pT");
		return;
	}
	put(o, "%s%s%s", p->inv ? "!" : "", p->neg ? "-" : "", p->abs ? "|" : "");
	if (is_zero(p))
		put(o, "rZ");
	else if (p->kind == NVK_REG)
		put_reg(o, "r", p->index, p->width);
	else if (p->kind == NVK_UREG)
		put_reg(o, "ur", p->index, p->width);
	else if (pred)
		put(o, "%s%u", p->kind == NVK_PRED ? "p" : "up", p->index);
	else if (p->kind == NVK_CC)
		put(o, "c0");
	else if (p->kind == NVK_BAR)
		put(o, "b%u", p->index);
	else if (p->kind == NVK_IMM)
		put(o, "0x%x", p->value);
	else if (p->kind == NVK_CBUF && p->bindless)
		put(o, "cx[ur%u..%u][0x%x]", p->index, p->index + 2, p->value);
	else if (p->kind == NVK_CBUF)
		put(o, "c[0x%x][0x%x]", p->bank, p->value);
	if (p->swz)
		put(o, p->swz == 2 ? ".xx" : p->swz == 3 ? ".yy" : ".f32");
	if (p->abs)
		put(o, "|");
}

/* "r0 p0 = ". `first` destinations are printed as null when discarded, the others left out. */
static void put_dsts(struct out *o, unsigned first)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NV_MAX_DST; i++) {
		const struct nv_opnd *d = &o->in->dst[i];

		if (d->kind == NVK_NONE || (is_null(d) && i >= first))
			continue;
		if (n++)
			put(o, " ");
		if (is_null(d))
			put(o, "null");
		else
			put_opnd(o, d);
	}
	put(o, n ? " = " : "null = ");
}

static void put_offset(struct out *o, int32_t imm)
{
	if (imm < 0)
		put(o, "-0x%x", (unsigned)-(int64_t)imm);
	else if (imm > 0)
		put(o, "+0x%x", (unsigned)imm);
}

static void put_mem(struct out *o, bool atomic)
{
	const struct nv_inst *in = o->in;

	put(o, "[");
	if (atomic && is_zero(&in->src[0])) {
		if (in->imm > 0)
			put(o, "0x%x", (unsigned)in->imm);
		else
			put_offset(o, in->imm);
	} else {
		put_opnd(o, &in->src[0]);
		put_offset(o, in->imm);
	}
	put(o, "]");
}

static void put_cbuf_indexed(struct out *o)
{
	const struct nv_opnd *c = &o->in->src[0], *r = &o->in->src[1];

	if (c->bindless)
		put(o, "cx[ur%u..%u][", c->index, c->index + 2);
	else
		put(o, "c[0x%x][", c->bank);
	if (r->kind == NVK_NONE || is_zero(r)) {
		put(o, "+0x%x", c->value);
	} else {
		put_opnd(o, r);
		if (c->value)
			put(o, "+0x%x", c->value);
	}
	put(o, "]");
}

static void put_attr(struct out *o)
{
	const struct nv_inst *in = o->in;

	put(o, "a");
	if (in->src[1].kind && !is_zero(&in->src[1])) {
		put(o, "[");
		put_opnd(o, &in->src[1]);
		put(o, "]");
	}
	put(o, "[0x%x", (unsigned)in->imm);
	if (in->src[0].kind && !is_zero(&in->src[0])) {
		put(o, "+");
		put_opnd(o, &in->src[0]);
	}
	put(o, "]");
}

static void put_ipa(struct out *o)
{
	const struct nv_inst *in = o->in;

	put(o, "a[0x%x] ", (unsigned)in->imm);
	if (in->src[0].kind)
		put_opnd(o, &in->src[0]);
	else
		put(o, "rZ");
	if (in->m[NVM_IPALOC] == 2) {
		put(o, " ");
		put_opnd(o, &in->src[1]);
	}
}

static void put_texture(struct out *o, unsigned nsrc)
{
	const struct nv_inst *in = o->in;

	put_opnd(o, &in->src[0]);
	if (nsrc > 1) {
		put(o, " ");
		put_opnd(o, &in->src[1]);
	}
	if (in->m[NVM_BOUND] && in->chip == NV_SM86)
		put(o, " c[0x%x][0x%x]", (unsigned)in->imm >> 14, ((unsigned)in->imm & 0x3fff) * 4);
	else if (in->m[NVM_BOUND])
		put(o, " 0x%x", (unsigned)in->imm);
}

/* What listings leave out of texture and surface operations. */
static void put_tail(struct out *o)
{
	const struct nv_inst *in = o->in;
	bool scalar = in->op == NV_TEXS || in->op == NV_TLDS || in->op == NV_TLD4S;

	if (scalar)
		put(o, " 0x%x", (unsigned)in->imm);
	if (in->op != NV_TLD4S)
		put(o, " mask=0x%x", scalar ? in->m[NVM_TSMASK] : in->m[NVM_MASK]);
	if (in->op == NV_TLD4 || in->op == NV_TLD4S)
		put(o, " comp=%u", in->m[NVM_COMP]);
}

static void put_swz(struct out *o)
{
	static const char *const name[] = {"add", "sub", "subr", "mov"};
	unsigned bits = o->in->m[NVM_SWZ];

	put(o, "[");
	for (unsigned i = 0; i < 4; i++)
		put(o, "%s%s", i ? ", " : "", name[bits >> 2 * (o->in->chip == NV_SM53 ? i : 3 - i) & 3]);
	put(o, "]");
}

static bool setop_trivial(const struct nv_inst *in)
{
	const struct nv_opnd *p = &in->src[2];

	return p->index == NV_PT && p->inv == (in->m[NVM_SETOP] != NV_AND);
}

static void put_type(struct out *o, char kind, unsigned log_bytes)
{
	put(o, ".%c%u", kind, 8u << log_bytes);
}

static void put_i2i(struct out *o)
{
	struct nv_opnd p = o->in->src[0];

	p.neg = p.abs = false;
	put_opnd(o, &p);
	put(o, "%s%s", o->in->src[0].abs ? ".abs" : "", o->in->src[0].neg ? ".neg" : "");
}

static const char *mod_text(const struct nv_inst *in, unsigned mod)
{
	const char *s = nv_mod_name(mod, in->m[mod]);

	return s ? s : "";
}

/* An operand that is printed only where it says something, with the space in front. */
static void put_optional(struct out *o, bool print, const struct nv_opnd *p)
{
	if (!print)
		return;
	put(o, " ");
	put_opnd(o, p);
}

/* Modifiers that have printers of their own (nv_tok.def). */
static void put_special_mod(struct out *o, unsigned tok)
{
	const struct nv_inst *in = o->in;
	const uint8_t *m = in->m;

	switch (tok) {
	case NVT_rnd: put(o, "%s", m[NVM_RND] ? mod_text(in, NVM_RND) : ""); break;
	case NVT_dnz: put(o, "%s", m[NVM_DNZ] ? ".dnz" : m[NVM_FTZ] ? ".ftz" : ""); break;
	case NVT_so: put(o, "%s", setop_trivial(in) ? "" : mod_text(in, NVM_SETOP)); break;
	case NVT_fd: put_type(o, 'f', m[NVM_DSZ]); break;
	case NVT_fs: put_type(o, 'f', m[NVM_SSZ]); break;
	case NVT_id: put_type(o, m[NVM_DSG] ? 'i' : 'u', m[NVM_DSZ]); break;
	case NVT_is: put_type(o, m[NVM_SSG] ? 'i' : 'u', m[NVM_SSZ]); break;
	case NVT_sgn: put(o, "%s", m[NVM_SIGNED] ? ".i32" : ""); break;
	case NVT_s0: put(o, ".%c32", m[NVM_SIGNED] ? 's' : 'u'); break;
	case NVT_s1: put(o, ".%c32", m[NVM_SIGNED1] ? 's' : 'u'); break;
	case NVT_s: put(o, "%s", m[NVM_SIGNED] ? ".s" : ""); break;
	case NVT_u: put(o, "%s", m[NVM_SIGNED] ? "" : ".u32"); break;
	case NVT_cin: put(o, "%s", m[NVM_X] ? " c0" : ""); break;
	case NVT_lut: put(o, "LUT[0x%x]", (unsigned)(m[NVM_LUT] | m[NVM_LUTHI] << 3)); break;
	case NVT_lut1: put(o, "LUT[0x%x]", m[NVM_LUT1]); break;
	case NVT_lanes:
		if (m[NVM_LANES] != 15)
			put(o, " lanes=0x%x", m[NVM_LANES]);
		break;
	case NVT_shift: put(o, "0x%x", m[NVM_SHIFT]); break;
	case NVT_target: put(o, ".t%u", m[NVM_TARGET]); break;
	case NVT_evict: put(o, "%s", in->chip == NV_SM86 ? mod_text(in, NVM_EVICT) : ""); break;
	default: break;
	}
}

/* The other printers that templates call by lower-case names. */
static void put_special(struct out *o, unsigned tok)
{
	const struct nv_inst *in = o->in;

	switch (tok) {
	case NVT_d: put_dsts(o, 0); break;
	case NVT_da: put_dsts(o, NV_MAX_DST); break;
	case NVT_da1: put_dsts(o, 1); break;
	case NVT_sa: put_optional(o, !setop_trivial(in), &in->src[2]); break;
	case NVT_ex: put_optional(o, in->m[NVM_EX], &in->src[3]); break;
	case NVT_leahi: put_optional(o, in->src[2].kind, &in->src[2]); break;
	case NVT_sr: put(o, "sr[0x%x]", (unsigned)in->imm); break;
	case NVT_swz: put_swz(o); break;
	case NVT_i2i: put_i2i(o); break;
	case NVT_cmem: put(o, " "); put_mem(o, false); break;
	case NVT_mem: put_mem(o, false); break;
	case NVT_ama: put_mem(o, true); break;
	case NVT_cb: put_cbuf_indexed(o); break;
	case NVT_attr: put_attr(o); break;
	case NVT_ipa: put_ipa(o); break;
	case NVT_tsrc: put_texture(o, 2); break;
	case NVT_tsrc1: put_texture(o, 1); break;
	case NVT_tail: put_tail(o); break;
	case NVT_tgt:
		put(o, "%s0x%llx", in->target < 0 ? "-" : "",
			(unsigned long long)(in->target < 0 ? -in->target : in->target));
		break;
	case NVT_lb: put(o, "{"); break;
	case NVT_rb: put(o, "}"); break;
	default: put_special_mod(o, tok); break;
	}
}

void nv_print(const struct nv_inst *in, char *text, size_t cap)
{
	struct out o = {.in = in};

	if (!cap)
		return;
	textbuf_init(&o.text, text, cap);
	if (in->guard.index != NV_PT || in->guard.inv) {
		put(&o, "@");
		put_opnd(&o, &in->guard);
		put(&o, " ");
	}
	for (const struct nv_token *t = templates[in->op]; t->kind != NVT_END; t++) {
		if (t->kind == NVT_TEXT)
			textbuf_putn(&o.text, nv_rows[in->op].text + t->pos, t->arg);
		else if (t->kind == NVT_SRC)
			put_opnd(&o, &in->src[t->arg]);
		else if (t->kind == NVT_MOD)
			textbuf_put(&o.text, mod_text(in, t->arg));
		else
			put_special(&o, t->kind);
	}
	if (in->m[NVM_CC])
		put(&o, " cc");
}
