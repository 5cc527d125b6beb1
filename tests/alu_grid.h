/* alu_grid.h - which types a row of arithmetic takes, and the edge cases that its operands go through. */
#ifndef XL_TEST_ALU_GRID_H
#define XL_TEST_ALU_GRID_H

#include "alu_ref.h"

/* One row at one pair of types. */
struct shape { enum ir_op op; ir_type type, arg[3]; unsigned n; uint64_t imm; };

/* ---- values */
static const double reals[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 0.75, 2.0, 7.0, 1e-3, -1e-3, 100.25, 1.0 / 3,
	127.5, 255.0, 256.0, 32767.0, 32768.0, -32768.0, 65504.0, 65519.0, 65520.0, 65536.0, 2049.0, 2051.0, 4.0e-8, 5.9604645e-8,
	8.9e-8, 6.0e-5, 6.1e-5, 2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967296.0,
	9223371487098961920.0, 9223372036854775808.0, -9223372036854775808.0, 18446744073709551616.0, 1.0e30, -1.0e30};
static const uint64_t ints[] = {0, 1, 2, 3, 5, 7, 15, 16, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef0, 0x7fffffffffffffff,
	0x8000000000000000, 0xffffffffffffff80, 0xffffffffffff8000, 0xffffffff80000000, 0xfffffffffffffffe, 0xffffffffffffffff};
static const uint64_t counts[] = {0, 1, 5, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 0xffffffff};
static const int32_t scales[] = {0, 1, -1, 5, -10, 24, -24, 60, 100, 126, 127, 128, -126, -127, -130, -149, -150, 150, 254, 277, -277, 300,
	-300, 1023, -1022, -1074, 2098, -2098, 5000, -5000, INT32_MAX, INT32_MIN};

static unsigned float_values(ir_type t, uint64_t v[96])
{
	static const uint64_t odd[3][8] = { /* denormals, infinities, NaNs, largest, smallest normal */
		{0x0001, 0x03ff, 0x8001, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x0400},
		{0x00000001, 0x007fffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000},
		{1, 0xfffffffffffff, 0x8000000000000001, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7fefffffffffffff,
			0x0010000000000000}};
	unsigned n = 0, w = ir_base(t) == IR_F16 ? 0 : ir_base(t) == IR_F32 ? 1 : 2;

	for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++)
		v[n++] = ref_from_double(ir_bits(t), reals[k]);
	memcpy(v + n, odd[w], sizeof odd[w]);
	return n + 8;
}

static unsigned values(const struct shape *s, unsigned k, uint64_t v[96])
{
	ir_type t = s->arg[k];
	unsigned n = 0;

	if (ir_base(t) == IR_B1) {
		v[0] = 0;
		v[1] = 1;
		return 2;
	}
	if (s->op == IR_fldexp && k == 1) {
		for (; n < sizeof scales / sizeof *scales; n++)
			v[n] = (uint32_t)scales[n];
		return n;
	}
	if ((s->op == IR_ubfe || s->op == IR_sbfe) && k) {
		memcpy(v, counts, sizeof counts);
		return sizeof counts / sizeof *counts;
	}
	if (ir_is_float(t)) {
		n = float_values(t, v);
		if (s->n == 3) { /* a third of them */
			for (unsigned j = 0; j < n / 2; j++)
				v[j] = v[j * 2 + (k & 1)];
			n /= 2;
		}
		return n;
	}
	for (; n < sizeof ints / sizeof *ints; n++)
		v[n] = ir_bits(t) == 64 ? ints[n] : ints[n] & ((1ull << ir_bits(t)) - 1);
	return n;
}

/* ---- which types a row takes */
static bool fits(unsigned cls, ir_type t)
{
	switch (cls) {
	case C_INT: return ir_is_int(t);
	case C_INTB: return ir_is_int(t) || ir_base(t) == IR_B1;
	case C_FLT: return ir_is_float(t);
	case C_ANY: return true;
	default: return t == IR_VOID;
	}
}

static bool conversion_fits(enum ir_op op, ir_type t, ir_type u)
{
	unsigned a = ir_bits(t), b = ir_bits(u);

	switch (op) {
	case IR_zext: case IR_sext: return ir_is_int(t) && !ir_is_float(u) && a > b;
	case IR_trunc: return ir_is_int(t) && ir_is_int(u) && a < b;
	case IR_bitcast: return a == b && ir_base(t) != IR_B1 && ir_is_float(t) != ir_is_float(u);
	case IR_s2f: case IR_u2f: return ir_is_float(t) && ir_is_int(u);
	case IR_f2s: case IR_f2u: return ir_is_int(t) && ir_is_float(u);
	case IR_f2f: return ir_is_float(t) && ir_is_float(u) && a != b && !(a == 16 && b == 64);
	case IR_f2f_rtz: return ir_is_float(t) && ir_is_float(u) && a < b && a == 16 && b == 32;
	default: return true;
	}
}

static ir_type letter(char c, ir_type t, ir_type u)
{
	static const struct { char c; ir_type t; } fixed[] = {{'b', IR_B1}, {'y', IR_I8}, {'h', IR_I16}, {'i', IR_I32}, {'l', IR_I64},
		{'f', IR_F32}, {'d', IR_F64}};

	if (c == 'T')
		return t;
	if (c == 'U')
		return u;
	for (unsigned k = 0; k < sizeof fixed / sizeof *fixed; k++)
		if (fixed[k].c == c)
			return fixed[k].t;
	return IR_VOID;
}

static bool wanted(enum ir_op op)
{
	const char *arg = strchr(ir_ops[op].sig, ':') + 1;

	return ir_ops[op].fx == (ir_ops[op].fx & (FX_COMM | FX_CONV)) && *arg && !strpbrk(arg, "R?*X") && op != IR_lanebit;
}

/* Calls `each` for every shape of a row that has arithmetic. */
static void grid_row(enum ir_op op, void (*each)(void *user, const struct shape *), void *user)
{
	static const ir_type all[] = {IR_B1, IR_I8, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64};
	static const uint64_t classes[] = {0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x204, 0x90, 0x108, 0x60, 0x3fc, 0x3ff};
	const char *sig = ir_ops[op].sig, *arg = strchr(sig, ':') + 1;
	bool has_t = strchr(sig, 'T'), has_u = strchr(sig, 'U');

	if (!wanted(op))
		return;
	for (unsigned i = 0; i < (has_t ? 8u : 1u); i++)
		for (unsigned j = 0; j < (has_u ? 8u : 1u); j++) {
			struct shape s = {.op = op, .type = letter(sig[0], all[i], all[j]), .n = (unsigned)strlen(arg)};
			ir_type first = has_t && !has_u ? all[i] : all[j];
			uint64_t out, zero[3] = {0};
			if ((has_t && has_u) ? !conversion_fits(op, all[i], all[j]) : ((has_t || has_u) && !fits(ir_ops[op].cls, first)))
				continue;
			if (ir_base(first) == IR_F64 && (op == IR_fexp2 || op == IR_flog2 || op == IR_fsin || op == IR_fcos))
				continue; /* refused */
			for (unsigned k = 0; k < s.n && k < 3; k++)
				s.arg[k] = letter(arg[k], all[i], all[j]);
			for (unsigned c = 0; c < (op == IR_fclass ? sizeof classes / sizeof *classes : 1); c++) {
				s.imm = op == IR_fclass ? classes[c] : 0;
				if (alu_ref(op, s.type, s.imm, s.arg, zero, &out))
					each(user, &s);
			}
		}
}

#endif
