/* nv_shape.h - the shape column of nv.def: which operands are register vectors. */
#ifndef XL_NV_SHAPE_H
#define XL_NV_SHAPE_H

enum nv_shape_kind {
	S_32,     /* single registers */
	S_64,     /* pairs */
	S_DSET,   /* pairs compared into one register */
	S_MUFU,   /* single registers, the 64h functions work on the high half */
	S_CVT,    /* by NVM_DSZ and NVM_SSZ */
	S_IMAD64, /* 32 x 32 + 64 */
	S_CS2R,
	S_TEX, S_TXQ, S_TEXS,
	S_SULD, S_SULDB, S_SUST, S_SUATOM,
	S_LD, S_ST, S_LD1, S_ATOM, S_ATOMP, S_ADDR,
	S_ALD, S_AST, S_LDTRAM,
};

#endif
