/* amd_mem.c - decoding of scalar and vector memory, LDS and export instructions. */
#include "amd_dec.h"

/* A VGPR field that the instruction may not have: then it is 0 (gfx10) or free (gfx7). */
static bool vector_field(struct amd_dec *d, struct amd_opnd *o, uint32_t index, uint32_t type)
{
	return type ? amd_dec_vgpr(d, o, index, type) : !d->gfx10 || !index;
}

static int64_t sign_extend(uint32_t value, uint32_t bits)
{
	uint32_t sign = 1u << (bits - 1);

	return (int64_t)(value & (2 * sign - 1)) - (value & sign ? 2 * (int64_t)sign : 0);
}

/* Scalar memory does not load to, or store from, m0 and EXEC. */
static bool scalar_data(struct amd_dec *d, struct amd_opnd *o, uint32_t code, uint32_t type)
{
	return code != AMD_M0 && code != AMD_EXEC_LO && code != AMD_EXEC_HI && amd_dec_sdst(d, o, code, type);
}

bool amd_dec_smrd(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	const struct amd_format *f;
	uint32_t offset = amd_bits(d->w0, 7, 0);
	bool imm = d->w0 >> 8 & 1;

	amd_dec_memory(in);
	if (!amd_dec_row(d, AMD_ENC_SMRD, amd_bits(d->w0, 26, 22)))
		return false;
	f = d->format;
	if (f->dst[0] && !scalar_data(d, &in->dst[0], amd_bits(d->w0, 21, 15), f->dst[0]))
		return false;
	if (!f->src[1])
		return true;
	if (!amd_dec_sgprs(d, &in->sbase, amd_bits(d->w0, 14, 9) << 1, f->src[1]))
		return false;
	if (imm) {
		in->offset = 4 * (int64_t)offset;
		return true;
	}
	if (offset == 255) {
		if (!amd_dec_literal(d))
			return false;
		in->offset = 4 * (int64_t)in->literal;
		return true;
	}
	return offset < 128 && amd_dec_sdst(d, &in->soffset, offset, AMD_T_B32);
}

bool amd_dec_smem(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	const struct amd_format *f;
	uint32_t sdst = amd_bits(d->w0, 12, 6), soffset;

	amd_dec_memory(in);
	if (!amd_dec_word(d, 1, &d->w1))
		return false;
	in->length = 8;
	if (!amd_dec_row(d, AMD_ENC_SMEM, amd_bits(d->w0, 25, 18)))
		return false;
	f = d->format;
	if (f->dst[0] || f->src[0]) {
		in->glc = d->w0 >> 16 & 1;
		in->dlc = d->w0 >> 14 & 1;
	}
	if (f->shape == AMD_SH_PROBE)
		in->simm16 = (uint16_t)sdst;
	if (f->src[0] && !scalar_data(d, &in->data[0], sdst, f->src[0]))
		return false;
	if (f->dst[0] && (!f->src[0] || in->glc) && !scalar_data(d, &in->dst[0], sdst, f->dst[0]))
		return false;
	if (f->shape == AMD_SH_NOADDR) {
		in->glc = in->dlc = false;
		return true;
	}
	if (!amd_dec_sgprs(d, &in->sbase, amd_bits(d->w0, 5, 0) << 1, f->src[1]))
		return false;
	in->offset = sign_extend(d->w1, 21);
	soffset = d->w1 >> 25;
	return soffset == AMD_NULL || amd_dec_sdst(d, &in->soffset, soffset, AMD_T_B32);
}

bool amd_dec_ds(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	const struct amd_format *f;
	uint32_t field[4];

	amd_dec_memory(in);
	if (!amd_dec_word(d, 1, &d->w1))
		return false;
	in->length = 8;
	if (!amd_dec_row(d, AMD_ENC_DS, amd_bits(d->w0, 25, 18)))
		return false;
	f = d->format;
	in->gds = d->w0 >> 17 & 1;
	if (in->flags & AMD_F_OFF2) {
		in->offset0 = (uint8_t)d->w0;
		in->offset1 = (uint8_t)(d->w0 >> 8);
	} else {
		in->offset = d->w0 & 0xffff;
	}
	if (in->op == AMD_ds_nop_DS && in->offset)
		return false;
	for (uint32_t n = 0; n < 4; n++)
		field[n] = amd_bits(d->w1, 8 * n + 7, 8 * n);
	if (in->flags & AMD_F_GWS ? !in->gds : in->gds && in->flags & AMD_F_NOGDS)
		return false;
	return amd_dec_reserved(d, 0x10000, 0) && vector_field(d, &in->addr, field[0], f->src[0]) &&
	       vector_field(d, &in->data[0], field[1], f->src[1]) && vector_field(d, &in->data[1], field[2], f->src[2]) &&
	       vector_field(d, &in->dst[0], field[3], f->dst[0]);
}

/* Data of MUBUF, MTBUF: one field for what is loaded, stored, or both. */
static bool buffer_data(struct amd_dec *d, uint32_t vdata)
{
	struct amd_inst *in = d->in;
	const struct amd_format *f = d->format;
	uint32_t more = in->tfe ? 1 : 0;

	if (in->lds)
		return true;
	if (f->src[0] && !amd_dec_vgprs(d, &in->data[0], vdata, f->src[0], amd_dec_dwords(d, f->src[0]) + more))
		return false;
	if (f->dst[0] && (!f->src[0] || in->glc))
		return amd_dec_vgprs(d, &in->dst[0], vdata, f->dst[0], amd_dec_dwords(d, f->dst[0]) + more);
	return true;
}

static bool buffer_address(struct amd_dec *d, uint32_t vaddr)
{
	struct amd_inst *in = d->in;
	uint32_t count = in->addr64 ? 2 : (uint32_t)in->offen + in->idxen;

	if (in->addr64 && (in->offen || in->idxen))
		return false;
	if (count)
		return amd_dec_vgpr(d, &in->addr, vaddr, count == 2 ? AMD_T_B64 : AMD_T_B32);
	in->addr.kind = AMD_K_OFF;
	return true;
}

bool amd_dec_buffer(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	bool typed = d->w0 >> 26 == 0x3a;
	uint32_t opcode;

	amd_dec_memory(in);
	if (!amd_dec_word(d, 1, &d->w1))
		return false;
	in->length = 8;
	if (typed)
		opcode = amd_bits(d->w0, 18, 16) | (d->gfx10 ? (d->w1 >> 21 & 1) << 3 : 0);
	else
		opcode = d->gfx10 ? amd_bits(d->w0, 25, 18) : amd_bits(d->w0, 24, 18);
	if (!amd_dec_row(d, typed ? AMD_ENC_MTBUF : AMD_ENC_MUBUF, opcode))
		return false;
	if (d->format->shape == AMD_SH_NOADDR)
		return !amd_bits(d->w0, 16, 12) && !(d->w1 >> 23 & 1);
	if (!amd_dec_reserved(d, typed ? 0 : 0x2020000, 0x200000))
		return false;
	in->offset = amd_bits(d->w0, 11, 0);
	in->offen = d->w0 >> 12 & 1;
	in->idxen = d->w0 >> 13 & 1;
	in->glc = d->w0 >> 14 & 1;
	if (d->gfx10)
		in->dlc = d->w0 >> 15 & 1;
	else
		in->addr64 = d->w0 >> 15 & 1;
	in->slc = d->w1 >> 22 & 1;
	in->tfe = d->w1 >> 23 & 1;
	if (in->tfe && in->flags & ISA_F_STORE && !d->gfx10)
		return false;
	if ((in->tfe && (typed || in->flags & ISA_F_ATOMIC)) || (in->dlc && in->flags & ISA_F_ATOMIC))
		return false;
	if (!typed) {
		in->lds = d->w0 >> 16 & 1;
		if (in->lds && (!(in->flags & AMD_F_LDS) || in->tfe))
			return false;
	} else if (d->gfx10) {
		in->format = (uint8_t)amd_bits(d->w0, 25, 19);
	} else {
		in->dfmt = (uint8_t)amd_bits(d->w0, 22, 19);
		in->nfmt = (uint8_t)amd_bits(d->w0, 25, 23);
	}
	return buffer_data(d, amd_bits(d->w1, 15, 8)) && buffer_address(d, amd_bits(d->w1, 7, 0)) &&
	       amd_dec_sgprs(d, &in->sbase, amd_bits(d->w1, 20, 16) << 2, AMD_T_B128) &&
	       amd_bits(d->w1, 31, 24) != 255 && amd_dec_src(d, &in->soffset, amd_bits(d->w1, 31, 24), AMD_T_B32 | AMD_C_S);
}

static bool flat_address(struct amd_dec *d, uint32_t enc)
{
	struct amd_inst *in = d->in;
	uint32_t addr = amd_bits(d->w1, 7, 0), saddr = amd_bits(d->w1, 22, 16);

	if (enc == AMD_ENC_FLAT)
		return (!d->gfx10 || saddr == AMD_NULL) && amd_dec_vgpr(d, &in->addr, addr, AMD_T_B64);
	if (enc == AMD_ENC_SCRATCH && saddr == 0x7f) { /* no address register at all: gfx1030, and what loads into LDS */
		if (d->column != AMD_GFX1030 && !in->lds)
			return false;
		in->addr.kind = in->sbase.kind = AMD_K_OFF;
		return true;
	}
	if (saddr != AMD_NULL) {
		uint32_t type = enc == AMD_ENC_GLOBAL ? AMD_T_B64 : AMD_T_B32;

		if (!amd_dec_sdst(d, &in->sbase, saddr, type))
			return false;
		if (in->flags & AMD_F_ADDTID)
			return true;
		if (enc == AMD_ENC_SCRATCH) {
			in->addr.kind = AMD_K_OFF;
			return true;
		}
		return amd_dec_vgpr(d, &in->addr, addr, AMD_T_B32);
	}
	in->sbase.kind = AMD_K_OFF;
	if (in->flags & AMD_F_ADDTID)
		return true;
	if (enc == AMD_ENC_SCRATCH)
		return amd_dec_vgpr(d, &in->addr, addr, AMD_T_B32);
	return amd_dec_vgpr(d, &in->addr, addr, AMD_T_B64);
}

bool amd_dec_flat(struct amd_dec *d)
{
	static const uint8_t segments[4] = { AMD_ENC_FLAT, AMD_ENC_SCRATCH, AMD_ENC_GLOBAL, AMD_ENC_COUNT };
	struct amd_inst *in = d->in;
	const struct amd_format *f;
	uint32_t enc = d->gfx10 ? segments[amd_bits(d->w0, 15, 14)] : AMD_ENC_FLAT;

	amd_dec_memory(in);
	if (!amd_dec_word(d, 1, &d->w1) || enc == AMD_ENC_COUNT)
		return false;
	in->length = 8;
	if (!amd_dec_row(d, enc, amd_bits(d->w0, 24, 18)))
		return false;
	f = d->format;
	in->glc = d->w0 >> 16 & 1;
	in->slc = d->w0 >> 17 & 1;
	if (d->gfx10) {
		in->dlc = d->w0 >> 12 & 1;
		in->lds = d->w0 >> 13 & 1;
		in->offset = enc == AMD_ENC_FLAT ? (int64_t)amd_bits(d->w0, 11, 0) : sign_extend(d->w0, 12);
		in->odd |= enc == AMD_ENC_FLAT && in->offset > 2047;
		if ((in->lds && !(in->flags & AMD_F_LDS)) || d->w1 >> 23 & 1)
			return false;
	} else if (!amd_dec_reserved(d, 0x200ffff, 0xff0000)) {
		return false; /* the failure flag of a texture (tfe) among them */
	}
	if (f->src[0] && !amd_dec_vgpr(d, &in->data[0], amd_bits(d->w1, 15, 8), f->src[0]))
		return false;
	if (f->dst[0] && !in->lds && (!f->src[0] || in->glc) && !amd_dec_vgpr(d, &in->dst[0], d->w1 >> 24, f->dst[0]))
		return false;
	return flat_address(d, enc);
}

static bool target_exists(const struct amd_dec *d, uint32_t target)
{
	if (target <= 9 || target >= 32)
		return true;
	if (d->gfx10)
		return (target >= 12 && target <= 16) || target == 20;
	return target >= 12 && target <= 15;
}

bool amd_dec_export(struct amd_dec *d)
{
	struct amd_inst *in = d->in;

	if (!amd_dec_word(d, 1, &d->w1) || !amd_dec_row(d, AMD_ENC_EXP, 0))
		return false;
	in->length = 8;
	in->en = (uint8_t)amd_bits(d->w0, 3, 0);
	in->target = (uint8_t)amd_bits(d->w0, 9, 4);
	in->compr = d->w0 >> 10 & 1;
	in->done = d->w0 >> 11 & 1;
	in->vm = d->w0 >> 12 & 1;
	if (!target_exists(d, in->target) || !amd_dec_reserved(d, 0x3ffe000, 0))
		return false;
	for (uint32_t n = 0; n < 4; n++) {
		/* compressed: component n is half n & 1 of register n / 2 */
		uint32_t field = 8 * (in->compr ? n / 2 : n);

		if (in->en >> n & 1)
			amd_dec_vgpr(d, &in->src[n], amd_bits(d->w1, field + 7, field), AMD_T_B32);
		else
			in->src[n].kind = AMD_K_OFF;
	}
	return true;
}
