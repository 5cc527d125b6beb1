/* The op table as data, and type names. */
#include "ir.h"

#include <stdio.h>
#include <string.h>

const struct ir_opinfo ir_ops[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, spv) [IR_##name] = { #name, sig, cls, fx, div },
#include "ops.def"
#undef OP
};

const uint8_t ir_sysval_comps[SYSVAL_COUNT] = {
#define X(n, comps) [SYSVAL_##n] = comps,
	IR_SYSVALS(X)
#undef X
};

enum ir_op ir_op_find(const char *name)
{
	for (unsigned i = 0; i < IR_OP_COUNT; i++)
		if (ir_ops[i].name[0] == name[0] && !strcmp(ir_ops[i].name, name))
			return (enum ir_op)i;
	return IR_OP_COUNT;
}

static const char *const bases[16] = {
	[IR_VOID] = "void", [IR_B1] = "b1", [IR_I8] = "i8", [IR_I16] = "i16", [IR_I32] = "i32", [IR_I64] = "i64", [IR_F16] = "f16",
	[IR_F32] = "f32", [IR_F64] = "f64", [IR_RES] = "res",
};

ir_type ir_int_of_bits(unsigned bits)
{
	for (unsigned t = IR_B1; t <= IR_I64; t++)
		if (ir_bits((ir_type)t) == bits)
			return (ir_type)t;
	return IR_VOID;
}

ir_type ir_float_of_bits(unsigned bits)
{
	return bits == 16 ? IR_F16 : bits == 32 ? IR_F32 : bits == 64 ? IR_F64 : IR_VOID;
}

const char *ir_type_name(ir_type t, char buf[8])
{
	const char *base = bases[ir_base(t)];

	if (!base)
		base = "?";
	if (t >> 4)
		snprintf(buf, 8, "%sx%u", base, (t >> 4 & 3) + 1u);
	else
		snprintf(buf, 8, "%s", base);
	return buf;
}

bool ir_type_parse(const char *text, size_t n, ir_type *out)
{
	unsigned elems = 1;

	if (n > 2 && text[n - 2] == 'x') {
		if (text[n - 1] < '2' || text[n - 1] > '4')
			return false;
		elems = (unsigned)(text[n - 1] - '0');
		n -= 2;
	}
	for (unsigned i = 0; i < IR_BASE_COUNT; i++)
		if (strlen(bases[i]) == n && !memcmp(bases[i], text, n)) {
			if (elems > 1 && (i == IR_VOID || i == IR_RES))
				return false;
			*out = IR_VEC(i, elems);
			return true;
		}
	return false;
}
