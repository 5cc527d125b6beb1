/* xlp_spirv.h - a SPIR-V module in a form that compresses well: like goes with like.
 *
 * Opcodes and lengths, types, operands, literals and ids become streams of their own, in numbers that repeat: an operand is how
 * many results ago it was made, or how recently a constant was used; ids are what is left when their usual order is taken
 * away. Nothing is lost: what comes back are the same words, for any input that it takes. It knows no more of SPIR-V than
 * xlp_spirv.def, and does not care whether a module is valid.
 */
#ifndef XL_XLP_SPIRV_H
#define XL_XLP_SPIRV_H

#include "buf.h"

enum xlp_stream { XLP_OPS, XLP_LENGTHS, XLP_TYPES, XLP_IDS, XLP_LABELS, XLP_LITERALS, XLP_CONSTANTS, XLP_NUMBERS, XLP_STREAMS };

/* The patterns of xlp_spirv.def: their letters, how many, and where those begin that are repeated; words at least, and whether
 * their number varies; which word is the result, counted from 1, or 0. The rows of the small opcodes, and the row before with the
 * same one. */
enum { CODE_ROWS = 255, CODE_OPS = 512, CODE_LETTERS = 12, CODE_PATTERNS = 80 };
struct xlp_row { uint32_t word /* an instruction's first, of its least length */, way /* its pattern, or another way */; };
struct xlp_rows {
	bool ready;
	struct xlp_row row[CODE_ROWS + 1];
	char text[CODE_PATTERNS][CODE_LETTERS];
	uint8_t end[CODE_PATTERNS], group[CODE_PATTERNS], fixed[CODE_PATTERNS], varies[CODE_PATTERNS], result[CODE_PATTERNS],
		of[CODE_OPS], other[CODE_ROWS];
};

/* Memory that is kept from one module to the next: one thread's. All zeros is a new one. */
struct xlp_spirv {
	struct xlp_rows rows;
	uint32_t *memory;
	size_t words; /* of memory */
	struct buf stream[XLP_STREAMS];
};
void xlp_spirv_free(struct xlp_spirv *);
/* Appends to *out. 0; 1: no module that this form can hold, *out is as it was; -1: out of memory. */
int xlp_spirv_pack(struct xlp_spirv *, const uint32_t *words, size_t n, struct buf *out);
/* The n words that were packed. 0; -1: the bytes are no such module, or out of memory. Behind the bytes there are
 * XLP_SPIRV_ROOM(n) others that may be read; what they are does not matter. */
#define XLP_SPIRV_ROOM(n) (64 + (size_t)(n) * 10)
int xlp_spirv_unpack(struct xlp_spirv *, const uint8_t *bytes, size_t size, uint32_t *words, size_t n);

#endif
