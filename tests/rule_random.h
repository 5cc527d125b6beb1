/* rule_random.h - the patterns of fold_rules.def as instructions, with operands and constants at random. */
#ifndef XL_TEST_RULE_RANDOM_H
#define XL_TEST_RULE_RANDOM_H

#include "ir_random.h"

#include <stdlib.h>
#include <string.h>

static const ir_type types[] = { IR_B1, IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64, IR_I8 };
enum { NTYPES = sizeof(types) / sizeof(*types) };

/* ---- operands by signature */
struct shape {
	ir_type result, arg[3];
	unsigned nargs;
};

static ir_type any_of_class(struct rnd *r, uint32_t cls)
{
	for (;;) {
		ir_type t = types[below(r, NTYPES)];
		if (cls == C_INT ? ir_is_int(t) : cls == C_INTB ? ir_is_int(t) || t == IR_B1 : cls == C_FLT ? ir_is_float(t) : true)
			return t;
	}
}

/* Conversions whose two types hang together. False: try others. */
static bool fits(enum ir_op op, ir_type to, ir_type from)
{
	switch (op) {
	case IR_zext: case IR_sext:
		return ir_is_int(to) && (ir_is_int(from) || from == IR_B1) && ir_bits(to) > ir_bits(from);
	case IR_trunc:
		return ir_is_int(to) && ir_is_int(from) && ir_bits(to) < ir_bits(from);
	case IR_bitcast: /* a float's bits show which NaN it is */
		return !ir_is_float(from) && from != IR_B1 && to != IR_B1 && ir_bits(to) == ir_bits(from) && to != from;
	case IR_s2f: case IR_u2f:
		return ir_is_float(to) && ir_is_int(from);
	case IR_f2s: case IR_f2u:
		return ir_is_int(to) && ir_is_float(from);
	case IR_f2f: case IR_f2f_rtz:
		return ir_is_float(to) && ir_is_float(from) && to != from && (op == IR_f2f || ir_bits(to) < ir_bits(from));
	default:
		return true;
	}
}

static ir_type fixed_type(char c)
{
	return c == 'b' ? IR_B1 : c == 'h' ? IR_I16 : c == 'i' ? IR_I32 : c == 'l' ? IR_I64 : IR_VOID;
}

/* `want` VOID: any result. */
static bool shape_of(struct rnd *r, enum ir_op op, ir_type want, struct shape *s)
{
	const struct ir_opinfo *info = &ir_ops[op];
	const char *sig = info->sig, *arg = strchr(sig, ':') + 1;
	bool conv = strchr(arg, 'U') && sig[0] == 'T';
	ir_type t = sig[0] == 'T' ? (want ? want : any_of_class(r, conv ? C_ANY : info->cls)) : IR_VOID, u;

	if (t && !conv && info->cls == C_FLT && !ir_is_float(t))
		return false;
	if (t && !conv && info->cls == C_INT && !ir_is_int(t))
		return false;
	if (t && !conv && info->cls == C_INTB && ir_is_float(t))
		return false;
	u = any_of_class(r, conv ? C_ANY : sig[0] == 'T' ? C_ANY : info->cls);
	if (!fits(op, t, u))
		return false;
	s->result = t ? t : fixed_type(sig[0]);
	if (want && s->result != want)
		return false;
	for (s->nargs = 0; arg[s->nargs]; s->nargs++)
		s->arg[s->nargs] = arg[s->nargs] == 'T' ? t : arg[s->nargs] == 'U' ? u : fixed_type(arg[s->nargs]);
	return true;
}

/* ---- patterns */
static const struct { const char *name, *from; } rules[] = {
#define RULE(name, from, to, cond, k, why) { #name, from },
#include "../passes/fold_rules.def"
#undef RULE
};
enum { NRULES = sizeof(rules) / sizeof(*rules) };

struct instance {
	struct ir_fn *fn;
	struct rnd *r;
	const char *at;
	ir_id var[26], konst[26];
	uint32_t next_input;
};

static ir_id input(struct ir_fn *fn, ir_type t, uint32_t number)
{
	ir_id args[2] = { ir_const(fn, IR_B1, 1), ir_const(fn, IR_I64, number * 16) };

	if (t != IR_B1)
		return ir_new(fn, IR_ldptr, t, 2, args);
	ir_id v = ir_new(fn, IR_ldptr, IR_I32, 2, args);
	return ir_op1(fn, IR_lanebit, IR_B1, v);
}

/* A value for a variable: plain, or narrowed so that rules about ranges and pairs have something to see. */
static ir_id leaf(struct instance *n, ir_type t)
{
	ir_id v = input(n->fn, t, n->next_input++);

	if (!ir_is_int(t) || t == IR_B1)
		return v;
	unsigned w = ir_bits(t);
	switch (below(n->r, 5)) {
	case 0: return ir_op2(n->fn, IR_lshr, t, v, ir_const(n->fn, t, below(n->r, w)));
	case 1: return ir_op2(n->fn, IR_shl, t, v, ir_const(n->fn, t, below(n->r, w)));
	case 2: return ir_op2(n->fn, IR_iand, t, v, ir_const(n->fn, t, 0xff));
	default: return v;
	}
}

static uint64_t rule_constant(struct rnd *r, ir_type t)
{
	static const uint64_t some[] = { 0, 1, 2, 4, 8, 15, 16, 24, 31, 32, 33, 40, 63, 64, 0xff, 0xffff, 0xffffffff, 0xffff0000 };

	return (below(r, 3) ? some[below(r, 18)] : interesting(r, t)) & type_mask(t);
}

static uint64_t literal(const char *w, ir_type t)
{
	double d = atof(w);
	float f = (float)d;
	uint32_t s;
	uint64_t v;

	if (!strcmp(w, "true"))
		return 1;
	if (!strchr(w, '.'))
		return (uint64_t)(int64_t)d & type_mask(t);
	memcpy(&s, &f, 4);
	memcpy(&v, &d, 8);
	return t == IR_F64 ? v : t == IR_F32 ? s : d == 0 ? 0 : d == 1 ? 0x3c00 : 0xbc00;
}

static ir_id instantiate(struct instance *n, ir_type t);

/* The type that the next operand must have: a variable that is bound already, or an op with a named or fixed type. */
static ir_type bound_type(const struct instance *n)
{
	const char *s = n->at;
	char w[24];
	unsigned len = 0;

	while (*s == ' ')
		s++;
	if (*s != '(')
		return *s >= 'a' && *s <= 'z' && strchr(" )", s[1]) && n->var[*s - 'a'] ? n->fn->inst[n->var[*s - 'a']].type : IR_VOID;
	for (s++; *s && !strchr(" ()", *s); s++)
		w[len++] = *s;
	w[len] = 0;
	char *dot = strchr(w, '.');
	if (dot)
		*dot = 0;
	enum ir_op op = ir_op_find(w);
	return op == IR_ballot ? IR_I32 : op == IR_OP_COUNT ? IR_VOID : fixed_type(ir_ops[op].sig[0]);
}

static ir_id instantiate_form(struct instance *n, ir_type t)
{
	char w[24];
	unsigned len = 0;
	struct shape s;
	ir_id arg[3];

	while (*n->at && !strchr(" ()", *n->at))
		w[len++] = *n->at++;
	w[len] = 0;
	char *dot = strchr(w, '.');
	if (dot)
		*dot = 0;
	enum ir_op op = ir_op_find(w);
	ir_type first = bound_type(n);
	for (unsigned tries = 0;; tries++) {
		if (tries == 200)
			return 0;
		if (shape_of(n->r, op, t, &s) && (!first || s.arg[0] == first))
			break;
	}
	for (unsigned i = 0; i < s.nargs; i++) {
		arg[i] = instantiate(n, s.arg[i]);
		if (!arg[i])
			return 0;
	}
	while (*n->at != ')')
		n->at++;
	n->at++;
	if ((ir_ops[op].fx & FX_COMM) && below(n->r, 2)) {
		ir_id swap = arg[0];
		arg[0] = arg[1];
		arg[1] = swap;
	}
	return ir_new(n->fn, op, s.result, s.nargs, arg);
}

static ir_id instantiate(struct instance *n, ir_type t)
{
	char w[24];
	unsigned len = 0;

	while (*n->at == ' ')
		n->at++;
	if (*n->at == '(') {
		n->at++;
		return instantiate_form(n, t);
	}
	while (*n->at && !strchr(" ()", *n->at))
		w[len++] = *n->at++;
	w[len] = 0;
	ir_id *bound = w[0] == '#' ? &n->konst[w[1] - 'a'] : len == 1 && w[0] >= 'a' && w[0] <= 'z' ? &n->var[w[0] - 'a'] : NULL;
	if (!bound)
		return ir_const(n->fn, t, literal(w, t));
	if (!*bound)
		*bound = w[0] == '#' ? ir_const(n->fn, t, rule_constant(n->r, t)) : leaf(n, t);
	return n->fn->inst[*bound].type == t ? *bound : 0;
}

#endif
