/* nv_enc.h - the encodings of nv.def as arrays of fields: what gen/nv_gen.c, which alone includes this, makes functions of. */
#ifndef XL_NV_ENC_H
#define XL_NV_ENC_H

#include "nv.h"

/* Field kinds; struct nv_field's arg is the operand number unless said otherwise. */
enum {
	F_END,
	/* operands */
	F_D, F_DP, F_CCD, F_R, F_RV, F_P, F_PV, F_PMIX, F_NEG, F_ABS, F_NOT, F_SW, F_BR, F_BRD, F_IMM,
	F_CB, F_CX,                                     /* arg2: position of the bank or register */
	F_SWK, F_HIMM,
	F_NEGF, F_ABSF,                                 /* sm53: do not exist beside an immediate */
	/* operands whose place depends on the form */
	F_S, F_SF, F_S3, F_SF3, F_T3,                   /* sm53 */
	F_B, F_B3, F_C3, F_NEGC3, F_ABSC3, F_NOTC3, F_SWC3, F_DC, /* sm86 */
	/* the rest */
	F_M, F_MX, F_MC,                                /* arg: modifier or map; MC: len is the value */
	F_K, F_Z, F_U,                                  /* K: arg is the value */
	F_OFF, F_OFF4, F_UOFF, F_UOFF4, F_TGT, F_ATGT,  /* TGT: arg is the scale */
	F_NOGUARD,
	F_FIRST_SLOT = F_S, F_FIRST_OTHER = F_M,
};
enum { B_NONE, B_INT, B_NOT, B_FLOAT, B_HALF, B_H1, B_BYTE }; /* which modifiers share the slot at 32 */

struct nv_field {
	uint8_t kind, pos, len, arg, arg2;
};

#define D(n, p) {F_D, p, 8, n, 0}
#define DP(n, p) {F_DP, p, 3, n, 0}
#define CCD(n, p) {F_CCD, p, 1, n, 0}
#define R(n, p) {F_R, p, 8, n, 0}
#define RV(n, p) {F_RV, p, 8, n, 0}
#define A {F_R, 24, 8, 0, 0}
#define AF {F_NEG, 72, 1, 0, 0}, {F_ABS, 73, 1, 0, 0}
#define P(n, p) {F_P, p, 4, n, 0}
#define PV(n, p) {F_PV, p, 4, n, 0}
#define PMIX(n, p) {F_PMIX, p, 4, n, 0}
#define NEG(n, p) {F_NEG, p, 1, n, 0}
#define ABS(n, p) {F_ABS, p, 1, n, 0}
#define NOT(n, p) {F_NOT, p, 1, n, 0}
#define SW(n, p) {F_SW, p, 2, n, 0}
#define BR(n, p) {F_BR, p, 4, n, 0}
#define BRD(n, p) {F_BRD, p, 4, n, 0}
#define S(n) {F_S, 20, 19, n, 0}
#define SF(n) {F_SF, 20, 19, n, 0}
#define S3(n) {F_S3, 20, 19, n, 0}
#define SF3(n) {F_SF3, 20, 19, n, 0}
#define T3(n) {F_T3, 39, 8, n, 0}
#define NEGF(n, p) {F_NEGF, p, 1, n, 0}
#define ABSF(n, p) {F_ABSF, p, 1, n, 0}
#define BN(n) {F_B, 32, 32, n, B_NONE}
#define BI(n) {F_B, 32, 32, n, B_INT}
#define BX(n) {F_B, 32, 32, n, B_NOT}
#define BF(n) {F_B, 32, 32, n, B_FLOAT}
#define BH(n) {F_B, 32, 32, n, B_HALF}
#define BH1(n) {F_B, 32, 32, n, B_H1}
#define BB(n) {F_B, 32, 32, n, B_BYTE}
#define B3N(n) {F_B3, 32, 32, n, B_NONE}
#define B3I(n) {F_B3, 32, 32, n, B_INT}
#define B3X(n) {F_B3, 32, 32, n, B_NOT}
#define B3F(n) {F_B3, 32, 32, n, B_FLOAT}
#define B3H(n) {F_B3, 32, 32, n, B_HALF}
#define C3(n) {F_C3, 64, 8, n, 0}
#define NEGC3(p) {F_NEGC3, p, 1, 2, 0}
#define ABSC3(p) {F_ABSC3, p, 1, 2, 0}
#define NOTC3(p) {F_NOTC3, p, 1, 2, 0}
#define SWC3(p) {F_SWC3, p, 2, 2, 0}
#define DC(n) {F_DC, 32, 32, n, B_FLOAT}
#define M(m, p, l) {F_M, p, l, NVM_##m, 0}
#define MX(m, p, l) {F_MX, p, l, NVX_##m, 0}
#define MC(m, v) {F_MC, 0, v, NVM_##m, 0}
#define K(p, l, v) {F_K, p, l, v, 0}
#define Z(p, l) {F_Z, p, l, 0, 0}
#define U(p, l) {F_U, p, l, 0, 0}
#define CC15 {F_K, 0, 5, 15, 0}
#define OFF(p, l) {F_OFF, p, l, 0, 0}
#define OFF4(p, l) {F_OFF4, p, l, 0, 0}
#define UOFF(p, l) {F_UOFF, p, l, 0, 0}
#define UOFF4(p, l) {F_UOFF4, p, l, 0, 0}
#define TGT(p, l, s) {F_TGT, p, l, s, 0}
#define ATGT(p, l) {F_ATGT, p, l, 0, 0}
#define IMM(n, p, l) {F_IMM, p, l, n, 0}
#define IMM32(n, p) {F_IMM, p, 32, n, 0}
#define CB16(n, o, b) {F_CB, o, 16, n, b}
#define CX(n, u, o) {F_CX, o, 16, n, u}
#define SWK(n, v) {F_SWK, 0, v, n, 0}
#define HIMM(n) {F_HIMM, 20, 19, n, 0}
#define NOGUARD {F_NOGUARD, 16, 4, 0, 0}
#define NOFIELD {F_END, 0, 0, 0, 0}

enum { E_V, E_VF, E_U, E_UF, E_UM, E_UV }; /* sm86 encoding classes */
enum { F1 = 1 << 1, F2 = 1 << 2, F3 = 1 << 3, F4 = 1 << 4, F5 = 1 << 5, F6 = 1 << 6, F7 = 1 << 7 };
enum { FORM_RR, FORM_CR, FORM_IR, FORM_RC }; /* sm53 */

enum { /* maps */
#define MOD(...)
#define MAP(id, mod, ...) NVX_##id,
#include "nv_mod.def"
#undef MOD
#undef MAP
	NVX_COUNT
};

struct nv_enc {
	uint16_t op, code[4];
	uint8_t cls, forms;
	const struct nv_field *f;
};

static inline bool nv_enc_fixed(const struct nv_enc *e) /* sm86: the form is part of the opcode */
{
	return e->cls == E_VF || e->cls == E_UF || e->cls == E_UV;
}

static inline bool nv_enc_uniform(const struct nv_enc *e) /* sm86: on the uniform datapath */
{
	return e->cls == E_U || e->cls == E_UF || e->cls == E_UV || e->cls == E_UM;
}

static const struct nv_enc nv_enc53[] = {
#define INST(...)
#define E86(...)
#define E53(id, rr, cr, ir, rc, ...) {NV_##id, {rr, cr, ir, rc}, 0, 0, (const struct nv_field[]){__VA_ARGS__, NOFIELD}},
#include "nv.def"
#undef E53
#undef E86
};
static const struct nv_enc nv_enc86[] = {
#define E53(...)
#define E86(id, cls, code, forms, ...) \
	{NV_##id, {code, 0, 0, 0}, E_##cls, forms, (const struct nv_field[]){__VA_ARGS__, NOFIELD}},
#include "nv.def"
#undef E53
#undef E86
#undef INST
};

#endif
