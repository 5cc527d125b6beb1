/* amd_table.c - amd.def and amd_fmt.def as constant arrays; the opcode index is laid out by the compiler. */
#include "amd_table.h"

/* Short names of the flags column. */
enum {
	BR = ISA_F_BRANCH,
	END = ISA_F_BRANCH | ISA_F_END,
	LD = ISA_F_LOAD,
	ST = ISA_F_STORE,
	AT = ISA_F_ATOMIC,
	FL = ISA_F_FLOAT,
	ACC = AMD_F_ACC,
	CMPX = AMD_F_CMPX,
	OMOD = AMD_F_OMOD,
	CLAMP = AMD_F_CLAMP,
	OPSEL = AMD_F_OPSEL,
	OPSELQ = AMD_F_OPSELQ,
	FMODS = AMD_F_FMODS,
	MODIGN = AMD_F_MODIGN,
	NOE64 = AMD_F_NOE64,
	NOSDWA = AMD_F_NOSDWA,
	NODPP = AMD_F_NODPP,
	D16 = AMD_F_D16,
	OFF2 = AMD_F_OFF2,
	GWS = AMD_F_GWS,
	ADDTID = AMD_F_ADDTID,
	SAMP = AMD_F_SAMP,
	GATHER = AMD_F_GATHER,
	LDS = AMD_F_LDS,
	SYS = AMD_F_SYS,
	NOGDS = AMD_F_NOGDS,
	IMPLIED = AMD_F_IMPLIED,
};

/* Short names of the operand columns of amd_fmt.def: type, V or S in front for a register class. */
enum {
	FT_0 = AMD_T_NONE,
	FT_B16 = AMD_T_B16,
	FT_F16 = AMD_T_F16,
	FT_B32 = AMD_T_B32,
	FT_F32 = AMD_T_F32,
	FT_B64 = AMD_T_B64,
	FT_F64 = AMD_T_F64,
	FT_PB16 = AMD_T_PB16,
	FT_PF16 = AMD_T_PF16,
	FT_MIX = AMD_T_MIX,
	FT_MASK = AMD_T_MASK,
	FT_B96 = AMD_T_B96,
	FT_B128 = AMD_T_B128,
	FT_B256 = AMD_T_B256,
	FT_B512 = AMD_T_B512,
	FT_VB32 = AMD_T_B32 | AMD_C_V,
	FT_VF16 = AMD_T_F16 | AMD_C_V,
	FT_VF32 = AMD_T_F32 | AMD_C_V,
	FT_VB128 = AMD_T_B128 | AMD_C_V,
	FT_SB32 = AMD_T_B32 | AMD_C_S,
	FT_SB64 = AMD_T_B64 | AMD_C_S,
	FT_SB128 = AMD_T_B128 | AMD_C_S,
	FT_RB32 = AMD_T_B32 | AMD_C_R,
	FT_RB64 = AMD_T_B64 | AMD_C_R,
};

enum {
#define FMT(name, d0, d1, s0, s1, s2, shape) FMT_##name,
#define IMG(name, extra, parts) FMT_##name,
#include "amd_fmt.def"
#undef FMT
#undef IMG
};

#define ANY(type) ((type) < (int)AMD_C_R && (type) != (int)AMD_T_MASK) /* amd_any_class */
#define PLAIN(d0, d1, s0, s1, s2, shape) \
	((d0) && ANY(d0) && !(d1) && (s0) && ANY(s0) && ANY(s1) && ANY(s2) && (shape) == AMD_SH_PLAIN)
const struct amd_format amd_formats[] = {
#define FMT(name, d0, d1, s0, s1, s2, shape) \
	[FMT_##name] = { { FT_##d0, FT_##d1 }, { FT_##s0, FT_##s1, FT_##s2 }, AMD_SH_##shape, \
	                 PLAIN(FT_##d0, FT_##d1, FT_##s0, FT_##s1, FT_##s2, AMD_SH_##shape) },
#define COORD AMD_IMG_COORD
#define LOD AMD_IMG_LOD
#define GRAD AMD_IMG_GRAD
#define G16 AMD_IMG_G16
#define PAIR AMD_IMG_PAIR
#define IMG(name, extra, parts) [FMT_##name] = { { extra, parts }, { 0, 0, 0 }, AMD_SH_IMAGE, false },
#include "amd_fmt.def"
#undef FMT
#undef ANY
#undef PLAIN
#undef IMG
#undef COORD
#undef LOD
#undef GRAD
#undef G16
#undef PAIR
};

#define NA AMD_NA
const struct amd_row amd_rows[AMD_OP_COUNT] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) \
	[AMD_##mnemonic##_##enc] = { #mnemonic,    flags, AMD_ENC_##enc, FMT_##format, sizeof(#lifter) != sizeof("NONE"), \
	                             { g7, g1010, g1013, g1030 } },
#include "amd.def"
#undef INST
};

/* Where each encoding's opcodes start in an index. */
enum {
#define ENC(name, opcodes) BASE_##name, LAST_##name = BASE_##name + (opcodes) - 1,
#include "amd_enc.def"
#undef ENC
	SLOTS
};

const uint16_t amd_index_base[AMD_ENC_COUNT] = {
#define ENC(name, opcodes) BASE_##name,
#include "amd_enc.def"
#undef ENC
};

/* One slot per opcode; a row that a column lacks goes to a slot of its own behind them, so that two rows with the same
 * opcode are a compiler warning. */
#define SLOT(row, enc, op) [(op) == NA ? SLOTS + (row) : BASE_##enc + (op)] = (op) == NA ? AMD_OP_NONE : (row)
static const uint16_t index_of[AMD_COLUMNS][SLOTS + AMD_OP_COUNT] = {
	[AMD_GFX700] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) SLOT(AMD_##mnemonic##_##enc, enc, g7),
#include "amd.def"
#undef INST
	},
	[AMD_GFX1010] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) SLOT(AMD_##mnemonic##_##enc, enc, g1010),
#include "amd.def"
#undef INST
	},
	[AMD_GFX1013] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) SLOT(AMD_##mnemonic##_##enc, enc, g1013),
#include "amd.def"
#undef INST
	},
	[AMD_GFX1030] = {
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) SLOT(AMD_##mnemonic##_##enc, enc, g1030),
#include "amd.def"
#undef INST
	},
};
#undef SLOT

const uint16_t *const amd_index[AMD_COLUMNS] = {
	[AMD_GFX700] = index_of[AMD_GFX700], [AMD_GFX1010] = index_of[AMD_GFX1010], [AMD_GFX1013] = index_of[AMD_GFX1013],
	[AMD_GFX1030] = index_of[AMD_GFX1030],
};

#define OPND(t, n) [AMD_T_##t] = { .type = AMD_T_##t, .dwords = (n), .sel = AMD_SEL_DWORD }
#define OPNDS(mask) \
	OPND(B16, 1), OPND(F16, 1), OPND(B32, 1), OPND(F32, 1), OPND(B64, 2), OPND(F64, 2), OPND(PB16, 1), OPND(PF16, 1), \
	OPND(MASK, mask), OPND(MIX, 1), OPND(B96, 3), OPND(B128, 4), OPND(B256, 8), OPND(B512, 16), OPND(BITS, 0)
const struct amd_opnd amd_operands[2][AMD_T_COUNT] = { { OPNDS(1) }, { OPNDS(2) } };

const char *amd_mnemonic(uint32_t op)
{
	return op < AMD_OP_COUNT && amd_rows[op].mnemonic ? amd_rows[op].mnemonic : "";
}

const char *amd_encoding(uint32_t enc)
{
	static const char *const names[AMD_ENC_COUNT] = {
#define ENC(name, opcodes) #name,
#include "amd_enc.def"
#undef ENC
	};

	return enc < AMD_ENC_COUNT ? names[enc] : "";
}

uint32_t amd_flags(uint32_t op)
{
	return op < AMD_OP_COUNT ? amd_rows[op].flags : 0;
}
