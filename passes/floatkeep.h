/* floatkeep.h - operations that keep denormals whatever the host does with them: by their bits, or in a wider
 * format. */
#ifndef XL_FLOATKEEP_H
#define XL_FLOATKEEP_H

#include "../ir/ir.h"

struct floatkeep {
	struct ir_fn *fn;
	ir_id *wide; /* per value of 16 bits, the caller's, zeroed: itself as f32, where one was made last */
	uint32_t n;  /* values in `wide` */
};

/* Is the operation a choice among its operands' bits (minima, clamps, signs, comparisons)? Then there is code for it in
 * each width. */
bool floatkeep_by_bits(const struct ir_fn *, ir_id);

/* Is it scalar arithmetic in 16 bits, or a conversion from or to them, that 32 bits give exactly? */
bool floatkeep_by_width(const struct ir_fn *, ir_id);

/* The code of one of those, before it: returns what its uses are to get. The operation stays. */
ir_id floatkeep_make(struct floatkeep *, ir_id);

#endif
