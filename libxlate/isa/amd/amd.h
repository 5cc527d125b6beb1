/* amd.h - decoded AMD instructions: gfx7 (gfx700) and gfx10 (gfx1010, gfx1013, gfx1030).
 *
 * amd_decode() turns machine words into a struct amd_inst in which every operand is resolved: register or constant, how
 * many dwords, how the instruction reads it, which modifiers apply. Nothing downstream looks at encoding bits again.
 *
 * An instruction is one row of amd.def, identified by enum amd_op. A vector row has its *native* encoding (VOP1, VOP2,
 * VOPC, VOP3, VOP3P); `form` says how this occurrence was encoded: VOP1, VOP2 and VOPC rows also come as VOP3, SDWA, DPP
 * and DPP8. The operands sit in the same places whatever the form.
 *
 * Where operands are, by encoding (kind AMD_K_NONE marks an absent one):
 *
 *   SOP1 SOP2 SOPC SOPK SOPP dst[0], src[0..1]; SOPK/SOPP immediate in simm16; SOPK reading its destination has it in
 *                            src[0] too (s_cmpk, s_setreg) or only in dst[0] (s_addk, s_mulk: AMD_F_ACC)
 *   VOP1 VOP2 VOPC VOP3 VOP3Pdst[0], dst[1] (carry or scale mask), src[0..2]; implied VCC operands are listed like
 *                            explicit ones (v_cndmask_b32 in VOP2: src[2]; VOPC: dst[0]); v_cmpx on gfx10: dst[0] is
 *                            EXEC, on gfx7 dst[0] is the mask and EXEC is written as well (AMD_F_CMPX). AMD_F_ACC:
 *                            dst[0] is read too, as the last addend (v_mac, v_fmac, v_dot2c).
 *                            v_madmk/v_madak/v_fmamk/v_fmaak: src[0..2] in the order of the formula src0 * src1 + src2,
 *                            the literal among them
 *   VINTRP                   dst[0], src[0] = coordinate VGPR (v_interp_mov: AMD_K_INT 0, 1, 2 = P10, P20, P0), attr,
 *                            chan. Also in VOP3 form; the f16 ones (v_interp_p1ll_f16, ...) are VOP3 rows with src[0]
 *                            of kind AMD_K_ATTR, src[1] = coordinate, src[2] = P1 result, `high` = upper half of the
 *                            attribute
 *   SMRD/SMEM                dst[0] (loads, returning atomics), data[0] (stores, atomics), sbase, soffset (SGPR, or
 *                            none), offset (bytes, already scaled; gfx7 counts dwords in the encoding)
 *   DS                       dst[0], addr, data[0], data[1], offset or offset0/offset1 (as encoded, not scaled), gds
 *   MUBUF MTBUF              dst[0] (loads, atomics that return), data[0] (stores, atomics), addr (1 or 2 VGPRs: index
 *                            then offset), sbase = V#, soffset, offset, idxen, offen, addr64, lds
 *   MIMG                     dst[0], data[0] as MUBUF, addr (or nsa[] when nnsa != 0), sbase = T#, samp = S#, dmask,
 *                            dim ... gfx7 encodes no dimension: addr.dwords is what a 1D image needs, the truth is in
 *                            the T#
 *   FLAT GLOBAL SCRATCH      dst[0], data[0], addr (1 or 2 VGPRs, none for scratch SADDR), sbase = SADDR or none,
 *                            offset
 *   EXP                      src[0..3] (AMD_K_OFF when its enable bit is clear), target, en, done, compr, vm; with
 *                            compr component n is half n & 1 of its register
 */
#ifndef XL_AMD_H
#define XL_AMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../isa.h"

/* Native encodings: the ENCODING column of amd.def. */
enum amd_enc {
#define ENC(name, opcodes) AMD_ENC_##name,
#include "amd_enc.def"
#undef ENC
	AMD_ENC_COUNT
};

enum amd_form {
	AMD_FORM_BASE, /* the row's own encoding */
	AMD_FORM_VOP3, /* VOP1/VOP2/VOPC row encoded as VOP3 ("_e64") */
	AMD_FORM_SDWA,
	AMD_FORM_DPP, /* DPP16; from here on operands come from other lanes */
	AMD_FORM_DPP8,
};

/* Rows of the table. AMD_OP_NONE is never returned with a positive length. */
enum amd_op {
	AMD_OP_NONE,
#define INST(mnemonic, enc, g7, g1010, g1013, g1030, format, lifter, flags) AMD_##mnemonic##_##enc,
#include "amd.def"
#undef INST
	AMD_OP_COUNT
};

/* Vendor flags of a row, above ISA_F_*; the flags column of the .def files uses the short names of amd_table.c. */
enum {
	AMD_F_ACC = ISA_F_VENDOR << 0,      /* reads its destination as one more operand */
	AMD_F_CMPX = ISA_F_VENDOR << 1,     /* writes EXEC: gfx10 only EXEC (dst[0]), gfx7 EXEC next to its mask operand */
	AMD_F_OMOD = ISA_F_VENDOR << 2,     /* VOP3 form takes omod */
	AMD_F_CLAMP = ISA_F_VENDOR << 3,    /* VOP3 form takes clamp */
	AMD_F_OPSEL = ISA_F_VENDOR << 4,    /* VOP3 form takes op_sel (16-bit halves) */
	AMD_F_OPSELQ = ISA_F_VENDOR << 18,  /* takes op_sel, which LLVM neither shows nor assembles (ERRATA.md, "Text that hides something") */
	AMD_F_FMODS = ISA_F_VENDOR << 5,    /* sources of bit type take neg and abs (v_cndmask_b32) */
	AMD_F_MODIGN = ISA_F_VENDOR << 6,   /* neg and abs bits of non-float sources are ignored, not refused */
	AMD_F_NOE64 = ISA_F_VENDOR << 7,    /* VOP1/VOP2/VOPC row without a VOP3 form; printed without suffix */
	AMD_F_NOSDWA = ISA_F_VENDOR << 8,
	AMD_F_NODPP = ISA_F_VENDOR << 9,
	AMD_F_D16 = ISA_F_VENDOR << 10,     /* data in 16-bit halves, see the mnemonic */
	AMD_F_OFF2 = ISA_F_VENDOR << 11,    /* DS: two 8-bit offsets */
	AMD_F_GWS = ISA_F_VENDOR << 12,     /* DS: needs gds */
	AMD_F_NOGDS = ISA_F_VENDOR << 17,   /* DS: LDS only */
	AMD_F_ADDTID = ISA_F_VENDOR << 13,  /* GLOBAL: no address register */
	AMD_F_SAMP = ISA_F_VENDOR << 14,    /* MIMG: has a sampler */
	AMD_F_GATHER = ISA_F_VENDOR << 15,  /* MIMG: four results whatever dmask says */
	AMD_F_SYS = ISA_F_VENDOR << 19,     /* no part of a program: the trap handler's, the debugger's, the context switch's */
	AMD_F_LDS = ISA_F_VENDOR << 16,     /* MUBUF, GLOBAL, SCRATCH: may load into LDS */
	AMD_F_IMPLIED = ISA_F_VENDOR << 20, /* reads a scalar register that is no operand, or may set the float mode */
};

/* How an instruction reads or writes an operand's bits. Signedness is the instruction's business, not the operand's. */
enum amd_type {
	AMD_T_NONE,
	AMD_T_B16,  /* low half (or the half op_sel names) of a register */
	AMD_T_F16,
	AMD_T_B32,
	AMD_T_F32,
	AMD_T_B64,
	AMD_T_F64,
	AMD_T_PB16, /* two halves */
	AMD_T_PF16,
	AMD_T_MASK, /* one bit per lane: 1 SGPR in wave32, 2 in wave64 */
	AMD_T_MIX,  /* v_fma_mix*: F32, or the F16 half that op_sel names where op_sel_hi is set */
	AMD_T_B96,
	AMD_T_B128,
	AMD_T_B256,
	AMD_T_B512,
	AMD_T_BITS, /* any other count of dwords (image data and addresses) */
	AMD_T_COUNT
};

enum amd_kind {
	AMD_K_NONE,
	AMD_K_SGPR,    /* s[index .. index+dwords-1]; on gfx10 four or more dwords may end with s106 and s107, which are VCC */
	AMD_K_SPECIAL, /* index is enum amd_special; dwords 2 means the LO/HI pair and index is the LO one */
	AMD_K_TTMP,    /* ttmp[index ..] */
	AMD_K_VGPR,    /* v[index .. index+dwords-1] */
	AMD_K_INT,     /* inline integer: value sign-extended to 64 bits */
	AMD_K_FLOAT,   /* inline float: value holds the bits for this operand's type */
	AMD_K_LITERAL, /* 32-bit literal: value holds the bits for this operand's type */
	AMD_K_OFF,     /* "off": no address register, EXP component not written */
	AMD_K_ATTR,    /* interpolation attribute: attr and chan of the instruction */
};

/* Special registers, numbered as the hardware's source codes. */
enum amd_special {
	AMD_FLAT_SCRATCH_LO = 104, /* gfx7 only */
	AMD_FLAT_SCRATCH_HI = 105,
	AMD_VCC_LO = 106,
	AMD_VCC_HI = 107,
	AMD_TBA_LO = 108, /* gfx7 only */
	AMD_TBA_HI = 109,
	AMD_TMA_LO = 110,
	AMD_TMA_HI = 111,
	AMD_M0 = 124,
	AMD_NULL = 125, /* gfx10: reads 0, writes vanish */
	AMD_EXEC_LO = 126,
	AMD_EXEC_HI = 127,
	AMD_SHARED_BASE = 235,
	AMD_SHARED_LIMIT = 236,
	AMD_PRIVATE_BASE = 237,
	AMD_PRIVATE_LIMIT = 238,
	AMD_POPS_EXITING_WAVE_ID = 239,
	AMD_VCCZ = 251,
	AMD_EXECZ = 252,
	AMD_SCC = 253,
	AMD_LDS_DIRECT = 254,
};

enum {
	AMD_MOD_NEG = 1,
	AMD_MOD_ABS = 2, /* applied before NEG */
	AMD_MOD_SEXT = 4, /* SDWA: sign-extend the selected part */
};

/* SDWA part selects. */
enum amd_sel {
	AMD_SEL_BYTE0,
	AMD_SEL_BYTE1,
	AMD_SEL_BYTE2,
	AMD_SEL_BYTE3,
	AMD_SEL_WORD0,
	AMD_SEL_WORD1,
	AMD_SEL_DWORD,
};

/* One operand.
 *
 * value, for constants, by type:
 *   B16, F16    the 16 bits
 *   B32, F32    the 32 bits; MIX the same, f32 bits of an inline float
 *   B64, MASK   inline integer: sign-extended; inline float: f64 bits; literal: zero-extended (signed instructions
 *               sign-extend it themselves)
 *   F64         f64 bits; a literal is the high half
 *   PB16, PF16  the 32-bit pattern that the halves are picked from: inline integer sign-extended to 32 bits, inline float as
 *               f16 in the low half (PF16) or as f32 (PB16), literal as it is
 * An inline integer in a float operand is that integer's bit pattern.
 */
struct amd_opnd {
	uint8_t kind;   /* enum amd_kind */
	uint8_t type;   /* enum amd_type */
	uint8_t dwords; /* registers taken */
	uint8_t mods;   /* AMD_MOD_* */
	uint8_t sel;    /* enum amd_sel: AMD_SEL_DWORD except in SDWA */
	bool unaligned; /* SGPR number off the operand's alignment; index is rounded down (amd_inst.odd is set too) */
	uint16_t index;
	uint64_t value;
};

enum { AMD_OPNDS = 6 };
struct amd_inst {
	uint16_t op;     /* enum amd_op */
	uint8_t enc;     /* enum amd_enc: the row's */
	uint8_t form;    /* enum amd_form */
	uint8_t length;  /* bytes, literal and NSA words included */
	uint8_t wave;    /* 32 or 64 */
	uint8_t nnsa;    /* MIMG: addresses in nsa[], 0 when addr is one register range */
	bool has_literal;
	bool modified; /* some operand has modifiers, or the result (omod, clamp) */
	bool odd; /* has bits set that LLVM ignores and the text does not show: an SGPR number off its alignment (rounded
	           * down), modifiers that the operand cannot have, a FLAT offset beyond 11 bits. Lifters refuse it. */
	uint16_t scalars; /* bit n: opnd[n] is a scalar register; above AMD_OPNDS: some operand of memory is */
	uint32_t offset_in_code; /* bytes from the start of the code */
	uint32_t flags;          /* the row's */
	uint32_t literal;

	union {
		struct { struct amd_opnd dst[2], src[4]; };
		struct amd_opnd opnd[AMD_OPNDS];
	};

	/* Vector ALU modifiers */
	uint8_t omod;      /* 0 none, 1 *2, 2 *4, 3 /2 */
	bool clamp;
	uint8_t op_sel;    /* bit n: source n reads its high half (VOP3P: for the low result); bit 3: dst high half */
	uint8_t op_sel_hi; /* VOP3P: bit n: source n's half for the high result (mix: with op_sel) */
	uint8_t neg_lo;    /* VOP3P */
	uint8_t neg_hi;
	uint8_t dst_sel;    /* SDWA: enum amd_sel */
	uint8_t dst_unused; /* SDWA: 0 pad with zeros, 1 sign-extend, 2 preserve */
	uint16_t dpp_ctrl;  /* DPP16 control as encoded (9 bits) */
	uint8_t row_mask;
	uint8_t bank_mask;
	bool bound_ctrl; /* DPP16: lanes out of range read 0 */
	bool fi;         /* DPP16/DPP8: fetch from inactive lanes */
	uint32_t dpp8;   /* eight 3-bit selectors, lane 0 lowest */

	/* Interpolation */
	uint8_t attr;
	uint8_t chan;
	bool high; /* 16-bit attribute: high half */

	/* Export */
	uint8_t target; /* 0-7 mrt, 8 mrtz, 9 null, 12-16 pos, 20 prim, 32-63 param */
	uint8_t en;
	bool done, compr, vm;

	/* Scalar */
	uint16_t simm16;         /* as encoded */
	int64_t branch_target;   /* bytes from the start of the code; valid with ISA_F_BRANCH on SOPP/SOPK */

	/* Memory: instructions of the vector and scalar units and exports end here (amd_has_memory) */
	struct amd_opnd data[2];
	struct amd_opnd addr;
	struct amd_opnd sbase;   /* SMEM base, V#, T#, or FLAT SADDR */
	struct amd_opnd samp;    /* S# */
	struct amd_opnd soffset; /* scalar offset */
	int64_t offset;  /* bytes, signed where the encoding is */
	uint8_t offset0; /* DS two-address forms, as encoded */
	uint8_t offset1;
	bool offen, idxen, addr64, lds, gds;
	bool glc, slc, dlc, tfe, lwe;
	uint8_t dmask;
	uint8_t dim; /* gfx10: 0 1D, 1 2D, 2 3D, 3 CUBE, 4 1D_ARRAY, 5 2D_ARRAY, 6 2D_MSAA, 7 2D_MSAA_ARRAY */
	bool unrm, da, a16, d16, r128;
	uint8_t dfmt; /* gfx7 MTBUF */
	uint8_t nfmt;
	uint8_t format; /* gfx10 MTBUF unified format */
	uint8_t nsa[16];
};

/* Encodings with addresses, data and descriptors; the others have sources. */
static inline bool amd_has_memory(const struct amd_inst *in)
{
	return in->enc == AMD_ENC_SMRD || in->enc == AMD_ENC_SMEM || (in->enc >= AMD_ENC_DS && in->enc <= AMD_ENC_SCRATCH);
}

/* What of it is valid, bytes. */
static inline size_t amd_inst_size(const struct amd_inst *in)
{
	return amd_has_memory(in) ? sizeof *in : offsetof(struct amd_inst, data);
}

/* Decode the instruction at code[offset]. wave is 32 or 64. Returns its length in bytes, or an isa_err (then *out is
 * unspecified). Reads at most `size` bytes of code. */
int amd_decode(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset,
               struct amd_inst *out);

/* Table facts. op < AMD_OP_COUNT. */
const char *amd_mnemonic(uint32_t op);
const char *amd_encoding(uint32_t enc);
uint32_t amd_flags(uint32_t op);

/* Print a decoded instruction in LLVM 19 syntax. Always terminates text. */
void amd_print(const struct isa_cpu *cpu, const struct amd_inst *in, char *text, size_t cap);

int amd_disasm(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, char *text,
               size_t cap);

/* Guest code to IR (lift.c). */
int amd_lift(struct lift_ctx *ctx);

#endif
