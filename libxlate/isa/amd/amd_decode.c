/* amd_decode.c - from machine words to the encoding, and the scalar encodings. */
#include "amd_dec.h"

static int64_t branch_target(const struct amd_dec *d)
{
	return (int64_t)d->in->offset_in_code + d->in->length + 4 * (int64_t)(int16_t)d->in->simm16;
}

static bool sop2(struct amd_dec *d)
{
	const struct amd_format *f;

	if (!amd_dec_row(d, AMD_ENC_SOP2, amd_bits(d->w0, 29, 23)))
		return false;
	f = d->format;
	return (!f->dst[0] || amd_dec_sdst(d, &d->in->dst[0], amd_bits(d->w0, 22, 16), f->dst[0])) &&
	       amd_dec_src(d, &d->in->src[0], amd_bits(d->w0, 7, 0), f->src[0] | AMD_C_S) &&
	       amd_dec_src(d, &d->in->src[1], amd_bits(d->w0, 15, 8), f->src[1] | AMD_C_S);
}

static bool sop1(struct amd_dec *d)
{
	const struct amd_format *f;

	if (!amd_dec_row(d, AMD_ENC_SOP1, amd_bits(d->w0, 15, 8)))
		return false;
	f = d->format;
	return (!f->dst[0] || amd_dec_sdst(d, &d->in->dst[0], amd_bits(d->w0, 22, 16), f->dst[0])) &&
	       (!f->src[0] || amd_dec_src(d, &d->in->src[0], amd_bits(d->w0, 7, 0), f->src[0] | AMD_C_S));
}

static bool sopc(struct amd_dec *d)
{
	return amd_dec_row(d, AMD_ENC_SOPC, amd_bits(d->w0, 22, 16)) &&
	       amd_dec_src(d, &d->in->src[0], amd_bits(d->w0, 7, 0), d->format->src[0] | AMD_C_S) &&
	       amd_dec_src(d, &d->in->src[1], amd_bits(d->w0, 15, 8), d->format->src[1] | AMD_C_S);
}

static bool sopk(struct amd_dec *d)
{
	const struct amd_format *f;
	uint32_t reg = amd_bits(d->w0, 22, 16);

	if (!amd_dec_row(d, AMD_ENC_SOPK, amd_bits(d->w0, 27, 23)))
		return false;
	f = d->format;
	d->in->simm16 = (uint16_t)d->w0;
	if (f->dst[0] && !amd_dec_sdst(d, &d->in->dst[0], reg, f->dst[0]))
		return false;
	if (f->src[0] && !amd_dec_sdst(d, &d->in->src[0], reg, f->src[0]))
		return false;
	if (f->shape == AMD_SH_SETREG_IMM) {
		struct amd_opnd *o = &d->in->src[0];

		return amd_dec_src(d, o, 255, AMD_T_B32);
	}
	if (f->shape == AMD_SH_BRANCH)
		d->in->branch_target = branch_target(d);
	return true;
}

static bool sopp(struct amd_dec *d)
{
	if (!amd_dec_row(d, AMD_ENC_SOPP, amd_bits(d->w0, 22, 16)))
		return false;
	d->in->simm16 = (uint16_t)d->w0;
	if (d->format->shape == AMD_SH_BRANCH)
		d->in->branch_target = branch_target(d);
	return d->format->shape != AMD_SH_NOADDR || !d->in->simm16;
}

/* By the highest nine bits of the first word. NULL: no encoding. */
#define SHORT [0 ... 0xf7] = amd_dec_vop2, [0xf8 ... 0xfb] = amd_dec_vopc, [0xfc ... 0xff] = amd_dec_vop1
#define SCALAR [0x100 ... 0x15f] = sop2, [0x160 ... 0x17c] = sopk, [0x17d] = sop1, [0x17e] = sopc, [0x17f] = sopp
#define MAJOR(six) [(six) << 3 ... ((six) << 3) + 7]
#define VECTOR_MEMORY \
	MAJOR(0x36) = amd_dec_ds, MAJOR(0x37) = amd_dec_flat, MAJOR(0x38) = amd_dec_buffer, MAJOR(0x3a) = amd_dec_buffer, \
	MAJOR(0x3c) = amd_dec_image, MAJOR(0x3e) = amd_dec_export
static bool (*const encodings[2][512])(struct amd_dec *) = { /* [1]: gfx10 */
	{ SHORT, SCALAR, MAJOR(0x30) = amd_dec_smrd, MAJOR(0x31) = amd_dec_smrd, MAJOR(0x32) = amd_dec_vintrp,
	  MAJOR(0x34) = amd_dec_vop3, VECTOR_MEMORY },
	{ SHORT, SCALAR, MAJOR(0x32) = amd_dec_vintrp, MAJOR(0x33) = amd_dec_vop3p, MAJOR(0x35) = amd_dec_vop3,
	  MAJOR(0x3d) = amd_dec_smem, VECTOR_MEMORY },
};

void amd_dec_init(struct amd_dec *d, const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size)
{
	d->all = code;
	d->size = size;
	d->column = cpu->column;
	d->index = amd_index[cpu->column];
	d->operands = amd_operands[wave >> 6];
	d->gfx10 = cpu->column != AMD_GFX700;
	d->encodings = encodings[d->gfx10];
	d->sgprs = d->gfx10 ? 106 : 104;
	d->wave = (uint8_t)wave;
}

int amd_dec_at(struct amd_dec *d, size_t offset, struct amd_inst *out)
{
	if (offset >= d->size)
		return ISA_E_TRUNCATED;
	/* Words, row and format are set as they are met. */
	d->code = d->all + offset;
	d->left = d->size - offset;
	d->truncated = false;
	d->in = out;
	/* In pieces that are a few stores each. */
	memset(out, 0, offsetof(struct amd_inst, src));
	memset(out->src, 0, sizeof out->src);
	memset(&out->omod, 0, offsetof(struct amd_inst, data) - offsetof(struct amd_inst, omod));
	out->wave = d->wave;
	out->offset_in_code = (uint32_t)offset;
	out->length = 4;
	if (!amd_dec_word(d, 0, &d->w0))
		return ISA_E_TRUNCATED;
	bool (*encoding)(struct amd_dec *) = d->encodings[d->w0 >> 23];
	if (!encoding || !encoding(d))
		return d->truncated ? ISA_E_TRUNCATED : ISA_E_INVALID;
	return out->length;
}

int amd_decode(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset,
               struct amd_inst *out)
{
	struct amd_dec d;

	amd_dec_init(&d, cpu, wave, code, size);
	return amd_dec_at(&d, offset, out);
}
