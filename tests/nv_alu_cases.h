/* nv_alu_cases.h - the instructions of nv_alu_test.c. */
#ifndef NV_ALU_CASES_H
#define NV_ALU_CASES_H

#include "nv_alu_ref.h"

/* ---- sm86 */
static void cases86_logic(void)
{
	uint64_t w[2];

	for (unsigned lut = 0; lut < 256; lut++) {
		alu86(w, 0x012, 1, 10, 1, 2, 3);
		put(w, 72, 8, lut);
		put(w, 81, 3, 7);
		put(w, 87, 4, 15);
		check("lop3", true, w, ref_lop3, lut, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x012, 4, 10, 1, 0x12345678, 255);
		put(w, 72, 8, lut);
		put(w, 81, 3, 7);
		put(w, 87, 4, 15);
		check("lop3 imm", true, w, ref_lop3z, lut, NO_R11 | NO_P0 | NO_P1);
		fixed86(w, 0x81c);
		put(w, 16, 8, lut ^ 0xff);
		put(w, 64, 3, lut & 7);
		put(w, 72, 5, lut >> 3);
		put(w, 68, 3, 7);
		put(w, 77, 3, 3);
		put(w, 87, 3, 2);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		check("plop3", true, w, ref_plop3, lut, NO_R11);
	}
	for (unsigned i = 0; i < 64; i++) {
		unsigned sel = (unsigned)rnd() & 0xffff;

		alu86(w, 0x016, 4, 10, 1, sel, 3);
		check("prmt imm", true, w, ref_prmt_imm, sel, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x016, 1, 10, 1, 2, 3);
		check("prmt", true, w, ref_prmt, 0, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 32; k++)
		for (unsigned s = 0; s < 70; s++) {
			alu86(w, 0x019, s < 65 ? 4 : 1, 10, 1, s < 65 ? s : 2, 3);
			put(w, 73, 2, k & 3);
			put(w, 75, 1, k >> 2 & 1);
			put(w, 76, 1, k >> 3 & 1);
			put(w, 80, 1, k >> 4 & 1);
			check("shf", true, w, ref_shf, s < 65 ? k | s << 8 : k | 32, NO_R11 | NO_P0 | NO_P1);
		}
}

static void cases86_int(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 4; k++) {
		for (unsigned x = 0; x < 2; x++) {
			alu86(w, 0x010, 1, 10, 1, 2, x || k == 1 ? 255 : 3);
			put(w, 72, 1, !x && k == 2);
			put(w, 63, 1, x ? k & 1 : k == 1);
			put(w, 74, 1, x);
			put(w, 77, 4, 15);
			put(w, 87, 4, x ? 2 : 15);
			put(w, 81, 3, k == 2 && !x ? 7 : 0);
			put(w, 84, 3, (k == 2 || k == 1) && !x ? 7 : 1);
			if (k < 3)
				check(x ? "iadd3.x" : "iadd3", true, w, x ? ref_iadd3x : ref_iadd3, x ? k & 1 : k,
				      NO_R11 | (k == 2 && !x ? NO_P0 : 0) | (k && !x ? NO_P1 : 0));
		}
		alu86(w, 0x024, 1, 10, 1, 2, 3);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		check("imad", true, w, ref_imad, 0, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x025, 1, 10, 1, 2, 3);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		check("imad64", true, w, ref_imad64, k & 1, NO_P0 | NO_P1);
		alu86(w, 0x017, 1, 10, 1, 2, 0);
		put(w, 73, 1, k & 1);
		put(w, 87, 3, 2);
		check("imnmx", true, w, ref_imnmx, k & 1, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x01b, 1, 10, 1, 2, 0);
		put(w, 75, 1, k & 1);
		check("bmsk", true, w, ref_bmsk, k & 1, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x109, 1, 10, 0, 1, 0);
		put(w, 63, 1, k & 1);
		check("popc", true, w, ref_popc, k & 1, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 128; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu86(w, 0x00c, 1, 0, 1, 2, 0);
		put(w, 68, 3, 3);
		put(w, 72, 1, k >> 6 & 1);
		put(w, 73, 1, k >> 3 & 1);
		put(w, 74, 2, k >> 4 & 3);
		put(w, 76, 3, k & 7);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		put(w, 87, 3, 2);
		check("isetp", true, w, ref_isetp, k, NO_R11);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu86(w, 0x100, 1, 10, 0, 1, 0);
		put(w, 81, 3, 7);
		put(w, 73, 1, k & 1);
		put(w, 74, 1, k >> 1 & 1);
		put(w, 63, 1, k >> 2);
		check("flo", true, w, ref_flo, k, NO_R11 | NO_P0 | NO_P1);
	}
	alu86(w, 0x101, 1, 10, 0, 1, 0);
	check("brev", true, w, ref_brev, 0, NO_R11 | NO_P0 | NO_P1);
	alu86(w, 0x013, 1, 10, 0, 1, 0);
	check("iabs", true, w, ref_iabs, 0, NO_R11 | NO_P0 | NO_P1);
	alu86(w, 0x007, 1, 10, 1, 2, 0);
	put(w, 87, 3, 2);
	check("sel", true, w, ref_sel, 0, NO_R11 | NO_P0 | NO_P1);
}

static void cases86_float(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 64; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu86(w, 0x00b, 1, 0, 1, 2, 0);
		put(w, 74, 2, k >> 4 & 3);
		put(w, 76, 4, k & 15);
		put(w, 81, 3, 0);
		put(w, 84, 3, 1);
		put(w, 87, 3, 2);
		check("fsetp", true, w, ref_fsetp, k, NO_R11);
		alu86(w, 0x00a, 1, 10, 1, 2, 0);
		put(w, 76, 4, k & 15);
		put(w, 87, 3, 7);
		check("fset", true, w, ref_fset, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu86(w, 0x021, 1, 10, 1, 2, 0);
		put(w, 62, 2, 3);
		put(w, 77, 1, k & 1);
		check("fadd", true, w, ref_fadd, k & 1, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x020, 1, 10, 1, 2, 255);
		put(w, 84, 3, 4);
		check("fmul", true, w, ref_fmul, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x023, 1, 10, 1, 2, 3);
		put(w, 75, 1, 1);
		check("ffma", true, w, ref_ffma, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x009, 1, 10, 1, 2, 255);
		put(w, 87, 3, 2);
		check("fmnmx", true, w, ref_fmnmx, 0, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x105, 1, 10, 0, 1, 0);
		put(w, 72, 1, k & 1);
		put(w, 75, 2, 2);
		put(w, 78, 2, k >> 1);
		put(w, 84, 2, 2);
		check("f2i", true, w, ref_f2i, k, NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x106, 1, 10, 0, 1, 0);
		put(w, 74, 1, k & 1);
		put(w, 75, 2, 2);
		put(w, 84, 2, 2);
		check("i2f", true, w, ref_i2f, k & 1, F32 | NO_R11 | NO_P0 | NO_P1);
		alu86(w, 0x107, 1, 10, 0, 1, 0);
		put(w, 75, 2, 2);
		put(w, 78, 2, k & 3);
		put(w, 84, 2, 2);
		check("frnd", true, w, ref_frnd, k & 3, F32 | NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases86_half(void)
{
	static const unsigned ops[] = {0x030, 0x032, 0x031}, swz[] = {0, 2, 3};
	uint64_t w[2];

	for (unsigned k = 0; k < 27; k++) {
		unsigned op = k % 3, sa = swz[k / 3 % 3], sb = swz[k / 9];

		alu86(w, ops[op], 1, 10, 1, 2, op == 2 ? 3 : 0);
		put(w, 74, 2, sa);
		put(w, 60, 2, sb);
		check("half86", true, w, ref_half, op | sa << 2 | sb << 4, HALF | NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases86(void)
{
	cases86_half();
	cases86_logic();
	cases86_int();
	cases86_float();
}

/* ---- sm53 */
static void r53(uint64_t w[2], unsigned op, unsigned pos, unsigned reg)
{
	(void)op;
	put(w, pos, 8, reg);
}

static void cases53_int(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 2; k++) {
		alu53(w, 0x5c10, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 47, 1, 1);
		put(w, 48, 1, k);
		check("iadd2", false, w, ref_iadd2, k, CARRY | NO_P0 | NO_P1);
		alu53(w, 0x5c08, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 40, 1, k);
		check("popc", false, w, ref_popc, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c48, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k);
		check("shl", false, w, ref_shl, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c18, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 5, 3 + k);
		check("iscadd", false, w, ref_iscadd, 3 + k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c20, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 48, 1, k);
		check("imnmx", false, w, ref_imnmx, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu53(w, 0x5c38, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, k);
		check("imul", false, w, ref_imul, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c30, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 40, 1, k >> 2);
		put(w, 41, 1, k >> 1 & 1);
		put(w, 48, 1, k & 1);
		check("flo", false, w, ref_flo, k, NO_R11 | NO_P0 | NO_P1);
		if (k > 3)
			continue;
		alu53(w, 0x5c00, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 48, 1, k & 1);
		put(w, 40, 1, k >> 1);
		check("bfe", false, w, ref_bfe, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5c28, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k & 1);
		put(w, 48, 1, k >> 1);
		check("shr", false, w, ref_shr, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 16; k++) {
		alu53(w, 0x5c40, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 1, k >> 2 & 1);
		put(w, 40, 1, k >> 3);
		put(w, 41, 2, k & 3);
		put(w, 48, 3, 7);
		check("lop2", false, w, ref_lop2, k, NO_R11 | NO_P0 | NO_P1);
		if ((k & 3) == 3 || k >> 2 == 3)
			continue;
		alu53(w, 0x5090, 0, 0);
		put(w, 0, 3, 1);
		put(w, 3, 3, 0);
		put(w, 8, 8, 0);
		put(w, 12, 3, 2);
		put(w, 29, 3, 3);
		put(w, 39, 4, 3 | 8);
		put(w, 24, 2, k & 3);
		put(w, 45, 2, k >> 2);
		check("psetp", false, w, ref_psetp, k, NO_R11);
	}
	alu53(w, 0x5bf0, 10, 1);
	r53(w, 0, 20, 2);
	r53(w, 0, 39, 3);
	check("bfi", false, w, ref_bfi, 0, NO_R11 | NO_P0 | NO_P1);
	alu53(w, 0x5bc0, 10, 1);
	r53(w, 0, 20, 2);
	r53(w, 0, 39, 3);
	check("prmt", false, w, ref_prmt, 0, NO_R11 | NO_P0 | NO_P1);
}

static void cases53_more(void)
{
	uint64_t w[2];

	for (unsigned k = 0; k < 320; k++) {
		if (k >> 6 == 3)
			continue;
		alu53(w, 0x5b00, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 36, 2, k & 3);
		put(w, 53, 1, k >> 2 & 1);
		put(w, 35, 1, k >> 3 & 1);
		put(w, 48, 2, k >> 4 & 3);
		put(w, 50, 3, k >> 6);
		check("xmad", false, w, ref_xmad, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 128; k++) {
		if ((k >> 4 & 3) == 3)
			continue;
		alu53(w, 0x5b50, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 44, 1, k >> 6);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 1, k >> 3 & 1);
		put(w, 49, 3, k & 7);
		check("iset", false, w, ref_iset, k, NO_R11 | NO_P0 | NO_P1);
		if (k >= 64)
			continue;
		alu53(w, 0x5b60, 0, 1);
		put(w, 0, 3, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 1, k >> 3 & 1);
		put(w, 49, 3, k & 7);
		check("isetp", false, w, ref_isetp, k, NO_R11);
		alu53(w, 0x5bb0, 0, 1);
		put(w, 0, 3, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 3, 2);
		put(w, 45, 2, k >> 4 & 3);
		put(w, 48, 4, k & 15);
		check("fsetp", false, w, ref_fsetp, k, NO_R11);
		if (k >= 16)
			continue;
		alu53(w, 0x5b40, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 48, 1, k >> 3);
		put(w, 49, 3, k & 7);
		check("icmp", false, w, ref_icmp, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 8; k++) {
		alu53(w, 0x5cb0, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, 2);
		put(w, 10, 2, 2);
		put(w, 12, 1, k & 1);
		put(w, 39, 2, k >> 1);
		check("f2i", false, w, ref_f2i, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5ca8, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, 2);
		put(w, 10, 2, 2);
		put(w, 39, 2, k & 3);
		put(w, 42, 1, 1);
		check("f2f.int", false, w, ref_frnd, k & 3, F32 | NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5980, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 49, 1, 1);
		check("ffma", false, w, ref_ffma, 0, F32 | NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 3; k++) {
		alu53(w, 0x5ce0, 10, 0);
		r53(w, 0, 20, 1);
		put(w, 8, 2, k == 2 ? 1 : 2);
		put(w, 10, 2, k == 0 ? 1 : k == 1 ? 0 : 2);
		put(w, 12, 1, k == 0);
		put(w, 13, 1, k != 1);
		put(w, 49, 1, k == 2);
		check("i2i", false, w, ref_i2i, k, NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases53_new(void)
{
	static const unsigned ops[] = {0x5d10, 0x5d08, 0x5d00}, swz[] = {0, 2, 3};
	uint64_t w[2];

	for (unsigned k = 0; k < 27; k++) {
		unsigned op = k % 3, sa = swz[k / 3 % 3], sb = swz[k / 9];

		alu53(w, ops[op], 10, 1);
		r53(w, 0, 20, 2);
		if (op == 2)
			r53(w, 0, 39, 3);
		put(w, 47, 2, sa);
		put(w, 28, 2, sb);
		check("half53", false, w, ref_half, op | sa << 2 | sb << 4, HALF | NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 1024; k += 7) {
		alu53(w, 0x5be0, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 28, 8, k & 255);
		put(w, 36, 2, k >> 8);
		put(w, 48, 3, 0);
		check("lop3", false, w, ref_lop3p, k, NO_R11 | NO_P1);
	}
	for (unsigned k = 0; k < 256; k++) {
		if ((k & 3) == 3 || (k >> 2 & 3) == 3 || (k >> 4 & 3) == 3)
			continue;
		alu53(w, 0x5cc0, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 35, 2, k & 3);
		put(w, 33, 2, k >> 2 & 3);
		put(w, 31, 2, k >> 4 & 3);
		put(w, 37, 2, k & 64 ? 2 : 0);
		put(w, 50, 1, k >> 7);
		check("iadd3", false, w, ref_iadd3m, k, NO_R11 | NO_P0 | NO_P1);
	}
	for (unsigned k = 0; k < 32; k++) {
		alu53(w, 0x5bd8, 10, 1);
		r53(w, 0, 20, 2);
		r53(w, 0, 39, 3);
		put(w, 28, 5, k);
		put(w, 48, 3, 7);
		check("lea.hi", false, w, ref_lea_hi, k, NO_R11 | NO_P0 | NO_P1);
		alu53(w, 0x5bd0, 10, 1);
		r53(w, 0, 20, 2);
		put(w, 39, 5, k);
		put(w, 48, 3, 7);
		check("lea", false, w, ref_iscadd, k, NO_R11 | NO_P0 | NO_P1);
	}
}

static void cases53(void)
{
	cases53_new();
	cases53_int();
	cases53_more();
}

#endif
