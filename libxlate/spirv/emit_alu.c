/* emit_alu.c - arithmetic that ops.def describes by one SPIR-V instruction, and the irregular integer ops.
 *
 * Every IR op is total; what SPIR-V leaves undefined is made explicit here unless a constant or a bound proves it unneeded.
 */
#include "emit.h"

enum form { FORM_IRR, FORM_OPC, FORM_EXT };
struct row { uint8_t form; uint16_t op; };

#define OPC(x) {FORM_OPC, SpvOp##x}
#define EXT(x) {FORM_EXT, GLSLstd450##x}
#define IRR {FORM_IRR, 0}
static const struct row rows[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, ...) [IR_##name] = __VA_ARGS__,
#include "../../ir/ops.def"
#undef OP
};
#undef OPC
#undef EXT
#undef IRR

/* What regular ops need beyond their one instruction. */
enum { CARE_EXACT = 1 /* may be joined with another */, CARE_F64 /* hosts lack it for 64 bits */, CARE_NARROW };
static const uint8_t cares[IR_OP_COUNT] = {
	[IR_fadd] = CARE_EXACT, [IR_fsub] = CARE_EXACT, [IR_fmul] = CARE_EXACT, [IR_f2f] = CARE_NARROW,
	[IR_fexp2] = CARE_F64, [IR_flog2] = CARE_F64, [IR_fsin] = CARE_F64, [IR_fcos] = CARE_F64,
};

/* NoContraction where another operation could be joined or folded with this one: on both. An addition of loaded values
 * that is stored needs none. */
static void contraction(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool need = false;

	if (i->flags & IR_F_CONTRACT)
		return;
	for (unsigned k = 0; k < 2; k++) {
		ir_id v = i->a[k];
		while (emit_inst(e, v)->op == IR_fneg || emit_inst(e, v)->op == IR_fabs)
			v = emit_inst(e, v)->a[0];
		if (emit_inst(e, v)->op == IR_const)
			need = true;
		if (cares[emit_inst(e, v)->op] != CARE_EXACT)
			continue;
		need = true;
		if (e->val[v] && !(emit_inst(e, v)->flags & IR_F_CONTRACT))
			emit_exact(e, e->val[v]);
	}
	if (need)
		emit_exact(e, e->val[id]);
}

static void regular(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const struct row *r = &rows[i->op];
	unsigned n = i->nargs8, care = cares[i->op];
	uint32_t a[3], type;
	ir_type first = emit_inst(e, i->a[0])->type, t = i->type;

	if (care == CARE_F64 && ir_base(t) == IR_F64) {
		emit_refuse(e, DIAG_MISSING_FEATURE, "%s of 64 bits", ir_ops[i->op].name);
		e->val[id] = emit_undef(e, t);
		return;
	}
	if (care == CARE_NARROW && ir_base(t) == IR_F16 && ir_base(first) == IR_F64) { /* hosts round twice, and no guest has it */
		emit_refuse(e, DIAG_UNLIFTED, "a conversion from 64 to 16 bits in one step");
		e->val[id] = emit_undef(e, t);
		return;
	}
	a[0] = emit_get(e, i->a[0]);
	if (n > 1)
		a[1] = emit_get(e, i->a[1]);
	if (n > 2)
		a[2] = emit_get(e, i->a[2]);
	type = emit_type(e, t);
	if (r->form == FORM_OPC)
		e->val[id] = emit_op(e, (SpvOp)r->op, type, a, n);
	else
		e->val[id] = emit_ext(e, (enum GLSLstd450)r->op, type, a, n);
	emit_computes(e, ir_is_float(t) ? t : first);
	if (care == CARE_EXACT)
		contraction(e, id);
	if (care == CARE_NARROW && ir_bits(t) < ir_bits(first))
		e->round_op[ir_bits(t) == 16 ? 1 : 2] = true;
}

/* ---- bits moved between forms */
static void bitcast(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_id x = i->a[0];
	ir_type from = emit_inst(e, x)->type, to = i->type;

	if (from == to || emit_alt_type(from) == to) {
		bool flip = from != to;
		e->val[id] = flip ? e->alt[x] : e->val[x];
		e->alt[id] = flip ? e->val[x] : e->alt[x];
		e->part[id] = flip ? e->part_alt[x] : e->part[x];
		e->part_alt[id] = flip ? e->part[x] : e->part_alt[x];
		if (!e->val[id] && e->want[id] & WANT_SELF)
			e->val[id] = emit_get_as(e, x, to);
		if (!e->val[id] && !e->alt[id] && !e->part[id] && !e->part_alt[id])
			e->val[id] = emit_get_as(e, x, to);
		return;
	}
	e->val[id] = emit_get_as(e, x, to);
}

static void element(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_id v = i->a[0];
	unsigned k = (unsigned)i->imm & 3;
	ir_type t = (ir_type)ir_base(i->type), alt = emit_alt_type(t);
	bool flipped = !e->val[v] && !e->part[v];

	if (k >= ir_elems(emit_inst(e, v)->type)) {
		emit_refuse(e, DIAG_VERIFY, "element %u of a shorter vector", k);
		k = 0;
	}
	if (e->want[id] & WANT_ALT && (e->alt[v] || e->part_alt[v]))
		e->alt[id] = emit_get_part_as(e, v, k, alt);
	if (e->want[id] & WANT_SELF || !e->alt[id])
		e->val[id] = flipped && e->alt[id] ? E_OP(e, Bitcast, emit_type(e, t), e->alt[id]) : emit_get_part(e, v, k);
}

static void vector(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const ir_id *arg = ir_args(e->fn, id);
	unsigned n = ir_nargs(e->fn, id);
	ir_type base = (ir_type)ir_base(i->type), alt = emit_alt_type(base);
	uint32_t part[4] = {0};

	if (n != ir_elems(i->type) || n > 4) {
		emit_refuse(e, DIAG_VERIFY, "a vector of %u elements", n);
		e->val[id] = emit_undef(e, emit_inst(e, id)->type);
		return;
	}
	if (e->want[id] & (WANT_SELF | WANT_PART)) {
		for (unsigned k = 0; k < n; k++)
			part[k] = emit_get(e, arg[k]);
		emit_set_parts(e, id, base, part);
	}
	if (alt && e->want[id] & (WANT_ALT | WANT_PART_ALT)) {
		for (unsigned k = 0; k < n; k++)
			part[k] = emit_get_as(e, arg[k], alt);
		uint8_t w = e->want[id];
		e->want[id] &= (uint8_t)~(WANT_SELF | WANT_PART);
		emit_set_parts(e, id, alt, part);
		e->want[id] = w;
	}
}

/* ---- irregular integer ops by hand */
static void logic(struct emit *e, ir_id id)
{
	static const struct { uint16_t ir, integer, boolean; } ops[] = {
		{IR_iand, SpvOpBitwiseAnd, SpvOpLogicalAnd}, {IR_ior, SpvOpBitwiseOr, SpvOpLogicalOr},
		{IR_ixor, SpvOpBitwiseXor, SpvOpLogicalNotEqual}, {IR_inot, SpvOpNot, SpvOpLogicalNot},
		{IR_ieq, SpvOpIEqual, SpvOpLogicalEqual}, {IR_ine, SpvOpINotEqual, SpvOpLogicalNotEqual},
	};
	const struct ir_inst *i = emit_inst(e, id);
	bool boolean = ir_base(emit_inst(e, i->a[0])->type) == IR_B1;
	unsigned k = 0, n = ir_nargs(e->fn, id);
	uint32_t a[2] = {0};

	while (ops[k].ir != i->op)
		k++;
	for (unsigned j = 0; j < n && j < 2; j++)
		a[j] = emit_get(e, i->a[j]);
	e->val[id] = emit_op(e, (SpvOp)(boolean ? ops[k].boolean : ops[k].integer), emit_type(e, emit_inst(e, id)->type), a, n);
}

static void shift(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	SpvOp op = i->op == IR_shl ? SpvOpShiftLeftLogical : i->op == IR_lshr ? SpvOpShiftRightLogical : SpvOpShiftRightArithmetic;
	unsigned w = ir_bits(i->type);
	ir_type ct = emit_inst(e, i->a[1])->type;
	uint32_t a[2] = {emit_get(e, i->a[0])}, type = emit_type(e, i->type);
	uint64_t k;

	if (emit_is_const(e, i->a[1], &k))
		a[1] = emit_const(e, w > 32 ? IR_I32 : ct, k & (w - 1));
	else {
		a[1] = emit_get(e, i->a[1]);
		if (emit_max(e, i->a[1], 4) >= w)
			a[1] = E_OP(e, BitwiseAnd, emit_type(e, ct), a[1], emit_const(e, ct, w - 1));
	}
	e->val[id] = emit_op(e, op, type, a, 2);
}

static void carry(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	ir_type t = emit_inst(e, i->a[0])->type;
	uint32_t a = emit_get(e, i->a[0]), sum = 0;
	ir_id p = i->prev;

	for (unsigned n = 0; p && n < 16 && !sum; n++, p = emit_inst(e, p)->prev) { /* the sum itself is mostly next to it */
		const struct ir_inst *s = emit_inst(e, p);
		if (s->op == IR_iadd && ((s->a[0] == i->a[0] && s->a[1] == i->a[1]) || (s->a[0] == i->a[1] && s->a[1] == i->a[0])))
			sum = e->val[p];
	}
	if (!sum)
		sum = E_OP(e, IAdd, emit_type(e, t), a, emit_get(e, i->a[1]));
	e->val[id] = E_OP(e, ULessThan, emit_type(e, IR_B1), sum, a);
}

static void high_product(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool sign = i->op == IR_smulh;
	unsigned w = ir_bits(i->type);
	uint32_t type = emit_type(e, i->type), a = emit_get(e, i->a[0]), b = emit_get(e, i->a[1]), u32 = emit_type(e, IR_I32), pair;

	if (w < 32) {
		SpvOp widen = sign ? SpvOpSConvert : SpvOpUConvert;
		a = emit_op(e, widen, u32, &a, 1);
		b = emit_op(e, widen, u32, &b, 1);
		a = E_OP(e, ShiftRightLogical, u32, E_OP(e, IMul, u32, a, b), emit_u32(e, w));
		e->val[id] = E_OP(e, UConvert, type, a);
		return;
	}
	pair = words_type(&e->m, SpvOpTypeStruct, WORDS_ARGS(type, type));
	a = emit_op(e, sign ? SpvOpSMulExtended : SpvOpUMulExtended, pair, (uint32_t[]){a, b}, 2);
	e->val[id] = E_OP(e, CompositeExtract, type, a, 1);
}

static bool irregular(struct emit *e, ir_id id)
{
	switch (emit_inst(e, id)->op) {
	case IR_elem: element(e, id); break;
	case IR_vec: vector(e, id); break;
	case IR_iand: case IR_ior: case IR_ixor: case IR_inot: case IR_ieq: case IR_ine: logic(e, id); break;
	case IR_shl: case IR_lshr: case IR_ashr: shift(e, id); break;
	case IR_carry: carry(e, id); break;
	case IR_umulh: case IR_smulh: high_product(e, id); break;
	case IR_popc: case IR_clz: case IR_ctz: case IR_brev: case IR_ubfe: case IR_sbfe: emit_bits_op(e, id); break;
	case IR_zext: case IR_sext: case IR_pack64: case IR_hi64: case IR_pack32: case IR_f2s: case IR_f2u: case IR_f2f_rtz:
		emit_conv_op(e, id);
		break;
	case IR_fsat: case IR_frcp: case IR_fldexp: case IR_ffrexpm: case IR_ffrexpe: case IR_fflush: case IR_funo: case IR_ffma:
		emit_float_op(e, id);
		break;
	case IR_fclass: emit_class_op(e, id); break;
	default: return false;
	}
	return true;
}

bool emit_alu(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);

	if (rows[i->op].form == FORM_IRR) {
		if (!irregular(e, id))
			return false;
	} else if (i->op == IR_bitcast) {
		bitcast(e, id);
	} else if (i->op == IR_ffma && e->facts->floats == FLOAT_STRICT && !e->t->fma_fused) {
		emit_float_op(e, id);
	} else if (!(i->op == IR_select && emit_bits_select(e, id)) && !(i->op == IR_isub && emit_bits_diff(e, id))) {
		regular(e, id);
	}
	if (i->flags & IR_F_FTZ) /* means nothing on other operations */
		e->flush_ops |= 1u << ir_base(emit_inst(e, ir_args(e->fn, id)[0])->type);
	return true;
}
