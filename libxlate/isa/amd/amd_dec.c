/* amd_dec.c - operands of AMD instructions: source codes to registers and constants. */
#include "amd_dec.h"

bool amd_dec_literal(struct amd_dec *d)
{
	struct amd_inst *in = d->in;

	if (in->has_literal)
		return true;
	if (!amd_dec_word(d, in->length / 4, &in->literal))
		return false;
	in->has_literal = true;
	in->length += 4;
	return true;
}

/* Inline float constants, source codes 240 to 248. */
static const struct {
	uint16_t f16;
	uint32_t f32;
	uint64_t f64;
} inline_floats[9] = {
	{ 0x3800, 0x3f000000, 0x3fe0000000000000 }, /* 0.5 */
	{ 0xb800, 0xbf000000, 0xbfe0000000000000 },
	{ 0x3c00, 0x3f800000, 0x3ff0000000000000 }, /* 1 */
	{ 0xbc00, 0xbf800000, 0xbff0000000000000 },
	{ 0x4000, 0x40000000, 0x4000000000000000 }, /* 2 */
	{ 0xc000, 0xc0000000, 0xc000000000000000 },
	{ 0x4400, 0x40800000, 0x4010000000000000 }, /* 4 */
	{ 0xc400, 0xc0800000, 0xc010000000000000 },
	{ 0x3118, 0x3e22f983, 0x3fc45f306dc9c882 }, /* 1 / (2 pi), not on gfx7 */
};

static void set_int(struct amd_opnd *o, int64_t value)
{
	o->kind = AMD_K_INT;
	switch (o->type) {
	case AMD_T_B16:
	case AMD_T_F16:
		o->value = (uint16_t)value;
		break;
	case AMD_T_B64:
	case AMD_T_F64:
	case AMD_T_MASK:
		o->value = (uint64_t)value;
		break;
	default:
		o->value = (uint32_t)value;
	}
}

void amd_dec_float(struct amd_opnd *o, uint32_t n)
{
	o->kind = AMD_K_FLOAT;
	switch (o->type) {
	case AMD_T_B16:
	case AMD_T_F16:
	case AMD_T_PF16:
		o->value = inline_floats[n].f16;
		break;
	case AMD_T_B64:
	case AMD_T_F64:
	case AMD_T_MASK:
		o->value = inline_floats[n].f64;
		break;
	default:
		o->value = inline_floats[n].f32;
	}
}

static bool set_literal(struct amd_dec *d, struct amd_opnd *o)
{
	if (!amd_dec_literal(d))
		return false;
	o->kind = AMD_K_LITERAL;
	o->value = d->in->literal;
	if (o->type == AMD_T_F64)
		o->value <<= 32;
	else if (o->type == AMD_T_B16 || o->type == AMD_T_F16)
		o->value &= 0xffff;
	return true;
}

/* Registers of `count` named from `first`; a number off the alignment is rounded down, as the hardware ignores its low bits.
 * o->dwords is set. */
static bool set_range(struct amd_dec *d, struct amd_opnd *o, uint32_t kind, uint32_t first, uint32_t count)
{
	uint32_t align = o->dwords >= 3 ? 4 : o->dwords;
	uint32_t aligned = first & ~(align - 1);

	o->kind = (uint8_t)kind;
	o->index = (uint16_t)aligned;
	o->unaligned = aligned != first;
	d->in->odd |= o->unaligned;
	return aligned + o->dwords <= count;
}

static inline void note_scalar(struct amd_dec *d, const struct amd_opnd *o)
{
	d->in->scalars |= (uint16_t)(1u << ((size_t)((const char *)o - (const char *)d->in->opnd) / sizeof *o));
}

void amd_dec_special(struct amd_dec *d, struct amd_opnd *o, uint32_t special, uint32_t type)
{
	*o = d->operands[type & AMD_C_TYPE];
	o->kind = AMD_K_SPECIAL;
	o->index = (uint16_t)special;
	note_scalar(d, o);
}

/* Below d->sgprs. */
static inline bool numbered_register(struct amd_dec *d, struct amd_opnd *o, uint32_t code)
{
	note_scalar(d, o);
	if (o->dwords > 1) /* on gfx10 a range may run on into VCC, which is s[106:107]; LLVM does not know that */
		return set_range(d, o, AMD_K_SGPR, code, d->gfx10 && o->dwords > 2 ? 108 : d->sgprs);
	o->kind = AMD_K_SGPR;
	o->index = (uint16_t)code;
	return true;
}

/* The other codes up to 127 and the read-only specials. */
static bool special_register(struct amd_dec *d, struct amd_opnd *o, uint32_t code)
{
	uint32_t ttmp = d->gfx10 ? 108 : 112;
	bool pair_lo = false, single = false;

	note_scalar(d, o);
	if (code >= ttmp && code < 124)
		return set_range(d, o, AMD_K_TTMP, code - ttmp, 124 - ttmp);
	switch (code) {
	case AMD_FLAT_SCRATCH_LO:
	case AMD_TBA_LO:
	case AMD_TMA_LO:
	case AMD_VCC_LO:
	case AMD_EXEC_LO:
		pair_lo = single = true;
		break;
	case AMD_FLAT_SCRATCH_HI:
	case AMD_TBA_HI:
	case AMD_TMA_HI:
	case AMD_VCC_HI:
	case AMD_EXEC_HI:
	case AMD_M0:
		single = true;
		break;
	case AMD_SHARED_BASE:
	case AMD_SHARED_LIMIT:
	case AMD_PRIVATE_BASE:
	case AMD_PRIVATE_LIMIT:
	case AMD_POPS_EXITING_WAVE_ID:
		pair_lo = single = d->gfx10;
		break;
	case AMD_VCCZ:
	case AMD_EXECZ:
	case AMD_SCC:
		pair_lo = single = true;
		break;
	case AMD_LDS_DIRECT:
		single = true;
		break;
	}
	o->kind = AMD_K_SPECIAL;
	o->index = (uint16_t)code;
	if (code == AMD_NULL)
		return d->gfx10;
	return o->dwords == 1 ? single : o->dwords == 2 && pair_lo;
}

bool amd_dec_sdst(struct amd_dec *d, struct amd_opnd *o, uint32_t code7, uint32_t type)
{
	*o = d->operands[type & AMD_C_TYPE];
	return code7 < d->sgprs ? numbered_register(d, o, code7) : code7 < 128 && special_register(d, o, code7);
}

bool amd_dec_sgprs(struct amd_dec *d, struct amd_opnd *o, uint32_t code, uint32_t type)
{
	return amd_dec_sdst(d, o, code, type);
}

bool amd_dec_scalar(struct amd_dec *d, struct amd_opnd *o, uint32_t code9, uint32_t type)
{
	*o = d->operands[type & AMD_C_TYPE];
	if (code9 < d->sgprs && !(type & AMD_C_V))
		return numbered_register(d, o, code9);
	if (type & AMD_C_R) /* constants are out, not the read-only registers */
		return (code9 < 128 || (code9 >= AMD_SHARED_BASE && code9 <= AMD_POPS_EXITING_WAVE_ID) ||
		        (code9 >= AMD_VCCZ && code9 <= AMD_SCC)) &&
		       special_register(d, o, code9);
	if (code9 >= 256 || type & AMD_C_V)
		return false;
	if (code9 >= 128 && code9 <= 208) {
		set_int(o, code9 <= 192 ? (int64_t)code9 - 128 : 192 - (int64_t)code9);
		return true;
	}
	if (code9 >= 240 && code9 <= (d->gfx10 ? 248u : 247u)) {
		amd_dec_float(o, code9 - 240);
		return true;
	}
	if (code9 == 255)
		return set_literal(d, o);
	if (code9 == AMD_LDS_DIRECT && type & AMD_C_S)
		return false;
	return special_register(d, o, code9);
}
