/* isa.h - the interface that every guest ISA implements, and the shared shape of instruction tables.
 *
 * One instruction table (.def) per vendor is the only truth about that vendor's encodings. The decoder, the disassembler,
 * the coverage report and the lifter's dispatch all expand the same rows:
 *
 *     INST(mnemonic, ENCODING, <opcode column per generation, or NA>, operand format, lifter, flags)
 *
 * - mnemonic   base name as printed, without encoding suffix
 * - ENCODING   instruction class (SOP2, VOP3, LDG, ...): fixes length, fields and operand positions
 * - columns    opcode of each generation, NA where it lacks the instruction
 * - format     names a row of the vendor's operand-format table (widths, types, which fields are present)
 * - lifter     lift_<unit>_<what>, or NULL: decoded and printed, refused with DIAG_UNLIFTED when translated
 * - flags      ISA_F_* below, or-ed with the vendor's own
 *
 * Decoded instructions are private to a vendor; this vtable is all that the rest of the library sees.
 */
#ifndef XL_ISA_H
#define XL_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lift_ctx; /* lift.h */

/* Row flags shared by all vendors. */
enum {
	ISA_F_BRANCH = 1 << 0,  /* may change the program counter */
	ISA_F_END = 1 << 1,     /* control never falls through */
	ISA_F_LOAD = 1 << 2,
	ISA_F_STORE = 1 << 3,
	ISA_F_ATOMIC = 1 << 4,
	ISA_F_FLOAT = 1 << 5,
	ISA_F_VENDOR = 1 << 8,  /* first bit free for a vendor */
};

/* Why a word sequence is not an instruction. Negative, so that a length and an error share an int. */
enum isa_err {
	ISA_E_INVALID = -1,   /* no such encoding on this cpu */
	ISA_E_TRUNCATED = -2, /* the code ends inside the instruction */
};

/* One hardware variant: "gfx700", "gfx1010", "gfx1013", "gfx1030", "sm53", "sm86". */
struct isa_cpu {
	const char *name;
	uint32_t column; /* opcode column in the vendor's table */
	uint32_t waves;  /* bit set of supported wave sizes: 32 | 64 */
};

/* One row of a table, for coverage reports. */
struct isa_row {
	const char *mnemonic;
	const char *encoding;
	uint32_t flags;
	bool present; /* on the cpu asked for */
	bool lifted;
	bool executed; /* by a test that compares its results (fixtures/isa/<isa>/executed.txt) */
};

/* Where control goes behind an instruction: for drawings, the lifters find it out for themselves. */
enum isa_flow_kind {
	ISA_FLOW_NEXT,     /* to the next instruction only */
	ISA_FLOW_JUMP,     /* to target */
	ISA_FLOW_CALL,     /* to target, and back */
	ISA_FLOW_PUSH,     /* on, with target on the control stack (sm53: ssy, pbk, pcnt) */
	ISA_FLOW_POP,      /* to the newest target of `stack` (sync, brk, cont) */
	ISA_FLOW_END,
	ISA_FLOW_INDIRECT, /* to an address in registers, or back from a call */
};
struct isa_flow {
	enum isa_flow_kind kind;
	bool falls;        /* control may go on behind it */
	uint8_t stack;     /* PUSH, POP: 0 ssy, 1 pbk, 2 pcnt */
	int64_t target;    /* byte offset in the code, may lie outside */
};

struct isa {
	const char *name;           /* "gfx10", "gfx7", "sm86", "sm53" */
	const struct isa_cpu *cpus; /* default first, ends with name == NULL */
	uint32_t word;              /* bytes of a guest word as counted by reports: 4 (AMD), 8 (sm53), 16 (sm86) */

	uint32_t stages;            /* that are lifted: bit s for enum fact_stage s */

	/* Print the instruction at code[offset] as one line without newline. Returns its length in bytes (what to add to
	 * offset) or an isa_err, when text holds "". `wave` is 32 or 64. On sm53 an offset at a control word is an error:
	 * use `next` to step. text is always terminated. */
	int (*disasm)(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, char *text,
	              size_t cap);

	/* First instruction offset at or after `offset` (skips sm53 control words), or size. */
	size_t (*next)(const uint8_t *code, size_t size, size_t offset);

	/* Length in bytes or an isa_err, as disasm. */
	int (*flow)(const struct isa_cpu *cpu, uint32_t wave, const uint8_t *code, size_t size, size_t offset, struct isa_flow *);

	/* Row i of the table as seen by cpu, false past the end. */
	bool (*row)(const struct isa_cpu *cpu, size_t i, struct isa_row *out);

	/* Guest code of such a stage to IR. 0, or -1 after a diagnostic. */
	int (*lift)(struct lift_ctx *);
};

extern const struct isa isa_gfx10, isa_gfx7, isa_sm86, isa_sm53;

/* ISA i, NULL past the last. */
const struct isa *isa_at(size_t i);
/* By ISA name ("gfx10") or cpu name ("gfx1030", "sm86"); *cpu gets the default or the named one. NULL when unknown. */
const struct isa *isa_find(const char *name, const struct isa_cpu **cpu);

#endif
