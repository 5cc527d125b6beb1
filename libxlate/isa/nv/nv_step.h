/* nv_step.h - forms of encodings taken apart: gen/nv_gen.c writes them into nv_index.inc, nv_dec.c follows them.
 *
 * A form is an encoding with one kind of second operand. A word is of the form when its own bits are as they must be and
 * all its steps say yes. A step takes `len` bits at `pos` of the word to the byte offset `at` of the instruction.
 */
#ifndef XL_NV_STEP_H
#define XL_NV_STEP_H

#include "nv.h"

struct nv_step {
	uint8_t pos, len;
	uint16_t at;
	uint8_t x, y;
	uint16_t valid; /* bit v: v may stand there; all bits: so may larger numbers */
};

/* A form's steps stand behind each other, by what they do: */
enum {
	STEP_OPERAND, /* kind x, width y, the bits are the register */
	STEP_WORD,    /* the bits, moved up by x, are added to 32 bits; taken away when y */
	STEP_BYTE,    /* the bits and x are a byte */
	STEP_OTHER,   /* x says what */
	STEP_KINDS
};
enum {
	STEP_EITHER,   /* no bit is set, or those of y are */
	STEP_MAP,      /* a modifier through map y of nv_mod.def */
	STEP_CARRY,    /* a set bit: the operand is the carry flag */
	STEP_BANK,     /* a bank in a uniform register has no number, and only such a bank has a register */
	STEP_TARGET,   /* a branch's target from the next instruction on, in units of 2^y bytes */
	STEP_ABSOLUTE, /* from the start */
};

struct nv_form {
	uint16_t op, step;         /* enum nv_op; its first step */
	bool uniform;              /* on the uniform datapath */
	uint8_t count[STEP_KINDS];
	uint64_t mask[2], value[2]; /* its own bits */
};

/* The index is by these top (sm53) and low (sm86) bits of a word. */
enum { NV_KEY53 = 13, NV_KEY86 = 12 };

enum { /* maps */
#define MOD(...)
#define MAP(id, mod, ...) NVX_##id,
#include "nv_mod.def"
#undef MOD
#undef MAP
	NVX_COUNT
};

#endif
