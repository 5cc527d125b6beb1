/* radv_json.h: the record of a built pipeline (the pipeline form that `xlate import` reads) and its code files. */
#ifndef RADV_JSON_H
#define RADV_JSON_H

#include "radv_blob.h"
#include "radv_build.h"

enum { RADV_DRAW_ARGS = 16 };

struct radv_record {
	const char *prefix; /* PREFIX.json, PREFIX.STAGE.bin and, with listings, PREFIX.STAGE.asm */
	const char *files[RADV_STAGES];
	const char *expected; /* executor's result line for the original modules, or NULL */
	bool listings, linked;
	const char *args[RADV_DRAW_ARGS]; /* what the executor's command has beside the modules */
	int nargs;
};

/* Writes the files; returns the number of executables without machine code in the cache. */
int radv_json_write(struct radv_device *d, const struct radv_build *b, const struct radv_blobs *blobs,
		    const struct radv_record *r);

#endif
