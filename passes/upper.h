/* upper.h - an upper bound of a word by what it is computed from (upper.c). */
#ifndef XL_UPPER_H
#define XL_UPPER_H

#include "pass.h"

/* Of an unsigned value of up to 32 bits; `depth` instructions are looked at on each way up, at most. */
uint64_t upper_word(const struct ir_fn *, ir_id v, unsigned depth);

#endif
