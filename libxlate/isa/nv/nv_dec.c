/* nv_dec.c - the decoder: follows the steps of the form that a word's opcode bits lead to.
 *
 * The forms are made from the encodings of nv.def by gen/nv_gen.c. Every bit that none of a form's steps takes must be as in
 * its opcode. So forms never overlap by accident and unknown bits are refused.
 */
#include "nv_step.h"

#include <string.h>

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

/* A word: sm53's have no upper half. */
struct word {
	uint64_t half[2];
};

static inline uint32_t take(const struct word *w, const struct nv_step *s)
{
	return (uint32_t)(w->half[s->pos >> 6] >> (s->pos & 63) & ((1ull << s->len) - 1));
}

static inline unsigned char *place(struct nv_inst *in, const struct nv_step *s)
{
	return (unsigned char *)in + s->at;
}

/* A branch's bits may lie in both halves. */
static int64_t take_target(const struct word *w, const struct nv_step *s, bool negative)
{
	uint64_t v = w->half[s->pos >> 6] >> (s->pos & 63), sign = negative ? 1ull << (s->len - 1) : 0;

	if ((s->pos & 63) + s->len > 64)
		v |= w->half[1] << (64 - s->pos);
	v &= (1ull << s->len) - 1;
	return (int64_t)((v ^ sign) - sign);
}

static void set_operand(struct nv_inst *in, const struct nv_step *s, uint32_t v)
{
	struct nv_opnd *o = (void *)place(in, s);

	o->kind = s->x;
	o->index = (uint8_t)v;
	o->width = s->y;
}

static void add_word(struct nv_inst *in, const struct nv_step *s, uint32_t v)
{
	uint32_t to;

	memcpy(&to, place(in, s), sizeof to);
	to += s->y ? 0 - (v << s->x) : v << s->x;
	memcpy(place(in, s), &to, sizeof to);
}

static bool set_map(struct nv_inst *in, unsigned map, uint32_t v)
{
	if (v >= maps[map].count || maps[map].value[v] < 0)
		return false;
	in->m[maps[map].mod] = (uint8_t)maps[map].value[v];
	return true;
}

static bool do_other(struct nv_inst *in, const struct nv_step *s, const struct word *w)
{
	struct nv_opnd *o = (void *)place(in, s);

	switch (s->x) {
	case STEP_EITHER: return !take(w, s) || take(w, s) == s->y;
	case STEP_MAP: return set_map(in, s->y, take(w, s));
	case STEP_CARRY:
		if (take(w, s)) {
			o->kind = NVK_CC;
			o->width = 1;
		}
		return true;
	case STEP_BANK: return o->bindless ? !o->bank : !o->index;
	case STEP_TARGET:
		in->target = (int64_t)in->offset + in->len + take_target(w, s, true) * (1 << s->y);
		return true;
	case STEP_ABSOLUTE: in->target = take_target(w, s, false); return true;
	default: return false;
	}
}

/* Take the word apart. False when it is none of this form after all. */
static bool follow(struct nv_inst *in, const struct nv_form *f, const struct nv_step *s, const struct word *w)
{
	const struct nv_step *end = s + f->count[STEP_OPERAND];
	bool valid = true;

	for (; s < end; s++)
		set_operand(in, s, take(w, s));
	for (end += f->count[STEP_WORD]; s < end; s++)
		add_word(in, s, take(w, s));
	for (end += f->count[STEP_BYTE]; s < end; s++) {
		uint32_t v = take(w, s);

		*place(in, s) = (unsigned char)(s->x + v);
		valid &= s->valid >> (v & 15);
	}
	for (end += f->count[STEP_OTHER]; s < end; s++)
		valid &= do_other(in, s, w);
	return valid;
}

static bool is_own(const struct word *w, const struct nv_form *f)
{
	return !((w->half[0] & f->mask[0]) ^ f->value[0]) && !((w->half[1] & f->mask[1]) ^ f->value[1]);
}

static void start(struct nv_inst *in, const struct nv_form *f)
{
	/* In pieces that are a few stores each. */
	memset(in, 0, offsetof(struct nv_inst, src));
	memset(in->src, 0, sizeof in->src);
	memset(in->m, 0, sizeof *in - offsetof(struct nv_inst, m));
	in->op = f->op;
	in->uniform = f->uniform;
	in->m[NVM_ORDER] = NV_ORDER_UNSET;
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
	struct word w = {{0, 0}};
	unsigned key;

	if (offset % 8 || offset % 32 == 0) /* scheduling words are nothing that a translation needs */
		return ISA_E_INVALID;
	if (offset > size || size - offset < 8)
		return ISA_E_TRUNCATED;
	w.half[0] = read64(code + offset);
	key = (unsigned)(w.half[0] >> (64 - NV_KEY53));
	for (unsigned i = start53[key]; i < start53[key + 1]; i++) {
		const struct nv_form *f = &forms53[cand53[i]];

		if (!is_own(&w, f))
			continue;
		start(in, f);
		in->chip = NV_SM53;
		in->len = 8;
		in->offset = (uint32_t)offset;
		if (!follow(in, f, &steps53[f->step], &w))
			continue;
		fix_modifiers(in);
		return nv_shape(in) ? 8 : ISA_E_INVALID;
	}
	return ISA_E_INVALID;
}

static int decode86(const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	struct word w;
	unsigned key;

	if (offset % 16)
		return ISA_E_INVALID;
	if (offset > size || size - offset < 16)
		return ISA_E_TRUNCATED;
	w = (struct word){{read64(code + offset), read64(code + offset + 8)}};
	key = w.half[0] & ((1u << NV_KEY86) - 1);
	for (unsigned i = start86[key]; i < start86[key + 1]; i++) {
		const struct nv_form *f = &forms86[cand86[i]];

		if (!is_own(&w, f))
			continue;
		start(in, f);
		in->chip = NV_SM86;
		in->len = 16;
		in->offset = (uint32_t)offset;
		if (follow(in, f, &steps86[f->step], &w))
			return nv_shape(in) ? 16 : ISA_E_INVALID;
	}
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
	size_t n = chip == NV_SM53 ? sizeof forms53 / sizeof forms53[0] : sizeof forms86 / sizeof forms86[0];
	const struct nv_form *f = chip == NV_SM53 ? forms53 : forms86;

	for (size_t i = 0; i < n; i++)
		if (f[i].op == op)
			return true;
	return false;
}
