/* nv_dec.c - the decoder: takes words apart by the fields of the encodings that nv.def gives their opcode.
 *
 * An encoding matches when every bit that none of its fields covers equals the opcode's: those bits are in nv_index.inc,
 * which gen/nv_gen.c writes. So encodings never overlap by accident and unknown bits are refused.
 */
#include "nv_enc.h"

#include <string.h>

struct own { /* bits of a word that are the encoding's in this form, and what they must be */
	uint16_t enc, form;
	uint64_t mask[2], value[2];
};
#include "nv_index.inc"

enum { MAP_MAX = 16 };
static const struct {
	uint8_t mod, count;
	int8_t value[MAP_MAX];
} maps[NVX_COUNT] = {
#define MOD(...)
#define MAP(id, mod, ...) {NVM_##mod, sizeof((const int8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
#include "nv_mod.def"
#undef MOD
#undef MAP
};

/* One match in progress. */
struct match {
	const struct nv_enc *e;
	struct nv_inst *in;
	uint64_t w[2];           /* the word */
	unsigned form;           /* sm86: bits 9-11; sm53: FORM_* */
	uint32_t offset;
	bool uniform;
};

static inline uint64_t take(const struct match *m, unsigned pos, unsigned len)
{
	uint64_t v;

	if (pos >= 64)
		v = m->w[1] >> (pos - 64);
	else if (pos + len > 64)
		v = m->w[0] >> pos | m->w[1] << (64 - pos);
	else
		v = m->w[0] >> pos;
	return len < 64 ? v & ((1ull << len) - 1) : v;
}

static int64_t sext(uint64_t v, unsigned len)
{
	uint64_t sign = 1ull << (len - 1);

	return (int64_t)((v ^ sign) - sign);
}

static bool set_reg(struct nv_opnd *o, unsigned kind, unsigned index)
{
	if (kind == NVK_UREG && index > NV_RZ_UREG)
		return false;
	o->kind = (uint8_t)kind;
	o->index = (uint8_t)index;
	o->width = 1;
	return true;
}

static void set_imm(struct nv_opnd *o, uint32_t value)
{
	o->kind = NVK_IMM;
	o->value = value;
}

static void set_cbuf(struct nv_opnd *o, unsigned bank, uint32_t offset)
{
	o->kind = NVK_CBUF;
	o->bank = (uint8_t)bank;
	o->value = offset;
}

/* sm53: the 19-bit slot at 20 whose kind the opcode's form says. */
static bool slot53(struct match *m, struct nv_opnd *o, bool isfloat)
{
	uint32_t v;

	switch (m->form) {
	case FORM_RR:
		return set_reg(o, NVK_REG, (unsigned)take(m, 20, 8));
	case FORM_CR:
	case FORM_RC:
		set_cbuf(o, (unsigned)take(m, 34, 5), (uint32_t)take(m, 20, 14) << 2);
		return true;
	default:
		v = (uint32_t)take(m, 20, 19) | (uint32_t)take(m, 56, 1) << 19;
		set_imm(o, isfloat ? v << 12 : (uint32_t)sext(v, 20));
		return true;
	}
}

/* sm86: the 32-bit slot at 32 whose kind the form says, with the modifiers of `style` in its upper bits. */
static bool slot86(struct match *m, struct nv_opnd *o, unsigned style)
{
	unsigned form = m->form;

	if (form == 2 || form == 4) {
		set_imm(o, (uint32_t)take(m, 32, 32));
		return true;
	}
	if (form == 3 || form == 5) {
		set_cbuf(o, (unsigned)take(m, 54, 5), (uint32_t)take(m, 38, 16));
		o->bindless = take(m, 91, 1);
		if (o->bindless) {
			if (o->bank)
				return false;
			o->index = (uint8_t)take(m, 32, 6);
		} else if (take(m, 32, 6)) {
			return false;
		}
	} else {
		bool ureg = form >= 6 || m->uniform;

		if (ureg && !take(m, 91, 1))
			return false;
		if (!set_reg(o, ureg ? NVK_UREG : NVK_REG, (unsigned)take(m, 32, 8)))
			return false;
	}
	if (style == B_INT || style == B_FLOAT || style == B_HALF || style == B_H1 || style == B_BYTE)
		o->neg = take(m, 63, 1);
	if (style == B_NOT)
		o->inv = take(m, 63, 1);
	if (style == B_FLOAT || style == B_HALF || style == B_H1 || style == B_BYTE)
		o->abs = take(m, 62, 1);
	if (style == B_HALF)
		o->swz = (uint8_t)take(m, 60, 2);
	if (style == B_H1)
		m->in->m[NVM_H1] = (uint8_t)take(m, 60, 2);
	if (style == B_BYTE)
		m->in->m[NVM_BYTE] = (uint8_t)take(m, 60, 2);
	return o->swz != 1 && (style != B_H1 || m->in->m[NVM_H1] < 2);
}

static bool third_in_slot(const struct match *m) /* sm86: the slot at 32 holds the third source */
{
	return m->form == 2 || m->form == 3 || m->form == 7;
}

static bool zero_or_ones(struct match *m, unsigned pos, unsigned len)
{
	uint64_t v = take(m, pos, len);

	return v == 0 || v == (1ull << len) - 1;
}

static bool set_mod(struct match *m, unsigned mod, unsigned value)
{
	m->in->m[mod] = (uint8_t)value;
	return nv_mod_name(mod, value) != NULL;
}

static bool take_pred(struct match *m, const struct nv_field *f, unsigned kind)
{
	struct nv_opnd *o = &m->in->src[f->arg];

	if (!set_reg(o, kind, (unsigned)take(m, f->pos, 3)))
		return false;
	o->inv = take(m, f->pos + 3u, 1);
	return true;
}

/* Operand fields. */
static bool take_operand(struct match *m, const struct nv_field *f)
{
	struct nv_inst *in = m->in;
	struct nv_opnd *d = &in->dst[f->arg < NV_MAX_DST ? f->arg : 0], *s = &in->src[f->arg < NV_MAX_SRC ? f->arg : 0];
	unsigned reg = m->uniform ? NVK_UREG : NVK_REG, pred = m->uniform ? NVK_UPRED : NVK_PRED;

	switch (f->kind) {
	case F_D: return set_reg(d, reg, (unsigned)take(m, f->pos, 8));
	case F_DP: return set_reg(d, pred, (unsigned)take(m, f->pos, 3));
	case F_CCD: return !take(m, f->pos, 1) || set_reg(d, NVK_CC, 0);
	case F_R: return set_reg(s, reg, (unsigned)take(m, f->pos, 8));
	case F_RV: return set_reg(s, NVK_REG, (unsigned)take(m, f->pos, 8));
	case F_P: return take_pred(m, f, pred);
	case F_PV: return take_pred(m, f, NVK_PRED);
	case F_PMIX: return take_pred(m, f, take(m, f->pos - 1u, 1) ? NVK_UPRED : NVK_PRED);
	case F_BR: return set_reg(s, NVK_BAR, (unsigned)take(m, f->pos, 4));
	case F_BRD: return set_reg(d, NVK_BAR, (unsigned)take(m, f->pos, 4));
	case F_NEG: s->neg = take(m, f->pos, 1); return true;
	case F_ABS: s->abs = take(m, f->pos, 1); return true;
	case F_NOT: s->inv = take(m, f->pos, 1); return true;
	case F_SW: s->swz = (uint8_t)take(m, f->pos, 2); return s->swz != 1 || m->in->chip == NV_SM53;
	case F_SWK: s->swz = f->len; return true;
	case F_NEGF: s->neg = take(m, f->pos, 1); return !s->neg || m->form != FORM_IR;
	case F_ABSF: s->abs = take(m, f->pos, 1); return !s->abs || m->form != FORM_IR;
	case F_IMM: set_imm(s, (uint32_t)take(m, f->pos, f->len)); return true;
	case F_CB: set_cbuf(s, (unsigned)take(m, f->arg2, 5), (uint32_t)take(m, f->pos, 16)); return true;
	case F_HIMM: /* two halves without their lower bits; the upper one's sign apart */
		set_imm(s, (uint32_t)(take(m, 20, 9) << 6 | take(m, 29, 1) << 15 | take(m, 30, 9) << 22 | take(m, 56,
			1) << 31));
		return true;
	case F_CX:
		set_cbuf(s, 0, (uint32_t)take(m, f->pos, 16));
		s->bindless = true;
		s->index = (uint8_t)take(m, f->arg2, 8);
		return s->index <= NV_RZ_UREG;
	default: return false;
	}
}

/* Operand fields whose place depends on the form. */
static bool take_slot(struct match *m, const struct nv_field *f)
{
	struct nv_inst *in = m->in;
	bool rc = m->form == FORM_RC;
	unsigned c = third_in_slot(m) ? 1 : 2;

	switch (f->kind) {
	case F_S: return slot53(m, &in->src[f->arg], false);
	case F_SF: return slot53(m, &in->src[f->arg], true);
	case F_S3: return slot53(m, &in->src[rc ? 2 : 1], false);
	case F_SF3: return slot53(m, &in->src[rc ? 2 : 1], true);
	case F_T3: return set_reg(&in->src[rc ? 1 : 2], NVK_REG, (unsigned)take(m, 39, 8));
	case F_B: return slot86(m, &in->src[f->arg], f->arg2);
	case F_B3: return slot86(m, &in->src[3 - c], f->arg2);
	case F_C3: return set_reg(&in->src[c], m->uniform ? NVK_UREG : NVK_REG, (unsigned)take(m, 64, 8));
	case F_NEGC3: in->src[c].neg = take(m, f->pos, 1); return true;
	case F_ABSC3: in->src[c].abs = take(m, f->pos, 1); return true;
	case F_NOTC3: in->src[c].inv = take(m, f->pos, 1); return true;
	case F_SWC3: in->src[c].swz = (uint8_t)take(m, f->pos, 2); return in->src[c].swz != 1;
	case F_DC: /* the second source of dadd: register at 64, all else in the slot */
		if (m->form != 1)
			return zero_or_ones(m, 64, 8) && slot86(m, &in->src[f->arg], f->arg2);
		in->src[f->arg].neg = take(m, 75, 1);
		in->src[f->arg].abs = take(m, 74, 1);
		return zero_or_ones(m, 32, 8) && set_reg(&in->src[f->arg], NVK_REG, (unsigned)take(m, 64, 8));
	default: return false;
	}
}

static bool take_other(struct match *m, const struct nv_field *f)
{
	struct nv_inst *in = m->in;
	uint64_t v;

	switch (f->kind) {
	case F_M: return set_mod(m, f->arg, (unsigned)take(m, f->pos, f->len));
	case F_MC: return set_mod(m, f->arg, f->len);
	case F_MX:
		v = take(m, f->pos, f->len);
		if (v >= maps[f->arg].count || maps[f->arg].value[v] < 0)
			return false;
		return set_mod(m, maps[f->arg].mod, (unsigned)maps[f->arg].value[v]);
	case F_Z: return zero_or_ones(m, f->pos, f->len);
	case F_K:
	case F_U: return true;
	case F_NOGUARD: v = take(m, f->pos, f->len); return v == 0 || v == NV_PT;
	case F_OFF: in->imm = (int32_t)sext(take(m, f->pos, f->len), f->len); return true;
	case F_OFF4: in->imm = (int32_t)((uint32_t)sext(take(m, f->pos, f->len), f->len) << 2); return true;
	case F_UOFF: in->imm = (int32_t)take(m, f->pos, f->len); return true;
	case F_UOFF4: in->imm = (int32_t)take(m, f->pos, f->len) * 4; return true;
	case F_TGT:
		in->target = (int64_t)in->offset + in->len + sext(take(m, f->pos, f->len), f->len) * (1 << f->arg);
		return true;
	case F_ATGT: in->target = (int64_t)take(m, f->pos, f->len); return true;
	default: return false;
	}
}

static bool take_field(struct match *m, const struct nv_field *f)
{
	if (f->kind < F_FIRST_SLOT)
		return take_operand(m, f);
	return f->kind < F_FIRST_OTHER ? take_slot(m, f) : take_other(m, f);
}

static bool is_own(const struct match *m, const struct own *o)
{
	return !((m->w[0] & o->mask[0]) ^ o->value[0]) && !((m->w[1] & o->mask[1]) ^ o->value[1]);
}

static bool match_fields(struct match *m)
{
	for (const struct nv_field *f = m->e->f; f->kind != F_END; f++)
		if (!take_field(m, f))
			return false;
	return true;
}

static void start(struct match *m, const struct nv_enc *e, unsigned form)
{
	struct nv_inst *in = m->in;

	/* In pieces that are a few stores each. */
	memset(in, 0, offsetof(struct nv_inst, src));
	memset(in->src, 0, sizeof in->src);
	memset(in->m, 0, sizeof *in - offsetof(struct nv_inst, m));
	in->op = e->op;
	in->m[NVM_ORDER] = NV_ORDER_UNSET;
	in->offset = m->offset;
	m->e = e;
	m->form = form;
	m->uniform = false;
}

static bool no_guard(const struct nv_enc *e)
{
	return e->f[0].kind == F_NOGUARD;
}

static bool try53(struct match *m, const struct own *o)
{
	const struct nv_enc *e = &nv_enc53[o->enc];
	struct nv_inst *in = m->in;

	if (!is_own(m, o))
		return false;
	start(m, e, o->form);
	in->chip = NV_SM53;
	in->len = 8;
	set_reg(&in->guard, NVK_PRED, NV_PT);
	if (!no_guard(e)) {
		in->guard.index = (uint8_t)take(m, 16, 3);
		in->guard.inv = take(m, 19, 1);
	}
	return match_fields(m);
}

static bool try86(struct match *m, const struct own *o)
{
	const struct nv_enc *e = &nv_enc86[o->enc];
	struct nv_inst *in = m->in;

	if (!is_own(m, o))
		return false;
	start(m, e, o->form);
	in->chip = NV_SM86;
	in->len = 16;
	in->uniform = m->uniform = nv_enc_uniform(e);
	set_reg(&in->guard, m->uniform && e->cls != E_UV ? NVK_UPRED : NVK_PRED, (unsigned)take(m, 12, 3));
	in->guard.inv = take(m, 15, 1);
	if (e->cls == E_UV && (in->guard.index != NV_PT || in->guard.inv))
		return false; /* which file guards these is not known */
	return match_fields(m);
}

static uint64_t read64(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
	       (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* sm53: the precision of half products is two flags; the negation bits of a carry-consuming add mean "not". */
static void fix_modifiers(struct nv_inst *in)
{
	if (in->m[NVM_HPREC] == 1)
		in->m[NVM_FTZ] = 1;
	if (in->m[NVM_HPREC] == 2)
		in->m[NVM_DNZ] = 1;
	if (in->op != NV_IADD2 || !in->m[NVM_X])
		return;
	for (unsigned i = 0; i < 2; i++) {
		in->src[i].inv = in->src[i].neg;
		in->src[i].neg = false;
	}
}

static int decode53(const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	struct match m = {.in = in, .offset = (uint32_t)offset};
	unsigned key;

	if (offset % 8 || offset % 32 == 0) /* scheduling words are nothing that a translation needs */
		return ISA_E_INVALID;
	if (offset > size || size - offset < 8)
		return ISA_E_TRUNCATED;
	m.w[0] = read64(code + offset);
	key = (unsigned)(m.w[0] >> (64 - NV_KEY53));
	for (unsigned i = start53[key]; i < start53[key + 1]; i++)
		if (try53(&m, &own53[cand53[i]])) {
			fix_modifiers(in);
			return nv_shape(in) ? 8 : ISA_E_INVALID;
		}
	return ISA_E_INVALID;
}

static int decode86(const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	struct match m = {.in = in, .offset = (uint32_t)offset};
	unsigned key;

	if (offset % 16)
		return ISA_E_INVALID;
	if (offset > size || size - offset < 16)
		return ISA_E_TRUNCATED;
	m.w[0] = read64(code + offset);
	m.w[1] = read64(code + offset + 8);
	key = m.w[0] & ((1u << NV_KEY86) - 1);
	for (unsigned i = start86[key]; i < start86[key + 1]; i++)
		if (try86(&m, &own86[cand86[i]]))
			return nv_shape(in) ? 16 : ISA_E_INVALID;
	return ISA_E_INVALID;
}

int nv_decode(const struct isa_cpu *cpu, const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	if (size > UINT32_MAX)
		return ISA_E_INVALID;
	return cpu->column == NV_SM53 ? decode53(code, size, offset, in) : decode86(code, size, offset, in);
}

size_t nv53_next(const uint8_t *code, size_t size, size_t offset)
{
	(void)code;
	offset = (offset + 7) & ~(size_t)7;
	if (offset % 32 == 0)
		offset += 8;
	return offset < size ? offset : size;
}

bool nv_has(unsigned chip, unsigned op)
{
	size_t n = chip == NV_SM53 ? sizeof nv_enc53 / sizeof nv_enc53[0] : sizeof nv_enc86 / sizeof nv_enc86[0];
	const struct nv_enc *e = chip == NV_SM53 ? nv_enc53 : nv_enc86;

	for (size_t i = 0; i < n; i++)
		if (e[i].op == op)
			return true;
	return false;
}
