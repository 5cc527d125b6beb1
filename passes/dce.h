/* dce.h - what is needed, for the passes that put values in the place of others and at once drop what is left. */
#ifndef XL_DCE_H
#define XL_DCE_H

#include "pass.h"

struct dce {
	struct ir_fn *fn;
	ir_id *map;     /* NULL, or as of ir_map_new: applied to the operands of what is needed */
	uint8_t *asked; /* with a map: NULL, or per id 1 for what had another put in its place other than as the old value of a select */
	bool registers; /* the registers' markers are needed as long as there are any */
	uint8_t *live;  /* per id, constants too: 1 when something that must stay needs it */
	ir_id *work;    /* live and walked past, but their operands were not looked at */
	ir_id *dead;    /* what is not needed, as it stands, last first */
	uint32_t ndead;
	bool revived;   /* a phi of a loop came to need what the walk had met and called dead */
};

/* Fills `live` and `dead`, and notes anew which ops there are (fn->has), as if what is not live were gone. */
void dce_mark(struct dce *, struct arena *scratch);
bool dce_remove(struct dce *); /* once: what is dead (of fn, dead, ndead); false: nothing */
enum pass_result dce_run(struct pass_ctx *); /* all of it */

#endif
