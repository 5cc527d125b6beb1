/* nv_dec.c - the decoder: finds the form that a word is of and has its function take the word apart.
 *
 * The forms and their functions are made from the encodings of nv.def by gen/nv_gen.c. Every bit that none of a form's fields
 * covers must be as in its opcode. So forms never overlap by accident and unknown bits are refused.
 */
#include "nv.h"

#include <string.h>

struct form {
	uint16_t op;                /* enum nv_op */
	bool uniform;               /* on the uniform datapath */
	bool (*take)(struct nv_inst *, const uint64_t w[2]); /* false: the word is none of this form after all */
	uint64_t mask[2], value[2]; /* its own bits and what they must be; sm53's words have no upper half */
};

/* ---- what the functions are made of */
static inline uint32_t bits(uint64_t half, unsigned pos, unsigned len)
{
	return (uint32_t)(half >> pos & ((1ull << len) - 1));
}

static inline int32_t extend(uint32_t v, unsigned len)
{
	return (int32_t)(v << (32 - len)) >> (32 - len);
}

static inline void operand(struct nv_opnd *o, unsigned kind, unsigned width, uint32_t index)
{
	o->kind = (uint8_t)kind;
	o->index = (uint8_t)index;
	o->width = (uint8_t)width;
}

static inline void carry(struct nv_opnd *o, bool written)
{
	if (written)
		operand(o, NVK_CC, 1, 0);
}

/* A bank in a uniform register has no number, and only such a bank has a register. */
static inline bool bank(const struct nv_opnd *o)
{
	return o->bindless ? !o->bank : !o->index;
}

static inline bool either(uint32_t v, uint32_t set)
{
	return !v || v == set;
}

/* A branch's bits may lie in both halves. */
static int64_t target(const uint64_t w[2], unsigned pos, unsigned len, bool negative)
{
	uint64_t v = w[pos >> 6] >> (pos & 63), sign = negative ? 1ull << (len - 1) : 0;

	if ((pos & 63) + len > 64)
		v |= w[1] << (64 - pos);
	v &= (1ull << len) - 1;
	return (int64_t)((v ^ sign) - sign);
}

#include "nv_index.inc"

static bool is_own(const uint64_t w[2], const struct form *f)
{
	return (w[0] & f->mask[0]) == f->value[0] && (w[1] & f->mask[1]) == f->value[1];
}

static void start(struct nv_inst *in, const struct form *f)
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

/* The instruction in w, which stands at `offset`: of the forms that share its key, which cand to end number. */
static inline int take(struct nv_inst *in, const uint64_t w[2], unsigned chip, unsigned len, const struct form *forms,
                       const uint16_t *cand, const uint16_t *end, uint32_t offset)
{
	for (; cand < end; cand++) {
		const struct form *f = &forms[*cand];

		if (!is_own(w, f))
			continue;
		start(in, f);
		in->chip = (uint8_t)chip;
		in->len = (uint8_t)len;
		in->offset = offset;
		if (!f->take(in, w))
			continue;
		if (chip == NV_SM53)
			fix_modifiers(in);
		return nv_shape(in) ? (int)len : ISA_E_INVALID;
	}
	return ISA_E_INVALID;
}

static int decode53(const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	uint64_t w[2] = {0, 0};
	unsigned key;

	if (offset % 8 || offset % 32 == 0) /* scheduling words are nothing that a translation needs */
		return ISA_E_INVALID;
	if (offset > size || size - offset < 8)
		return ISA_E_TRUNCATED;
	w[0] = read64(code + offset);
	key = (unsigned)(w[0] >> (64 - NV_KEY53));
	return take(in, w, NV_SM53, 8, forms53, cand53 + start53[key], cand53 + start53[key + 1], (uint32_t)offset);
}

static int decode86(const uint8_t *code, size_t size, size_t offset, struct nv_inst *in)
{
	uint64_t w[2];
	unsigned key;

	if (offset % 16)
		return ISA_E_INVALID;
	if (offset > size || size - offset < 16)
		return ISA_E_TRUNCATED;
	w[0] = read64(code + offset);
	w[1] = read64(code + offset + 8);
	key = w[0] & ((1u << NV_KEY86) - 1);
	return take(in, w, NV_SM86, 16, forms86, cand86 + start86[key], cand86 + start86[key + 1], (uint32_t)offset);
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
	const struct form *f = chip == NV_SM53 ? forms53 : forms86;

	for (size_t i = 0; i < n; i++)
		if (f[i].op == op)
			return true;
	return false;
}
