/* amd_dec.h - what the parts of the AMD decoder share. Internal to isa/amd.
 *
 * Every step returns false for an encoding that does not exist on the cpu; amd_decode() then reports ISA_E_INVALID. */
#ifndef XL_AMD_DEC_H
#define XL_AMD_DEC_H

#include "amd_table.h"

struct amd_dec {
	uint32_t column;
	const uint16_t *index; /* the cpu's column of amd_index */
	const uint8_t *dwords; /* per type, in such a wave */
	bool gfx10;
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

/* Choose the row; false when the cpu has none. */
static inline bool amd_dec_row(struct amd_dec *d, uint32_t enc, uint32_t opcode)
{
	uint32_t op = d->index[amd_index_base[enc] + opcode];
	const struct amd_row *row = &amd_rows[op];

	if (op == AMD_OP_NONE)
		return false;
	d->row = row;
	d->format = &amd_formats[row->format];
	d->in->op = (uint16_t)op;
	d->in->enc = row->enc;
	d->in->flags = row->flags;
	return true;
}

/* Operands. `type` is a type with class bits. */
bool amd_dec_sdst(struct amd_dec *d, struct amd_opnd *o, uint32_t code7, uint32_t type);
static inline bool amd_dec_vgpr(struct amd_opnd *o, uint32_t index, uint32_t type, uint32_t dwords)
{
	o->kind = AMD_K_VGPR;
	o->type = type & AMD_C_TYPE;
	o->dwords = (uint8_t)dwords;
	o->sel = AMD_SEL_DWORD;
	o->index = (uint16_t)index;
	return index + dwords <= 256;
}
bool amd_dec_scalar(struct amd_dec *d, struct amd_opnd *o, uint32_t code9, uint32_t type); /* amd_dec_src where it is no vector register */
static inline bool amd_dec_src(struct amd_dec *d, struct amd_opnd *o, uint32_t code9, uint32_t type)
{
	if (code9 >= 256 && !(type & (AMD_C_R | AMD_C_S)))
		return amd_dec_vgpr(o, code9 - 256, type, d->dwords[type & AMD_C_TYPE]);
	return amd_dec_scalar(d, o, code9, type);
}
bool amd_dec_sgprs(struct amd_dec *d, struct amd_opnd *o, uint32_t code, uint32_t type);
void amd_dec_special(struct amd_dec *d, struct amd_opnd *o, uint32_t special, uint32_t type);
void amd_dec_float(struct amd_opnd *o, uint32_t n); /* inline float n, source code 240 + n, for o->type */
bool amd_dec_literal(struct amd_dec *d); /* reads the literal behind the encoded words, once */

/* Encodings */
bool amd_scalar_decode(struct amd_dec *d);
bool amd_valu_decode(struct amd_dec *d);
bool amd_mem_decode(struct amd_dec *d);
bool amd_image_decode(struct amd_dec *d);

#endif
