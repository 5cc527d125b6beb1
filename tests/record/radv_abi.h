/* radv_abi.h: what RADV puts into which register at a shader's entry, as JSON lists "sgprs" and "vgprs". */
#ifndef RADV_ABI_H
#define RADV_ABI_H

#include <stdio.h>

#include "radv_blob.h"

void radv_abi_write(FILE *f, const struct radv_blob *b, int gfx);

#endif
