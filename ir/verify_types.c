/* Verifier: operand counts and types against the signatures of ops.def. */
#include "verify.h"

#include <string.h>

static ir_type fixed_type(char c)
{
	switch (c) {
	case 'b': return IR_B1;
	case 'y': return IR_I8;
	case 'h': return IR_I16;
	case 'i': return IR_I32;
	case 'l': return IR_I64;
	case 'f': return IR_F32;
	case 'd': return IR_F64;
	case 'R': return IR_RES;
	default: return IR_VOID;
	}
}

static bool fits_class(unsigned cls, ir_type t)
{
	bool scalar = ir_elems(t) == 1;

	switch (cls) {
	case C_INT: return scalar && ir_is_int(t);
	case C_INTB: return scalar && (ir_is_int(t) || t == IR_B1);
	case C_FLT: return scalar && ir_is_float(t);
	case C_VEC: return !scalar;
	case C_ANY: return t != IR_VOID;
	default: return true;
	}
}

static unsigned total_bits(ir_type t)
{
	return ir_bits(t) * ir_elems(t);
}

/* What the signature cannot say: how T and U of a conversion relate. */
static bool conversion_fits(enum ir_op op, ir_type t, ir_type u)
{
	bool scalar = ir_elems(t) == 1 && ir_elems(u) == 1;

	switch (op) {
	case IR_zext:
	case IR_sext: return scalar && ir_is_int(t) && (ir_is_int(u) || u == IR_B1) && ir_bits(u) < ir_bits(t);
	case IR_trunc: return scalar && ir_is_int(t) && ir_is_int(u) && ir_bits(u) > ir_bits(t);
	case IR_bitcast: return total_bits(t) == total_bits(u) && total_bits(t) > 1;
	case IR_s2f:
	case IR_u2f: return scalar && ir_is_float(t) && ir_is_int(u);
	case IR_f2s:
	case IR_f2u: return scalar && ir_is_int(t) && ir_is_float(u);
	case IR_f2f:
	case IR_f2f_rtz: return scalar && ir_is_float(t) && ir_is_float(u) && t != u;
	default: return true;
	}
}

struct check {
	struct verify *v;
	uint32_t block;
	ir_id id;
	ir_type t, u; /* u: 0 until the first U operand */
};

static void bad_operand(const struct check *c, unsigned i, ir_type is)
{
	char buf[8];

	verify_fail(c->v, "type", c->block, c->id, "operand %u has type %s, against the signature %s", i, ir_type_name(is, buf),
	            ir_ops[c->v->fn->inst[c->id].op].sig);
}

static void check_operand(struct check *c, unsigned i, ir_id arg, char want)
{
	const struct ir_fn *fn = c->v->fn;

	if (arg >= fn->ninst) {
		verify_fail(c->v, "operand", c->block, c->id, "operand %u is no value", i);
		return;
	}
	const struct ir_inst *def = &fn->inst[arg];
	ir_type is = def->type;
	if (def->block == IR_NO_BLOCK ? def->op != IR_const && def->op != IR_undef : is == IR_VOID) {
		verify_fail(c->v, "operand", c->block, c->id, "operand %u (%u) was removed or has no result", i, arg);
		return;
	}
	bool fine = true;
	if (want == 'T')
		fine = is == c->t;
	else if (want == 'U' && !c->u)
		c->u = is;
	else if (want == 'U')
		fine = is == c->u;
	else if (want == 'X')
		fine = is != IR_RES;
	else if (want != '*')
		fine = is == fixed_type(want);
	if (!fine)
		bad_operand(c, i, is);
}

static const char *descriptor(const struct ir_fn *fn, unsigned op, unsigned n, const ir_id *args)
{
	unsigned words = 0;

	for (unsigned i = 0; i < n; words += ir_elems(fn->inst[args[i]].type), i++)
		if (fn->inst[args[i]].type != IR_I32 && fn->inst[args[i]].type != IR_VEC(IR_I32, 4))
			return "descriptor words are i32, or four of them";
	if (words == 4 || (words == 8 && op == IR_himg))
		return NULL;
	return op == IR_himg ? "an image descriptor has 4 or 8 words" : "this descriptor has 4 words";
}

/* Ops whose operands depend on more than the signature. */
static void check_special(struct check *c)
{
	const struct ir_fn *fn = c->v->fn;
	const struct ir_inst *in = &fn->inst[c->id];
	const char *bad = NULL;
	unsigned n = ir_nargs(fn, c->id);
	const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;

	switch (in->op) {
	case IR_phi:
		for (unsigned i = 0; i < n; i++)
			if (fn->inst[args[i]].type != in->type)
				bad = "a phi's operands have its type";
		break;
	case IR_vec:
		if (n != ir_elems(in->type))
			bad = "the number of operands is not that of the vector's elements";
		for (unsigned i = 0; i < n; i++)
			if (fn->inst[args[i]].type != ir_base(in->type))
				bad = "an operand does not have the element type";
		break;
	case IR_elem:
		if (in->type != ir_base(fn->inst[args[0]].type) || in->imm >= ir_elems(fn->inst[args[0]].type))
			bad = "no such element";
		break;
	case IR_sysval:
		if (!in->sub || in->sub >= SYSVAL_COUNT)
			bad = "no such system value";
		else if (ir_elems(in->type) > 1 ? ir_elems(in->type) != ir_sysval_comps[in->sub] : in->imm >= ir_sysval_comps[in->sub])
			bad = "no such component of the system value";
		break;
	case IR_ldin:
	case IR_stout:
		if (in->sub >= fn->niface)
			bad = "no such interface variable";
		break;
	case IR_bind:
		if (in->imm >= fn->nres)
			bad = "no such resource";
		break;
	case IR_atptr:
	case IR_atbuf:
	case IR_atshared:
	case IR_iatomic:
		if (in->sub >= ATOMIC_COUNT)
			bad = "no such atomic";
		else if (ir_atomic_two(in->sub) != (args[n - 1] != 0))
			bad = "a compare-exchange, and only it, has the new value as last operand";
		break;
	case IR_hbuf:
	case IR_himg:
	case IR_hsmp:
		bad = descriptor(fn, in->op, n, args);
		break;
	case IR_ballot:
		if (ir_bits(in->type) != fn->wave)
			bad = "a ballot is as wide as the wave";
		break;
	default:
		break;
	}
	if (bad)
		verify_fail(c->v, "operand", c->block, c->id, "%s", bad);
}

static void check_result(struct check *c)
{
	const struct ir_inst *in = &c->v->fn->inst[c->id];
	const struct ir_opinfo *o = &ir_ops[in->op];
	char buf[8];
	ir_type is = in->type;
	bool fine = ir_base(is) < IR_BASE_COUNT;

	if (o->sig[0] == 'T')
		fine = fine && is != IR_VOID && ((o->fx & FX_CONV) || fits_class(o->cls, is));
	else
		fine = fine && is == fixed_type(o->sig[0]);
	if (!fine)
		verify_fail(c->v, "type", c->block, c->id, "the result cannot be %s", ir_type_name(is, buf));
}

void verify_types(struct verify *v, uint32_t block, ir_id id)
{
	const struct ir_inst *in = &v->fn->inst[id];
	const struct ir_opinfo *o = &ir_ops[in->op];
	struct check c = { v, block, id, in->type, 0 };
	unsigned n = ir_nargs(v->fn, id), i = 0;
	const ir_id *args = in->nargs8 == 255 ? in->x.ext : in->a;
	const char *s = o->sig + 2;
	bool optional = false, open = false;

	check_result(&c);
	for (; *s && !v->error; s++) {
		if (*s == '?') {
			optional = true;
			continue;
		}
		if (*s == '*') {
			open = true;
			break;
		}
		if (i >= n)
			break;
		if (args[i])
			check_operand(&c, i, args[i], *s);
		else if (!optional)
			verify_fail(v, "operand", block, id, "operand %u is absent", i);
		optional = false;
		i++;
	}
	for (; open && i < n && !v->error; i++)
		if (args[i])
			check_operand(&c, i, args[i], '*');
		else
			verify_fail(v, "operand", block, id, "operand %u is absent", i);
	if (!v->error && ((*s && !open) || i != n))
		verify_fail(v, "operand", block, id, "%u operands, against the signature %s", n, o->sig);
	for (unsigned k = n; k < IR_INLINE_ARGS && in->nargs8 != 255; k++)
		if (in->a[k])
			verify_fail(v, "operand", block, id, "a place behind the operands is not empty");
	if (!v->error && c.u && o->sig[0] != 'T' && !fits_class(o->cls, c.u))
		bad_operand(&c, 0, c.u);
	if (!v->error && c.u && !conversion_fits(in->op, c.t, c.u))
		verify_fail(v, "type", block, id, "the types do not fit this conversion");
	if (!v->error)
		check_special(&c);
}
