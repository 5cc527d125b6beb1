/* nv_tok.h - text templates of nv.def taken apart: gen/nv_gen.c writes them, nv_print.c walks them. */
#ifndef XL_NV_TOK_H
#define XL_NV_TOK_H

#include "nv.h"

enum nv_tok {
	NVT_END,
	NVT_TEXT, /* arg bytes of the template at pos */
	NVT_SRC,  /* source arg */
	NVT_MOD,  /* the name of modifier arg */
#define TOK(name) NVT_##name,
#include "nv_tok.def"
#undef TOK
};

struct nv_token {
	uint8_t kind, arg, pos;
};

#endif
