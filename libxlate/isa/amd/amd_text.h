/* amd_text.h - what the parts of the AMD printer share. Internal to isa/amd. */
#ifndef XL_AMD_TEXT_H
#define XL_AMD_TEXT_H

#include "../../textbuf.h"
#include "amd_table.h"

struct amd_text {
	struct textbuf out;
	const struct isa_cpu *cpu;
	const struct amd_inst *in;
	const struct amd_row *row;
	const struct amd_format *format;
	bool gfx10;
};

#define amd_text_put(t, ...) textbuf_form(&(t)->out, __VA_ARGS__)

/* An operand without its modifiers. */
void amd_text_opnd(struct amd_text *t, const struct amd_opnd *o);

/* simm16 of SOPK and SOPP, as its shape wants it, without leading space. */
void amd_simm_print(struct amd_text *t);

/* Operands and modifiers of a memory or export instruction, from the first space on. */
void amd_memtext_print(struct amd_text *t);

#endif
