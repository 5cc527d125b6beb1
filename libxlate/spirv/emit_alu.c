/* emit_alu.c - arithmetic that ops.def describes by one SPIR-V instruction, and the irregular integer ops.
 *
 * Every IR op is total; what SPIR-V leaves undefined is made explicit here unless a constant or a bound proves it unneeded.
 */
#include "emit.h"

enum form { FORM_OPC, FORM_EXT = 2 /* words in front of the operands */, FORM_IRR };
struct row { uint8_t form; uint16_t op[2] /* and where the first operand is a b1 */, ext; };

#define OPC(x) {FORM_OPC, {SpvOp##x, SpvOp##x}, 0}
#define OPB(x, y) {FORM_OPC, {SpvOp##x, SpvOp##y}, 0}
#define EXT(x) {FORM_EXT, {SpvOpExtInst, SpvOpExtInst}, GLSLstd450##x}
#define IRR {FORM_IRR, {0, 0}, 0}
static const struct row rows[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, ...) [IR_##name] = __VA_ARGS__,
#include "../../ir/ops.def"
#undef OP
};
#undef OPC
#undef OPB
#undef EXT
#undef IRR

/* What no pass has taken out, and nothing here can say. */
static void left_over(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool handle = ir_base(i->type) == IR_RES;

	emit_refuse(e, handle ? DIAG_DESCRIPTOR : i->op == IR_ldtab ? DIAG_ADDRESS : DIAG_UNLIFTED, "%s is left in the function",
	            ir_ops[i->op].name);
	if (i->type != IR_VOID && !handle)
		e->val[id] = emit_undef(e, i->type);
}

/* The top bit is set of 0, which is no id: ids are far from 2^31. */
static inline uint32_t none(uint32_t id) { return (id - 1) & 1u << 31; }

/* Apart from what puts most, which so has nothing to save: an operand, the type or the room is not there yet. */
static __attribute__((noinline)) void make_regular(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const struct row *r = &rows[i->op];
	ir_type first = emit_inst(e, i->a[0])->type;
	uint32_t a[EMIT_FEW] = {0}, type, n;

	for (n = 0; n < i->nargs8; n++)
		a[n] = emit_get(e, i->a[n]);
	type = emit_type(e, i->type);
	if (r->form == FORM_EXT)
		e->val[id] = emit_ext(e, (enum GLSLstd450)r->ext, type, a, n);
	else
		e->val[id] = emit_few(e, (SpvOp)r->op[ir_base(first) == IR_B1], type, a, n);
	emit_computes(e, ir_is_float(i->type) ? i->type : first);
}

/* One instruction of the operands as they are. What differs from one to the next is looked up, not branched on. */
static void regular(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	const struct row *r = &rows[i->op];
	unsigned n = i->nargs8; /* what is not there repeats the first */
	ir_type t = i->type, first = emit_inst(e, i->a[0])->type;
	uint32_t a = e->val[i->a[0]], b = e->val[i->a[n > 1 ? 1 : 0]], c = e->val[i->a[n > 2 ? 2 : 0]], type = e->type[t & 63], *w;

	if (none(a) | none(b) | none(c) | none(type) | (none(e->m.glsl) & (uint32_t)r->form << 30) ||
	    words_full(&e->m, SEC_BODY, EMIT_ROOM)) {
		make_regular(e, id);
		return;
	}
	w = emit_start(e, SEC_BODY, (SpvOp)r->op[ir_base(first) == IR_B1], type, r->form + n, &e->val[id]);
	w[0] = e->m.glsl;
	w[1] = r->ext;
	w += r->form;
	w[0] = a;
	w[1] = b;
	w[2] = c;
	emit_computes(e, ir_is_float(t) ? t : first);
}

/* The same of two floats, by a core instruction: most there are. */
static inline void of_two(struct emit *e, ir_id id, const struct ir_inst *i)
{
	uint32_t a = e->val[i->a[0]], b = e->val[i->a[1]], type = e->type[i->type & 63], *w;

	if (none(a) | none(b) | none(type) || words_full(&e->m, SEC_BODY, EMIT_ROOM)) {
		make_regular(e, id);
		return;
	}
	w = emit_start(e, SEC_BODY, (SpvOp)rows[i->op].op[0], type, 2, &e->val[id]);
	w[0] = a;
	w[1] = b;
	emit_computes(e, i->type);
}

/* ---- regular ops that need more than their one instruction, or have another instead */
/* How an operand of what is not to be joined with another operation counts. */
enum { JOIN_NEVER, JOIN_SIGN /* as what is below it does */, JOIN_CONST, JOIN_OP };
static const uint8_t joins[IR_OP_COUNT] = {
	[IR_fneg] = JOIN_SIGN, [IR_fabs] = JOIN_SIGN, [IR_const] = JOIN_CONST,
	[IR_fadd] = JOIN_OP, [IR_fsub] = JOIN_OP, [IR_fmul] = JOIN_OP,
};

/* One of `exact`, if it is to be and is not yet, and there is room. Which ones are is hard to predict, so nothing branches on it. */
static inline void exact(struct emit *e, ir_id v, bool is)
{
	unsigned want = e->want[v];

	e->exact[e->nexact] = e->val[v];
	e->nexact += is & !(want & WANT_EXACT);
	e->want[v] = (uint8_t)(want | is * WANT_EXACT);
}

/* What an operand asks for: whether it could be joined or folded with its user; it is exact, too, where it is an operation. */
static inline bool could_join(struct emit *e, ir_id v)
{
	const struct ir_inst *o = emit_inst(e, v);

	while (joins[o->op] == JOIN_SIGN)
		o = emit_inst(e, v = o->a[0]);
	exact(e, v, (joins[o->op] == JOIN_OP) & !(o->flags & IR_F_CONTRACT) & (e->val[v] != 0));
	return joins[o->op] != JOIN_NEVER;
}

/* NoContraction where another operation could be joined or folded with this one: on both. An addition of loaded values
 * that is stored needs none. */
static void arithmetic(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	bool first, second;

	of_two(e, id, i);
	if (i->flags & IR_F_CONTRACT)
		return;
	emit_exact_room(e, 3);
	first = could_join(e, i->a[0]);
	second = could_join(e, i->a[1]);
	exact(e, id, first | second);
}

static void narrow(struct emit *e, ir_id id)
{
	ir_type from = emit_inst(e, emit_inst(e, id)->a[0])->type, to = emit_inst(e, id)->type;

	if (ir_bits(to) < ir_bits(from))
		e->round_op[ir_bits(to) == 16 ? 1 : 2] = true;
	if (ir_base(to) != IR_F16 || ir_base(from) != IR_F64) {
		regular(e, id);
		return;
	}
	emit_refuse(e, DIAG_UNLIFTED, "a conversion from 64 to 16 bits in one step"); /* hosts round twice, and no guest has it */
	e->val[id] = emit_undef(e, to);
}

/* Hosts lack it for 64 bits. */
static void not_of_64(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);

	if (ir_base(i->type) != IR_F64) {
		regular(e, id);
		return;
	}
	emit_refuse(e, DIAG_MISSING_FEATURE, "%s of 64 bits", ir_ops[i->op].name);
	e->val[id] = emit_undef(e, i->type);
}

static void multiply_add(struct emit *e, ir_id id)
{
	if (e->facts->floats != FLOAT_STRICT || e->t->fma_fused)
		regular(e, id);
	else
		emit_float_op(e, id);
}

static void choice(struct emit *e, ir_id id)
{
	if (!e->fn->has[IR_ctz] || !emit_bits_select(e, id))
		regular(e, id);
}

static void difference(struct emit *e, ir_id id)
{
	if (!e->fn->has[IR_clz] || !emit_bits_diff(e, id))
		regular(e, id);
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

/* ---- integer ops by hand */
static void shift(struct emit *e, ir_id id)
{
	const struct ir_inst *i = emit_inst(e, id);
	unsigned w = ir_bits(i->type);
	ir_type ct = emit_inst(e, i->a[1])->type;
	uint32_t a[2], type;
	uint64_t k;
	bool fixed = emit_is_const(e, i->a[1], &k);

	if (fixed && k < w && w <= 32 && ct == i->type) {
		regular(e, id);
		return;
	}
	a[0] = emit_get(e, i->a[0]);
	type = emit_type(e, i->type);
	if (fixed)
		a[1] = emit_const(e, w > 32 ? IR_I32 : ct, k & (w - 1));
	else {
		a[1] = emit_get(e, i->a[1]);
		if (emit_max(e, i->a[1], 4) >= w)
			a[1] = E_OP(e, BitwiseAnd, emit_type(e, ct), a[1], emit_const(e, ct, w - 1));
	}
	e->val[id] = emit_op(e, (SpvOp)rows[i->op].op[0], type, a, 2);
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

static void nothing(struct emit *e, ir_id id)
{
	(void)e;
	(void)id;
}

/* As the row of ops.def says, but for those that are named again. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#define OPC(x) regular
#define OPB(x, y) regular
#define EXT(x) regular
#define IRR left_over
emit_inst_fn *const emit_by_op[IR_OP_COUNT] = {
#define OP(name, sig, cls, fx, div, eval, ...) [IR_##name] = __VA_ARGS__,
#include "../../ir/ops.def"
#undef OP
	[IR_nop] = nothing, [IR_bind] = nothing, [IR_undef] = nothing, [IR_const] = nothing,
	[IR_fadd] = arithmetic, [IR_fsub] = arithmetic, [IR_fmul] = arithmetic, [IR_ffma] = multiply_add, [IR_f2f] = narrow,
	[IR_fexp2] = not_of_64, [IR_flog2] = not_of_64, [IR_fsin] = not_of_64, [IR_fcos] = not_of_64,
	[IR_bitcast] = bitcast, [IR_select] = choice, [IR_isub] = difference, [IR_shl] = shift, [IR_lshr] = shift, [IR_ashr] = shift,
	[IR_elem] = element, [IR_vec] = vector, [IR_carry] = carry, [IR_umulh] = high_product, [IR_smulh] = high_product,
	[IR_popc] = emit_bits_op, [IR_clz] = emit_bits_op, [IR_ctz] = emit_bits_op, [IR_brev] = emit_bits_op, [IR_ubfe] = emit_bits_op,
	[IR_sbfe] = emit_bits_op,
	[IR_zext] = emit_conv_op, [IR_sext] = emit_conv_op, [IR_pack64] = emit_conv_op, [IR_hi64] = emit_conv_op,
	[IR_pack32] = emit_conv_op, [IR_f2s] = emit_conv_op, [IR_f2u] = emit_conv_op, [IR_f2f_rtz] = emit_conv_op,
	[IR_fsat] = emit_float_op, [IR_frcp] = emit_float_op, [IR_fldexp] = emit_float_op, [IR_ffrexpm] = emit_float_op,
	[IR_ffrexpe] = emit_float_op, [IR_fflush] = emit_float_op, [IR_funo] = emit_float_op, [IR_fclass] = emit_class_op,
	[IR_sysval] = emit_sysval, [IR_ldin] = emit_ldin, [IR_ldinx] = emit_ldin, [IR_stout] = emit_stout,
	[IR_ldbuf] = emit_load, [IR_ldshared] = emit_load, [IR_ldscr] = emit_load,
	[IR_stbuf] = emit_store, [IR_stshared] = emit_store, [IR_stscr] = emit_store,
	[IR_atbuf] = emit_atomic, [IR_atshared] = emit_atomic,
	[IR_ldptr] = emit_ldptr, [IR_stptr] = emit_stptr, [IR_atptr] = emit_atptr,
	[IR_ldtyped] = emit_typed, [IR_sttyped] = emit_typed, [IR_buflen] = emit_buflen,
	[IR_isample] = emit_sample, [IR_igather] = emit_gather, [IR_iload] = emit_iload, [IR_istore] = emit_istore,
	[IR_iatomic] = emit_image_atomic, [IR_iquery] = emit_iquery,
	[IR_barrier] = emit_barrier, [IR_demote] = emit_demote,
	[IR_any] = emit_lane_op, [IR_ballot] = emit_lane_op, [IR_lanebit] = emit_lane_op, [IR_readfirst] = emit_lane_op,
	[IR_readlane] = emit_lane_op, [IR_shuffle] = emit_lane_op, [IR_quad] = emit_lane_op, [IR_ddx] = emit_lane_op,
	[IR_ddy] = emit_lane_op, [IR_quadany] = emit_lane_op, [IR_clock] = emit_lane_op,
};
#pragma GCC diagnostic pop
