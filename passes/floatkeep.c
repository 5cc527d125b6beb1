/* floatkeep.c - code that keeps denormals on hosts that flush them, or may do so.
 *
 * Minima, maxima, clamps and comparisons become integer operations on keys that are ordered as the numbers are.
 * Arithmetic in 16 bits becomes arithmetic in 32, where denormal halves are normal numbers: sums and products rounded
 * to 24 bits and then to 11 are those rounded once, as 24 >= 2 * 11 + 2, and a fused multiply-add is rounded to odd
 * first. Nothing here makes or reads a denormal of 32 bits that could matter. Conversions are the host's but for the
 * range of denormals:
 *
 * Before                              After
 *   %2 = f2f %1 (f32 to f16)            %3 = fabs %1
 *                                       %4 = flt %3, 0x1p-14
 *                                       %5 = fadd %3, 0.5  (its last place is worth 0x1p-24, a half's least denormal)
 *                                       %6 = isub bits of %5, bits of 0.5
 *                                       ... the sign, and %2 = select %4, %6, bits of (f2f %1)
 */
#include "floatkeep.h"

/* As floats of 32 bits: 0.5, the smallest normal half, the smallest half, and 1 / that. */
enum { ONE_HALF = 0x3f000000, HALF_NORMAL = 0x38800000, HALF_STEP = 0x33800000, HALF_STEPS = 0x4b800000 };

bool floatkeep_by_bits(const struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *i = &fn->inst[id];

	switch (i->op) {
	case IR_fneg: case IR_fabs: case IR_fmin: case IR_fmax: case IR_fsat:
	case IR_feq: case IR_flt: case IR_fle: case IR_flg: case IR_fequ: case IR_fltu: case IR_fleu: case IR_fneu:
		return ir_elems(fn->inst[i->a[0]].type) == 1;
	default:
		return false;
	}
}

bool floatkeep_by_width(const struct ir_fn *fn, ir_id id)
{
	const struct ir_inst *i = &fn->inst[id];

	switch (i->op) {
	case IR_fadd: case IR_fsub: case IR_fmul: case IR_ffma: case IR_ffloor: case IR_fceil: case IR_ffract:
	case IR_fldexp: case IR_ffrexpm: case IR_ffrexpe:
		return fn->inst[i->a[0]].type == IR_F16;
	case IR_f2f: return fn->inst[i->a[0]].type == IR_F16 ||
	                      (fn->inst[i->a[0]].type == IR_F32 && i->type == IR_F16);
	case IR_f2f_rtz: return fn->inst[i->a[0]].type == IR_F32 && i->type == IR_F16;
	default: return false;
	}
}

/* ---- instructions, folded where their operands are constants */
static ir_id make(struct ir_fn *fn, enum ir_op op, ir_type t, unsigned n, const ir_id *a)
{
	ir_type types[3];
	uint64_t k[3], out;
	unsigned c = 0;

	while (c < n && ir_is_const(fn, a[c], &k[c])) {
		types[c] = fn->inst[a[c]].type;
		c++;
	}
	if (c == n && ir_eval_op(op, t, 0, 0, types, k, &out))
		return ir_const(fn, t, out);
	return ir_new(fn, op, t, n, a);
}

static ir_id op1(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id a)
{
	return make(fn, op, t, 1, &a);
}

static ir_id op2(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id a, ir_id b)
{
	return make(fn, op, t, 2, (ir_id[]){ a, b });
}

static ir_id opk(struct ir_fn *fn, enum ir_op op, ir_type t, ir_id a, uint64_t k)
{
	return op2(fn, op, t, a, ir_const(fn, t, k));
}

static ir_id choose(struct ir_fn *fn, ir_id cond, ir_id yes, ir_id no)
{
	uint64_t k;

	if (ir_is_const(fn, cond, &k))
		return k ? yes : no;
	return ir_op3(fn, IR_select, fn->inst[yes].type, cond, yes, no);
}

static ir_type int_like(ir_type t)
{
	return ir_int_of_bits(ir_bits(t));
}

static ir_id bits_of(struct ir_fn *fn, ir_id v)
{
	return op1(fn, IR_bitcast, int_like(fn->inst[v].type), v);
}

static uint64_t sign_bit(ir_type t)
{
	return 1ull << (ir_bits(t) - 1);
}

/* ---- by bits */
static ir_id sign_changed(struct ir_fn *fn, ir_id id)
{
	bool neg = fn->inst[id].op == IR_fneg;
	ir_type t = fn->inst[id].type;
	ir_id v = bits_of(fn, fn->inst[id].a[0]);

	v = opk(fn, neg ? IR_ixor : IR_iand, int_like(t), v, neg ? sign_bit(t) : sign_bit(t) - 1);
	return op1(fn, IR_bitcast, t, v);
}

/* Sign and magnitude to an integer and back: the order of numbers, -0 below 0, or where `joined` both 0. */
static ir_id ordered(struct ir_fn *fn, ir_id bits, bool joined)
{
	ir_type t = fn->inst[bits].type;
	ir_id sign = opk(fn, IR_ashr, t, bits, ir_bits(t) - 1), v = op2(fn, IR_ixor, t, bits, opk(fn, IR_lshr, t, sign, 1));

	return joined ? op2(fn, IR_isub, t, v, sign) : v;
}

/* One NaN gives the other operand: it is past all numbers on the other side. */
static ir_id extreme(struct ir_fn *fn, ir_id id)
{
	bool least = fn->inst[id].op == IR_fmin;
	ir_type t = fn->inst[id].type, it = int_like(t);
	ir_id past = ir_const(fn, it, least ? sign_bit(t) - 1 : sign_bit(t)), key[2];

	for (unsigned k = 0; k < 2; k++) {
		ir_id v = fn->inst[id].a[k], nan = op2(fn, IR_funo, IR_B1, v, v);
		key[k] = choose(fn, nan, past, ordered(fn, bits_of(fn, v), false));
	}
	return op1(fn, IR_bitcast, t, ordered(fn, op2(fn, least ? IR_smin : IR_smax, it, key[0], key[1]), false));
}

/* To 0..1, where positive denormals stay, and negative ones become 0. */
static ir_id clamped(struct ir_fn *fn, ir_id id)
{
	ir_type t = fn->inst[id].type, it = int_like(t);
	unsigned mantissa = ir_bits(t) == 16 ? 10 : ir_bits(t) == 64 ? 52 : 23;
	ir_id v = fn->inst[id].a[0], bits = bits_of(fn, v), mag = opk(fn, IR_iand, it, bits, sign_bit(t) - 1);
	ir_id low = op2(fn, IR_ult, IR_B1, mag, ir_const(fn, it, 1ull << mantissa)), small = opk(fn, IR_smax, it, bits, 0);

	return op1(fn, IR_bitcast, t, choose(fn, low, small, bits_of(fn, op1(fn, IR_fsat, t, v))));
}

static ir_id compared(struct ir_fn *fn, ir_id id)
{
	static const struct { uint8_t op; bool or_nan; } as[IR_OP_COUNT] = {
		[IR_feq] = { IR_ieq, false }, [IR_flt] = { IR_slt, false }, [IR_fle] = { IR_sle, false },
		[IR_flg] = { IR_ine, false }, [IR_fequ] = { IR_ieq, true }, [IR_fltu] = { IR_slt, true },
		[IR_fleu] = { IR_sle, true }, [IR_fneu] = { IR_ine, true } };
	enum ir_op op = fn->inst[id].op;
	ir_id a[2] = { fn->inst[id].a[0], fn->inst[id].a[1] }, key[2], nan = op2(fn, IR_funo, IR_B1, a[0], a[1]), is;

	for (unsigned k = 0; k < 2; k++)
		key[k] = ordered(fn, bits_of(fn, a[k]), true);
	is = op2(fn, (enum ir_op)as[op].op, IR_B1, key[0], key[1]);
	if (as[op].or_nan)
		return op2(fn, IR_ior, IR_B1, is, nan);
	return op2(fn, IR_iand, IR_B1, is, op1(fn, IR_inot, IR_B1, nan));
}

/* ---- halves */
static ir_id narrow(struct ir_fn *fn, ir_id v, enum ir_op convert)
{
	ir_id mag = op1(fn, IR_fabs, IR_F32, v), small = op2(fn, IR_flt, IR_B1, mag, ir_const(fn, IR_F32, HALF_NORMAL));
	ir_id sum = opk(fn, IR_fadd, IR_F32, mag, ONE_HALF), h = opk(fn, IR_isub, IR_I32, bits_of(fn, sum), ONE_HALF), sign;

	if (convert == IR_f2f_rtz) {
		ir_id grew = op2(fn, IR_flt, IR_B1, mag, opk(fn, IR_fsub, IR_F32, sum, ONE_HALF));
		h = op2(fn, IR_isub, IR_I32, h, op1(fn, IR_zext, IR_I32, grew));
	}
	sign = opk(fn, IR_iand, IR_I32, opk(fn, IR_lshr, IR_I32, bits_of(fn, v), 16), 0x8000);
	h = op1(fn, IR_trunc, IR_I16, op2(fn, IR_ior, IR_I32, h, sign));
	return op1(fn, IR_bitcast, IR_F16, choose(fn, small, h, bits_of(fn, op1(fn, convert, IR_F16, v))));
}

/* A half as f32: `low`, or if not `small` what the host makes of it. */
static ir_id widened(struct ir_fn *fn, ir_id small, ir_id low, ir_id sign, ir_id half)
{
	low = op2(fn, IR_ior, IR_I32, bits_of(fn, low), sign);
	return op1(fn, IR_bitcast, IR_F32, choose(fn, small, low, bits_of(fn, op1(fn, IR_f2f, IR_F32, half))));
}

static ir_id widen_half(struct ir_fn *fn, ir_id v)
{
	ir_id bits = op1(fn, IR_zext, IR_I32, bits_of(fn, v)), mag = opk(fn, IR_iand, IR_I32, bits, 0x7fff);
	ir_id small = op2(fn, IR_ult, IR_B1, mag, ir_const(fn, IR_I32, 0x400));
	ir_id low = opk(fn, IR_fmul, IR_F32, op1(fn, IR_u2f, IR_F32, mag), HALF_STEP);

	return widened(fn, small, low, opk(fn, IR_shl, IR_I32, opk(fn, IR_iand, IR_I32, bits, 0x8000), 16), v);
}

/* A number that was made a half and is a number again, as where halves are exported: rounded where it is. */
static ir_id widen_narrowed(struct ir_fn *fn, ir_id v, enum ir_op convert)
{
	ir_id mag = op1(fn, IR_fabs, IR_F32, v), low;
	ir_id small = op2(fn, IR_flt, IR_B1, mag, ir_const(fn, IR_F32, HALF_NORMAL));

	if (convert == IR_f2f_rtz) {
		ir_id steps = opk(fn, IR_fmul, IR_F32, mag, HALF_STEPS);
		low = opk(fn, IR_fmul, IR_F32, op1(fn, IR_ftrunc, IR_F32, steps), HALF_STEP);
	} else
		low = opk(fn, IR_fsub, IR_F32, opk(fn, IR_fadd, IR_F32, mag, ONE_HALF), ONE_HALF);
	ir_id sign = opk(fn, IR_iand, IR_I32, bits_of(fn, v), sign_bit(IR_F32));
	return widened(fn, small, low, sign, op1(fn, convert, IR_F16, v));
}

static ir_id widen(struct floatkeep *f, ir_id v)
{
	struct ir_fn *fn = f->fn;
	const struct ir_inst *i = &fn->inst[v];
	ir_id w;

	if (v < f->n && f->wide[v] && fn->inst[f->wide[v]].block == fn->at)
		return f->wide[v];
	if (ir_is_const(fn, v, NULL))
		return op1(fn, IR_f2f, IR_F32, v);
	if ((i->op == IR_f2f || i->op == IR_f2f_rtz) && fn->inst[i->a[0]].type == IR_F32)
		w = widen_narrowed(fn, i->a[0], i->op);
	else
		w = widen_half(fn, v);
	if (v < f->n)
		f->wide[v] = w;
	return w;
}

/* a * b + c rounded to odd: the product of two halves is exact, and what the sum lost tells on which side of it the
 * truth lies. */
static ir_id fused(struct ir_fn *fn, const ir_id *v)
{
	ir_id p = op2(fn, IR_fmul, IR_F32, v[0], v[1]), s = op2(fn, IR_fadd, IR_F32, p, v[2]);
	ir_id back = op2(fn, IR_fsub, IR_F32, s, p);
	ir_id lost = op2(fn, IR_fsub, IR_F32, p, op2(fn, IR_fsub, IR_F32, s, back)), bits = bits_of(fn, s);

	lost = op2(fn, IR_fadd, IR_F32, lost, op2(fn, IR_fsub, IR_F32, v[2], back));
	ir_id inexact = op2(fn, IR_flg, IR_B1, lost, ir_const(fn, IR_F32, 0)), i32_0 = ir_const(fn, IR_I32, 0);
	ir_id even = op2(fn, IR_ieq, IR_B1, opk(fn, IR_iand, IR_I32, bits, 1), i32_0);
	ir_id away = op2(fn, IR_sle, IR_B1, i32_0, op2(fn, IR_ixor, IR_I32, bits, bits_of(fn, lost)));
	ir_id up = opk(fn, IR_iadd, IR_I32, bits, 1), odd = choose(fn, away, up, opk(fn, IR_isub, IR_I32, bits, 1));

	return op1(fn, IR_bitcast, IR_F32, choose(fn, op2(fn, IR_iand, IR_B1, inexact, even), odd, bits));
}

static ir_id in_wide(struct floatkeep *f, ir_id id)
{
	struct ir_fn *fn = f->fn;
	enum ir_op op = fn->inst[id].op;
	ir_type t = fn->inst[id].type;
	unsigned n = ir_nargs(fn, id);
	ir_id a[3];

	for (unsigned k = 0; k < n; k++) {
		a[k] = fn->inst[id].a[k];
		if (fn->inst[a[k]].type == IR_F16)
			a[k] = widen(f, a[k]);
	}
	if (op == IR_f2f || op == IR_f2f_rtz)
		return t == IR_F16 ? narrow(fn, a[0], op) : t == IR_F32 ? a[0] : op1(fn, op, t, a[0]);
	if (op == IR_ffrexpe)
		return op1(fn, op, t, a[0]);
	return narrow(fn, op == IR_ffma ? fused(fn, a) : make(fn, op, IR_F32, n, a), IR_f2f);
}

ir_id floatkeep_make(struct floatkeep *f, ir_id id)
{
	struct ir_fn *fn = f->fn;

	fn->at = fn->inst[id].block;
	fn->before = id;
	fn->addr = fn->inst[id].addr;
	switch (fn->inst[id].op) {
	case IR_fneg: case IR_fabs: return sign_changed(fn, id);
	case IR_fmin: case IR_fmax: return extreme(fn, id);
	case IR_fsat: return clamped(fn, id);
	default: return floatkeep_by_bits(fn, id) ? compared(fn, id) : in_wide(f, id);
	}
}
