/* radv_stats.h: what the driver says about modules that it compiles: the cost of a translation in the guest's own terms. */
#ifndef RADV_STATS_H
#define RADV_STATS_H

#include "radv_build.h"

/* Prints `NAME<tab>{"STAGE":{"Instructions":N, ...}, ...}`; STAGE as records name it. */
void radv_stats_print(struct radv_device *d, const struct radv_build *b, const char *name);

#endif
