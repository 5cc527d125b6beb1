/* amd_table.h - the expanded instruction table: rows, operand formats, opcode index. Internal to isa/amd. */
#ifndef XL_AMD_TABLE_H
#define XL_AMD_TABLE_H

#include "amd.h"

/* Opcode columns, the `column` of an isa_cpu. */
enum { AMD_GFX700, AMD_GFX1010, AMD_GFX1013, AMD_GFX1030, AMD_COLUMNS };

/* Operand class, or-ed onto an enum amd_type in a format. Any class will do where there is none and the type is not a mask. */
enum {
	AMD_C_TYPE = 0x1f,
	AMD_C_R = 0x20, /* SGPR only, no constant */
	AMD_C_V = 0x40, /* VGPR only */
	AMD_C_S = 0x80, /* SGPR or scalar constant only */
};

/* What the operand list cannot say: which decoder or printer variant applies. */
enum amd_shape {
	AMD_SH_PLAIN,
	AMD_SH_K1,         /* literal is the second factor: madmk */
	AMD_SH_K2,         /* literal is the addend: madak */
	AMD_SH_P10,        /* v_interp_mov */
	AMD_SH_DEC,        /* simm16 in decimal */
	AMD_SH_HEX,
	AMD_SH_BRANCH,     /* simm16 is a branch distance in dwords */
	AMD_SH_ENDPGM,     /* simm16 printed when not 0 */
	AMD_SH_WAITCNT,
	AMD_SH_MSG,
	AMD_SH_DEPCTR,
	AMD_SH_VERSION,
	AMD_SH_GETREG,
	AMD_SH_SETREG,
	AMD_SH_SETREG_IMM,
	AMD_SH_PROBE,      /* s_atc_probe: sdst field is a number */
	AMD_SH_NOADDR,     /* no address or no operands at all */
	AMD_SH_IMAGE,      /* dst[0] holds the extra address count, dst[1] AMD_IMG_* */
	AMD_SH_BVH,
};

enum {
	AMD_IMG_COORD = 1,
	AMD_IMG_LOD = 2, /* lod, mip or clamp */
	AMD_IMG_GRAD = 4,
	AMD_IMG_G16 = 8,
	AMD_IMG_PAIR = 16, /* atomic with two data values */
};

struct amd_format {
	_Alignas(8) uint8_t dst[2]; /* type | class, 0 none. Found by a shift */
	uint8_t src[3];
	uint8_t shape;
	bool plain;     /* a vector register from one to three registers or constants of any class */
};

struct amd_row {
	const char *mnemonic;
	uint32_t flags;
	uint8_t enc;
	uint8_t format;
	bool lifted;
	uint16_t opcode[AMD_COLUMNS]; /* AMD_NA where the cpu lacks it */
};

enum { AMD_NA = 0xffff };

/* How the components of a formatted buffer access read as numbers. */
#define AMD_NUMBERS(X) X(UNORM) X(SNORM) X(USCALED) X(SSCALED) X(UINT) X(SINT) X(FLOAT)
enum amd_number {
#define X(n) AMD_N_##n,
	AMD_NUMBERS(X)
#undef X
	AMD_N_COUNT
};

struct amd_data {
	const char *name;
	uint8_t dfmt, first, numbers, n; /* amd_data.def */
	uint8_t bits[4];
};

/* The format that an MTBUF instruction names, and its numbers; NULL where it names none, or one that nobody describes (gfx7's
 * SNORM_OGL). */
const struct amd_data *amd_data_format(const struct amd_inst *, bool gfx10, enum amd_number *);
extern const char *const amd_number_names[AMD_N_COUNT];

static inline bool amd_any_class(uint32_t type) { return type < AMD_C_R && type != AMD_T_MASK; }

extern const struct amd_row amd_rows[AMD_OP_COUNT];
extern const struct amd_format amd_formats[];

/* Per cpu column: the row of an opcode, AMD_OP_NONE when there is none, at the encoding's base + the opcode, which must be below the
 * encoding's size. */
extern const uint16_t *const amd_index[AMD_COLUMNS], amd_index_base[AMD_ENC_COUNT];

/* An operand of a type: what its dwords are depends on the wave. [1]: of 64 lanes. */
extern const struct amd_opnd amd_operands[2][AMD_T_COUNT];

#endif
