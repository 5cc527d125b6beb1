/* amd_image.c - decoding of MIMG: image loads, stores, atomics, samples and ray intersection. */
#include "amd_dec.h"

/* By gfx10 dim: coordinates (array slice and sample included), and gradients. */
static const struct {
	uint8_t coords, gradients;
} dims[8] = {
	{ 1, 2 }, /* 1D */
	{ 2, 4 }, /* 2D */
	{ 3, 6 }, /* 3D */
	{ 3, 4 }, /* CUBE */
	{ 2, 2 }, /* 1D_ARRAY */
	{ 3, 4 }, /* 2D_ARRAY */
	{ 3, 4 }, /* 2D_MSAA */
	{ 4, 4 }, /* 2D_MSAA_ARRAY */
};

/* Address dwords: extra ones, coordinates and lod (halves with a16), gradients (pairs of halves per direction with g16). */
static uint32_t address_dwords(const struct amd_dec *d, uint32_t dim, bool a16)
{
	uint32_t parts = d->format->dst[1], count = d->format->dst[0];
	uint32_t words = (parts & AMD_IMG_COORD ? dims[dim].coords : 0) + (parts & AMD_IMG_LOD ? 1 : 0);

	count += a16 ? (words + 1) / 2 : words;
	if (parts & AMD_IMG_GRAD) {
		uint32_t gradients = dims[dim].gradients;

		count += parts & AMD_IMG_G16 ? (gradients / 2 + 1) / 2 * 2 : gradients;
	}
	return count;
}

/* NSA dwords of the instruction's largest form. */
static uint32_t nsa_dwords(const struct amd_dec *d)
{
	uint32_t parts = d->format->dst[1], count = d->format->dst[0];

	if (d->format->shape == AMD_SH_BVH)
		return 3;
	if (parts & AMD_IMG_COORD)
		count += d->in->flags & AMD_F_SAMP ? 3 : 4;
	if (parts & AMD_IMG_LOD)
		count += 1;
	if (parts & AMD_IMG_GRAD)
		count += parts & AMD_IMG_G16 ? 4 : 6;
	return (count + 2) / 4;
}

static bool address(struct amd_dec *d, uint32_t count, uint32_t nsa)
{
	struct amd_inst *in = d->in;
	uint32_t vaddr = amd_bits(d->w1, 7, 0), word;

	if (nsa > nsa_dwords(d))
		return false;
	if (!nsa) {
		if (d->gfx10 ? count > 12 : count > 8)
			count = 16;
		else if (!d->gfx10 && count > 4)
			count = 8;
		return amd_dec_vgprs(d, &in->addr, vaddr, count == 1 ? AMD_T_B32 : count == 2 ? AMD_T_B64 : AMD_T_BITS, count);
	}
	in->length = (uint8_t)(8 + 4 * nsa);
	if (count > 1 + 4 * nsa || count < 2)
		return false;
	if (!amd_dec_word(d, 1 + nsa, &word)) /* all of them belong to the instruction, needed or not */
		return false;
	in->nnsa = (uint8_t)count;
	in->nsa[0] = (uint8_t)vaddr;
	for (uint32_t n = 1; n < count; n++) {
		if (!amd_dec_word(d, 2 + (n - 1) / 4, &word))
			return false;
		in->nsa[n] = (uint8_t)(word >> 8 * ((n - 1) % 4));
	}
	return true;
}

static bool data(struct amd_dec *d, uint32_t parts)
{
	struct amd_inst *in = d->in;
	uint32_t vdata = amd_bits(d->w1, 15, 8), count = 0;

	for (uint32_t n = 0; n < 4; n++)
		count += in->dmask >> n & 1;
	if (in->flags & AMD_F_GATHER)
		count = 4;
	else if (!count)
		count = 1;
	if (in->flags & ISA_F_ATOMIC) {
		uint32_t unit = parts & AMD_IMG_PAIR ? 2 : 1;

		if (count != unit && count != 2 * unit)
			return false;
		if (!amd_dec_vgprs(d, &in->data[0], vdata, AMD_T_BITS, count + in->tfe))
			return false;
		return !in->glc || amd_dec_vgprs(d, &in->dst[0], vdata, AMD_T_BITS, count / unit + in->tfe);
	}
	if (in->d16)
		count = (count + 1) / 2;
	return amd_dec_vgprs(d, in->flags & ISA_F_STORE ? &in->data[0] : &in->dst[0], vdata, AMD_T_BITS, count + in->tfe);
}

static bool bvh(struct amd_dec *d, uint32_t nsa)
{
	struct amd_inst *in = d->in;
	uint32_t node = d->format->src[0] ? 2 : 1;

	/* the fields that a texture has are fixed here: one V#-like descriptor, four results */
	if (in->dmask != 15 || !in->unrm || !in->r128 || in->dim || in->tfe || in->lwe || in->d16 || in->glc || in->slc ||
	    in->dlc || amd_bits(d->w1, 25, 21))
		return false;
	return amd_dec_vgpr(d, &in->dst[0], amd_bits(d->w1, 15, 8), AMD_T_B128) &&
	       amd_dec_sgprs(d, &in->sbase, amd_bits(d->w1, 20, 16) << 2, AMD_T_B128) &&
	       address(d, node + (in->a16 ? 7 : 10), nsa);
}

bool amd_dec_image(struct amd_dec *d)
{
	struct amd_inst *in = d->in;
	uint32_t opcode = amd_bits(d->w0, 24, 18), nsa = 0, samp;

	amd_dec_memory(in);
	if (!amd_dec_word(d, 1, &d->w1))
		return false;
	in->length = 8;
	in->dmask = (uint8_t)amd_bits(d->w0, 11, 8);
	in->unrm = d->w0 >> 12 & 1;
	in->glc = d->w0 >> 13 & 1;
	in->r128 = d->w0 >> 15 & 1;
	in->tfe = d->w0 >> 16 & 1;
	in->lwe = d->w0 >> 17 & 1;
	in->slc = d->w0 >> 25 & 1;
	if (d->gfx10) {
		opcode |= (d->w0 & 1) << 7;
		nsa = amd_bits(d->w0, 2, 1);
		in->dim = (uint8_t)amd_bits(d->w0, 5, 3);
		in->dlc = d->w0 >> 7 & 1;
		in->a16 = d->w1 >> 30 & 1;
		in->d16 = d->w1 >> 31;
	} else {
		in->da = d->w0 >> 14 & 1;
		if (!amd_dec_reserved(d, 0xff, 0xfc000000))
			return false;
	}
	if (!amd_dec_row(d, AMD_ENC_MIMG, opcode))
		return false;
	if (d->format->shape == AMD_SH_BVH)
		return bvh(d, nsa);
	if (in->d16 && !(in->flags & AMD_F_D16))
		return false;
	samp = amd_bits(d->w1, 25, 21);
	if (in->flags & AMD_F_SAMP ? !amd_dec_sgprs(d, &in->samp, samp << 2, AMD_T_B128) : samp && d->gfx10)
		return false;
	return data(d, d->format->dst[1]) &&
	       amd_dec_sgprs(d, &in->sbase, amd_bits(d->w1, 20, 16) << 2, AMD_T_B256) &&
	       address(d, address_dwords(d, d->gfx10 || !(in->flags & AMD_F_GATHER) ? in->dim : 1, in->a16), nsa);
}
