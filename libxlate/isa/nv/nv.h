/* nv.h - decoded NVIDIA instructions, shared by sm53 (Maxwell, 64-bit words) and sm86 (Ampere, 128-bit words).
 *
 * nv.def is the only truth about encodings: a row per instruction (INST) with its text template, shape and lifter,
 * followed by the encodings of each chip (E53, E86), each a list of bit fields. What an encoding does not list must be
 * zero, so an unknown bit is refused and never ignored. Hardware facts: public work of envytools, nouveau and Mesa's
 * NAK, checked against recorded listings (see ERRATA.md).
 */
#ifndef XL_NV_H
#define XL_NV_H

#include "../isa.h"

enum { NV_SM53, NV_SM86 }; /* isa_cpu.column */

/* Instructions: NV_FADD, ... */
enum nv_op {
#define INST(id, name, text, shape, lifter, flags) NV_##id,
#define E53(...)
#define E86(...)
#include "nv.def"
#undef INST
#undef E53
#undef E86
	NV_OP_COUNT
};

/* Modifiers: in->m[NVM_FTZ]. Values are the same on both chips; nv_mod.def gives their names. */
enum nv_mod {
#define MOD(id, ...) NVM_##id,
#define MAP(...)
#include "nv_mod.def"
#undef MOD
#undef MAP
	NVM_COUNT
};

/* Modifier values that the lifter tests. */
enum { NV_RE, NV_RM, NV_RP, NV_RZ };                                     /* NVM_RND */
enum { NV_AND, NV_OR, NV_XOR, NV_PASSB };                                /* NVM_SETOP, NVM_LOP */
enum { NV_MEM_U8, NV_MEM_I8, NV_MEM_U16, NV_MEM_I16, NV_MEM_B32, NV_MEM_B64, NV_MEM_B128 }; /* NVM_MEM */
enum { NV_WEAK, NV_CONSTANT, NV_STRONG_CTA, NV_STRONG_GPU, NV_STRONG_SYS, NV_ORDER_UNSET }; /* NVM_ORDER */
enum { NV_T_U32, NV_T_I32, NV_T_U64, NV_T_F32, NV_T_F16X2, NV_T_I64, NV_T_F64 }; /* NVM_ATYPE */
enum { NV_A_ADD, NV_A_MIN, NV_A_MAX, NV_A_INC, NV_A_DEC, NV_A_AND, NV_A_OR, NV_A_XOR, NV_A_EXCH }; /* NVM_AOP */
enum { NV_1D, NV_A1D, NV_2D, NV_A2D, NV_3D, NV_CUBE, NV_ACUBE };         /* NVM_DIM */
enum { NV_LOD_AUTO, NV_LOD_ZERO, NV_LOD_BIAS, NV_LOD_LOD, NV_LOD_CLAMP, NV_LOD_BIAS_CLAMP }; /* NVM_LOD */
enum { NV_SCOPE_CTA, NV_SCOPE_GPU, NV_SCOPE_SYS };                       /* NVM_SCOPE */
enum { NV_IPA_PASS, NV_IPA_PASS_MUL_W, NV_IPA_CONSTANT, NV_IPA_STATE };  /* NVM_IPA */
enum { NV_SHFL_IDX, NV_SHFL_UP, NV_SHFL_DOWN, NV_SHFL_BFLY };            /* NVM_SHFL */

enum nv_kind {
	NVK_NONE,  /* absent */
	NVK_REG,   /* GPR; index 255 is zero, or "discard" as destination */
	NVK_UREG,  /* uniform register; index 63 is zero */
	NVK_PRED,  /* predicate; index 7 is true, or "discard" */
	NVK_UPRED, /* uniform predicate; index 7 as above */
	NVK_CC,    /* the carry flag of sm53 */
	NVK_BAR,   /* convergence barrier b0..b15 */
	NVK_IMM,   /* value: the 32 bits that the operation sees (f64: the high half) */
	NVK_CBUF,  /* c[bank][value], or cx[ureg pair index][value] when bindless */
};
enum { NV_RZ_REG = 255, NV_RZ_UREG = 63, NV_PT = 7 };

struct nv_opnd {
	uint8_t kind;      /* enum nv_kind */
	uint8_t index;     /* register; bindless: the uniform register pair */
	uint8_t width;     /* consecutive 32-bit registers, 1 by default */
	uint8_t bank;      /* NVK_CBUF */
	bool bindless;
	bool neg, abs;     /* abs before neg */
	bool inv;          /* bitwise or boolean not */
	uint8_t swz;       /* f16 pairs: 0 as it is, 1 one f32, 2 low half twice, 3 high half twice */
	uint32_t value;
};

enum { NV_MAX_DST = 3, NV_MAX_SRC = 5 };

struct nv_inst {
	uint16_t op;             /* enum nv_op */
	uint8_t chip;            /* NV_SM53, NV_SM86 */
	bool uniform;            /* executed once per wave on the uniform datapath */
	uint8_t len;             /* bytes: 8 or 16 */
	uint32_t offset;         /* byte offset in the code */
	struct nv_opnd guard;    /* PRED or UPRED, index 7 not inverted: always */
	struct nv_opnd dst[NV_MAX_DST];
	struct nv_opnd src[NV_MAX_SRC];
	uint8_t m[NVM_COUNT];
	int32_t imm;             /* memory and attribute byte offset, system value number, texture binding */
	int64_t target;          /* branches: byte offset in the code, may lie outside */
};

struct nv_row {
	const char *name, *text;
	uint8_t shape;           /* how many registers the operands span: nv_shape.c */
	uint32_t flags;          /* ISA_F_* */
};
extern const struct nv_row nv_rows[NV_OP_COUNT];

/* Forms of encodings are found by these top (sm53) and low (sm86) bits of a word. */
enum { NV_KEY53 = 13, NV_KEY86 = 12 };

/* Decode the instruction at code[offset]. Its length in bytes, or an isa_err. sm53: a control word is ISA_E_INVALID. */
int nv_decode(const struct isa_cpu *cpu, const uint8_t *code, size_t size, size_t offset, struct nv_inst *in);

/* First instruction at or after offset: skips control words on sm53 (one at every multiple of 32 bytes). */
size_t nv53_next(const uint8_t *code, size_t size, size_t offset);

/* Is there an encoding of `op` on this chip? */
bool nv_has(unsigned chip, unsigned op);

/* Fill operand widths from the shape and the modifiers. False when they contradict each other. */
bool nv_shape(struct nv_inst *in);

/* Print one line. text is always terminated. */
void nv_print(const struct nv_inst *in, char *text, size_t cap);

/* Modifier name as printed, "" when it prints nothing, NULL when the value does not exist. */
const char *nv_mod_name(unsigned mod, unsigned value);

int nv_lift(struct lift_ctx *ctx);

#endif
