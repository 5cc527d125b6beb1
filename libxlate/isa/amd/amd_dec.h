/* amd_dec.h - what the parts of the AMD decoder share. Internal to isa/amd.
 *
 * Every step returns false for an encoding that does not exist on the cpu; amd_decode() then reports ISA_E_INVALID. */
#ifndef XL_AMD_DEC_H
#define XL_AMD_DEC_H

#include <string.h>

#include "amd_table.h"

struct amd_dec {
	/* What all instructions of some code have in common. */
	const uint8_t *all;
	size_t size;
	uint32_t column;
	const uint16_t *index; /* the cpu's column of amd_index */
	bool (*const *encodings)(struct amd_dec *); /* by the highest nine bits of the first word, NULL: none */
	const struct amd_opnd *operands; /* per type, in such a wave */
	bool gfx10;
	uint8_t sgprs;       /* that have a number of their own */
	uint8_t wave;

	const uint8_t *code; /* first byte of the instruction */
	size_t left;         /* bytes from there to the end */
	uint32_t w0, w1;
	bool truncated;      /* a word behind the end was needed */
	struct amd_inst *in;
	const struct amd_row *row;
	const struct amd_format *format;
};

static inline uint32_t amd_bits(uint32_t word, uint32_t high, uint32_t low)
{
	return word >> low & (0xffffffffu >> (31 - (high - low)));
}

/* Word n of the instruction into *word; false and `truncated` behind the end. */
static inline bool amd_dec_word(struct amd_dec *d, uint32_t n, uint32_t *word)
{
	const uint8_t *p = d->code + 4 * (size_t)n;

	if (d->left < 4 * (size_t)n + 4) {
		d->truncated = true;
		return false;
	}
	*word = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	return true;
}

/* gfx7 only: are all these bits 0? Reserved ones are refused there, for want of an LLVM decoder to agree with. Fields of
 * absent operands are not looked at: the hardware does not either. */
static inline bool amd_dec_reserved(const struct amd_dec *d, uint32_t mask0, uint32_t mask1)
{
	return d->gfx10 || !((d->w0 & mask0) | (d->w1 & mask1));
}

/* Choose the row; its format, NULL when the cpu has none. */
static inline const struct amd_format *amd_dec_row(struct amd_dec *d, uint32_t enc, uint32_t opcode)
{
	size_t op = d->index[amd_index_base[enc] + opcode];
	const struct amd_row *row = &amd_rows[op];
	const struct amd_format *format = &amd_formats[row->format];
	struct amd_inst *in = d->in;

	if (op == AMD_OP_NONE)
		return NULL;
	d->row = row;
	d->format = format;
	in->op = (uint16_t)op;
	in->enc = row->enc;
	in->flags = row->flags;
	return format;
}

/* Operands. `type` is a type with class bits. */
bool amd_dec_sdst(struct amd_dec *d, struct amd_opnd *o, uint32_t code7, uint32_t type);
static inline uint32_t amd_dec_dwords(const struct amd_dec *d, uint32_t type) { return d->operands[type & AMD_C_TYPE].dwords; }
static inline bool amd_dec_vgpr(const struct amd_dec *d, struct amd_opnd *o, uint32_t index, uint32_t type)
{
	*o = d->operands[type & AMD_C_TYPE];
	o->kind = AMD_K_VGPR;
	o->index = (uint16_t)index;
	return index + o->dwords <= 256;
}
/* Of other than the type's dwords. */
static inline bool amd_dec_vgprs(const struct amd_dec *d, struct amd_opnd *o, uint32_t index, uint32_t type, uint32_t dwords)
{
	amd_dec_vgpr(d, o, index, type);
	o->dwords = (uint8_t)dwords;
	return index + dwords <= 256;
}
bool amd_dec_scalar(struct amd_dec *d, struct amd_opnd *o, uint32_t code9, uint32_t type); /* amd_dec_src where it is no vector register */
static inline bool amd_dec_src(struct amd_dec *d, struct amd_opnd *o, uint32_t code9, uint32_t type)
{
	if (code9 >= 256 && !(type & (AMD_C_R | AMD_C_S)))
		return amd_dec_vgpr(d, o, code9 - 256, type);
	return amd_dec_scalar(d, o, code9, type);
}
bool amd_dec_sgprs(struct amd_dec *d, struct amd_opnd *o, uint32_t code, uint32_t type);
void amd_dec_special(struct amd_dec *d, struct amd_opnd *o, uint32_t special, uint32_t type);
void amd_dec_float(struct amd_opnd *o, uint32_t n); /* inline float n, source code 240 + n, for o->type */
bool amd_dec_literal(struct amd_dec *d); /* reads the literal behind the encoded words, once */

/* The decoder of some code, and the instruction at an offset: as amd_decode. */
void amd_dec_init(struct amd_dec *d, const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size);
int amd_dec_at(struct amd_dec *d, size_t offset, struct amd_inst *out);

/* Encodings */
bool amd_dec_vop1(struct amd_dec *d), amd_dec_vop2(struct amd_dec *d), amd_dec_vopc(struct amd_dec *d);
bool amd_dec_vop3(struct amd_dec *d), amd_dec_vop3p(struct amd_dec *d), amd_dec_vintrp(struct amd_dec *d);
bool amd_dec_smrd(struct amd_dec *d), amd_dec_smem(struct amd_dec *d), amd_dec_ds(struct amd_dec *d), amd_dec_flat(struct amd_dec *d);
bool amd_dec_buffer(struct amd_dec *d), amd_dec_image(struct amd_dec *d), amd_dec_export(struct amd_dec *d);
/* The operands of memory are cleared where there are some. In pieces that are a few stores each. */
static inline void amd_dec_memory(struct amd_inst *in)
{
	memset(&in->data, 0, offsetof(struct amd_inst, samp) - offsetof(struct amd_inst, data));
	memset(&in->samp, 0, sizeof *in - offsetof(struct amd_inst, samp));
}

#endif
