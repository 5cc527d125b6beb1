/* Names of enums in IR text. */
#include "text.h"

#include <string.h>

#define END { NULL, 0 }
#define X(n, text) { text, STAGE_##n },
const struct text_name text_stages[] = { FACT_STAGES(X) END };
#undef X
#define X(n, text) { text, DIM_##n },
const struct text_name text_dims[] = { FACT_DIMS(X) END };
#undef X
#define X(n, text) { text, NUMERIC_##n },
const struct text_name text_numerics[] = { FACT_NUMERICS(X) END };
#undef X
#define X(n, text) { text, RES_##n },
const struct text_name text_res_kinds[] = { IR_RES_KINDS(X) END };
#undef X
#define X(n, text) { text, IR_F_##n },
const struct text_name text_flags[] = { IR_FLAGS(X) END };
#undef X
#define X(n, text) { text, SCOPE_##n },
const struct text_name text_scopes[] = { IR_SCOPES(X) END };
#undef X
#define X(n) { #n, ATOMIC_##n },
const struct text_name text_atomics[] = { IR_ATOMICS(X) END };
#undef X
#define X(n, comps) { #n, SYSVAL_##n },
const struct text_name text_sysvals[] = { IR_SYSVALS(X) END };
#undef X
const struct text_name text_image_bits[] = {
	{ "ref", IMG_REF }, { "bias", IMG_BIAS }, { "lod", IMG_LOD }, { "grad", IMG_GRAD }, { "offset", IMG_OFFSET },
	{ "minlod", IMG_MINLOD }, { "proj", IMG_PROJ }, { "query_lod", IMG_QUERY_LOD }, { "arrayed", IMG_ARRAYED },
	{ "maybe_arrayed", IMG_MAYBE_ARRAYED }, { "moved", IMG_MOVED }, END
};
const struct text_name text_spaces[] = { { "shared", 1 }, { "device", 2 }, { "image", 4 }, END };
const struct text_name text_interps[] = {
	{ "smooth", INTERP_SMOOTH }, { "noperspective", INTERP_NOPERSPECTIVE }, { "flat", INTERP_FLAT }, { "vertices", INTERP_VERTICES }, END
};
const struct text_name text_mades[] = {
	{ "weights", MADE_WEIGHTS }, { "vertex0", MADE_VERTEX0 }, { "vertex1", MADE_VERTEX1 }, { "vertex2", MADE_VERTEX2 }, END
};
const struct text_name text_interp_ats[] = {
	{ "center", INTERP_CENTER }, { "centroid", INTERP_CENTROID }, { "sample", INTERP_SAMPLE }, END
};

const char *text_name(const struct text_name *list, unsigned value)
{
	for (; list->name; list++)
		if (list->value == value)
			return list->name;
	return NULL;
}

bool text_find(const struct text_name *list, const char *text, size_t n, unsigned *value)
{
	for (; list->name; list++)
		if (strlen(list->name) == n && !memcmp(list->name, text, n)) {
			*value = list->value;
			return true;
		}
	return false;
}

enum text_sub text_sub(enum ir_op op)
{
	switch (op) {
	case IR_sysval:
		return SUB_SYSVAL;
	case IR_atptr:
	case IR_atbuf:
	case IR_atshared:
	case IR_iatomic:
		return SUB_ATOMIC;
	case IR_isample:
	case IR_igather:
	case IR_iload:
	case IR_istore:
		return SUB_IMAGE;
	case IR_barrier:
		return SUB_BARRIER;
	default:
		return SUB_NUMBER;
	}
}
