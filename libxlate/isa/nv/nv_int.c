/* nv_int.c - integer arithmetic, comparisons, bit fields. */
#include "nv_lift.h"

/* ---- sums with carries */
struct sum {
	ir_id value;
	ir_id carry[2]; /* b1 or 0: carry out of each of two additions: the total is value + (carry0 + carry1) << 32 */
	unsigned n;
};

static bool is_const_zero(struct nv_lift *l, ir_id v)
{
	uint64_t k;

	return ir_is_const(l->fn, v, &k) && !k;
}

static void add(struct nv_lift *l, struct sum *s, ir_id v, bool carries)
{
	if (is_const_zero(l, v))
		return;
	if (!s->value || is_const_zero(l, s->value)) {
		s->value = v;
		return;
	}
	if (carries)
		s->carry[s->n++] = op2(l, IR_carry, IR_B1, s->value, v);
	s->value = i2(l, IR_iadd, s->value, v);
}

/* Carry predicates of a three-term sum: at least one, at least two carries out. */
static void set_carries(struct nv_lift *l, const struct sum *s)
{
	ir_id a = s->n > 0 ? s->carry[0] : nv_bool(l, false), b = s->n > 1 ? s->carry[1] : 0;

	nv_set(l, 1, b ? b2(l, IR_ior, a, b) : a);
	nv_set(l, 2, b ? b2(l, IR_iand, a, b) : nv_bool(l, false));
}

static bool wants_carry(const struct nv_lift *l)
{
	return !nv_discards(&l->in->dst[1]) || !nv_discards(&l->in->dst[2]);
}

/* a - b with a carry out (no borrow). */
static void subtract(struct nv_lift *l, ir_id a, ir_id b)
{
	nv_set(l, 0, i2(l, IR_isub, a, b));
	if (!nv_discards(&l->in->dst[1]))
		nv_set(l, 1, not1(l, op2(l, IR_borrow, IR_B1, a, b)));
}

void lift_alu_iadd3(struct nv_lift *l)
{
	const struct nv_inst *in = l->in;
	bool carries = wants_carry(l);
	struct sum s = {0};
	unsigned negs = 0, other = 3, neg = 3;

	for (unsigned i = 0; i < 3; i++) {
		if (in->src[i].neg) {
			negs++;
			neg = i;
		} else if (!nv_is_zero(&in->src[i])) {
			other = other == 3 ? i : 4;
		}
	}
	if (negs == 1 && other != 4 && (!carries || nv_discards(&in->dst[2]))) { /* x - y */
		ir_id a = other == 3 ? nv_c32(l, 0) : nv_word(l, &in->src[other], 0);

		subtract(l, a, nv_word(l, &in->src[neg], 0));
		return;
	}
	if (negs && carries) {
		nv_refuse(l, "carry out of a three-term sum with negated terms");
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		add(l, &s, nv_int(l, i), carries);
	nv_set(l, 0, s.value ? s.value : nv_c32(l, 0));
	if (carries)
		set_carries(l, &s);
}

/* Sum of the operands (inverted where the word says) and two carries in. */
void lift_alu_iadd3x(struct nv_lift *l)
{
	ir_id c0 = nv_pred(l, 3), c1 = nv_pred(l, 4), cin[2] = {c0, c1};
	struct sum s = {0};
	bool carries = wants_carry(l);
	unsigned terms = 0;

	for (unsigned i = 0; i < 3; i++)
		terms += !nv_is_zero(&l->in->src[i]) || l->in->src[i].inv;
	if (carries && terms + !is_const_zero(l, cin[0]) + !is_const_zero(l, cin[1]) > 3) {
		nv_refuse(l, "carry out of a sum of more than three terms");
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		add(l, &s, nv_int(l, i), carries);
	for (unsigned i = 0; i < 2; i++)
		if (!is_const_zero(l, cin[i]))
			add(l, &s, op1(l, IR_zext, IR_I32, cin[i]), carries);
	nv_set(l, 0, s.value ? s.value : nv_c32(l, 0));
	if (carries)
		set_carries(l, &s);
}

static ir_id half_of(struct nv_lift *l, ir_id v, bool upper, bool sign)
{
	return field(l, v, upper ? 16 : 0, 16, sign);
}

/* sm53: halves of the operands, and a shift of the first sum by 16. */
void lift_alu_iadd3m(struct nv_lift *l)
{
	static const uint8_t halves[] = {NVM_HALFA, NVM_HALFB, NVM_HALFC};
	const struct nv_inst *in = l->in;
	ir_id v[3];

	if (in->m[NVM_X] || in->m[NVM_SHIFT3] == 1 || !nv_discards(&in->dst[1])) {
		nv_refuse(l, "carry or right shift of a three-term sum");
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		unsigned h = in->m[halves[i]];

		v[i] = nv_word(l, &in->src[i], 0);
		if (h)
			v[i] = half_of(l, v[i], h == 2, false);
		if (in->src[i].neg)
			v[i] = op1(l, IR_ineg, IR_I32, v[i]);
	}
	v[0] = i2(l, IR_iadd, v[0], v[1]);
	if (in->m[NVM_SHIFT3] == 2)
		v[0] = ik(l, IR_shl, v[0], 16);
	nv_set(l, 0, i2(l, IR_iadd, v[0], v[2]));
}

void lift_alu_iadd2(struct nv_lift *l)
{
	const struct nv_inst *in = l->in;
	bool carries = !nv_discards(&in->dst[1]);
	struct sum s = {0};

	if (in->m[NVM_SAT] || (in->src[0].neg && in->src[1].neg)) {
		nv_refuse(l, in->m[NVM_SAT] ? "saturating integer add" : "add of one more");
		return;
	}
	if (in->src[0].neg || in->src[1].neg) {
		ir_id a = nv_word(l, &in->src[in->src[0].neg], 0);

		subtract(l, a, nv_word(l, &in->src[!in->src[0].neg], 0));
		return;
	}
	add(l, &s, nv_int(l, 0), carries);
	add(l, &s, nv_int(l, 1), carries);
	if (in->m[NVM_X])
		add(l, &s, op1(l, IR_zext, IR_I32, nv_carry(l)), carries);
	nv_set(l, 0, s.value ? s.value : nv_c32(l, 0));
	if (carries) { /* two operands and a carry in carry out at most once */
		ir_id c = s.n > 0 ? s.carry[0] : nv_bool(l, false);
		nv_set(l, 1, s.n > 1 ? b2(l, IR_ior, c, s.carry[1]) : c);
	}
}

static void shift_add(struct nv_lift *l)
{
	ir_id a = ik(l, IR_shl, nv_word(l, &l->in->src[0], 0), l->in->m[NVM_SHIFT]);

	if (!nv_discards(&l->in->dst[1])) {
		nv_refuse(l, "carry out of a shifted add");
		return;
	}
	if (l->in->src[0].neg)
		a = op1(l, IR_ineg, IR_I32, a);
	nv_set(l, 0, i2(l, IR_iadd, a, nv_int(l, 1)));
}

void lift_alu_iscadd(struct nv_lift *l)
{
	if (l->in->src[0].neg && l->in->src[1].neg)
		nv_refuse(l, "add of one more");
	shift_add(l);
}

void lift_alu_lea(struct nv_lift *l)
{
	const struct nv_inst *in = l->in;
	unsigned s = in->m[NVM_SHIFT];
	ir_id v;

	if (in->m[NVM_X] || (in->m[NVM_HIGH] && (in->src[0].neg || in->src[2].kind == NVK_NONE ||
		!nv_discards(&in->dst[1])))) {
		nv_refuse(l, "carry or high half of a shifted add");
		return;
	}
	if (!in->m[NVM_HIGH]) {
		shift_add(l);
		return;
	}
	v = nv_word(l, &in->src[2], 0); /* the high word of the pair, shifted */
	if (s)
		v = funnel(l, v, nv_word(l, &in->src[0], 0), s);
	nv_set(l, 0, i2(l, IR_iadd, v, nv_int(l, 1)));
}

/* ---- products */
static ir_id high(struct nv_lift *l, ir_id a, bool asigned, ir_id b, bool bsigned)
{
	ir_id h;

	if (asigned == bsigned)
		return i2(l, asigned ? IR_smulh : IR_umulh, a, b);
	h = i2(l, IR_umulh, a, b); /* signed s times unsigned u: take u off the high word when s is negative */
	if (asigned)
		return i2(l, IR_isub, h, i2(l, IR_iand, ik(l, IR_ashr, a, 31), b));
	return i2(l, IR_isub, h, i2(l, IR_iand, ik(l, IR_ashr, b, 31), a));
}

void lift_alu_imul(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id a = nv_int(l, 0), b = nv_int(l, 1);

	nv_set(l, 0, m[NVM_HIGH] ? high(l, a, m[NVM_SIGNED], b, m[NVM_SIGNED1]) : i2(l, IR_imul, a, b));
}

void lift_alu_imad(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	struct sum s = {0};
	ir_id a, b;

	if (m[NVM_X] || m[NVM_SAT] || !nv_discards(&l->in->dst[1]) || (l->in->src[0].neg && m[NVM_HIGH])) {
		nv_refuse(l, "carry, saturation or negation of a high product");
		return;
	}
	a = nv_int(l, 0);
	b = nv_int(l, 1);
	add(l, &s, m[NVM_HIGH] ? high(l, a, m[NVM_SIGNED], b, m[NVM_SIGNED1]) : i2(l, IR_imul, a, b), false);
	add(l, &s, nv_int(l, 2), false);
	nv_set(l, 0, s.value);
}

void lift_alu_imad64(struct nv_lift *l)
{
	const struct nv_opnd *c = &l->in->src[2];
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), lo, hi;

	if (c->neg) {
		nv_refuse(l, "negated 64-bit addend");
		return;
	}
	lo = i2(l, IR_imul, a, b);
	hi = i2(l, l->in->m[NVM_SIGNED] ? IR_smulh : IR_umulh, a, b);
	if (!nv_is_zero(c)) {
		ir_id c0 = nv_word(l, c, 0), c1 = nv_word(l, c, 1), carry = op2(l, IR_carry, IR_B1, lo, c0);

		lo = i2(l, IR_iadd, lo, c0);
		hi = i2(l, IR_iadd, hi, c1);
		hi = i2(l, IR_iadd, hi, op1(l, IR_zext, IR_I32, carry));
	}
	nv_set_word(l, 0, 0, lo);
	nv_set_word(l, 0, 1, hi);
}

/* xmad: 16 x 16 + 32. Modes of the addend: as it is, low half, high half, (3: not translated), plus the second
 * operand << 16. */
void lift_alu_xmad(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), c = nv_int(l, 2), v;

	if (m[NVM_X] || m[NVM_XMODE] == 3) {
		nv_refuse(l, "carry or csfu mode of xmad");
		return;
	}
	v = half_of(l, a, m[NVM_HA], m[NVM_SIGNED]);
	v = i2(l, IR_imul, v, half_of(l, b, m[NVM_HB], m[NVM_SIGNED1]));
	if (m[NVM_PSL])
		v = ik(l, IR_shl, v, 16);
	if (m[NVM_XMODE] == 1 || m[NVM_XMODE] == 2)
		c = half_of(l, c, m[NVM_XMODE] == 2, false);
	if (m[NVM_XMODE] == 4)
		c = i2(l, IR_iadd, c, ik(l, IR_shl, b, 16));
	v = i2(l, IR_iadd, v, c);
	if (m[NVM_MRG]) {
		v = ik(l, IR_iand, v, 0xffff);
		v = i2(l, IR_ior, v, ik(l, IR_shl, b, 16));
	}
	nv_set(l, 0, v);
}

/* ---- comparisons */
static ir_id compare(struct nv_lift *l, unsigned cc, bool sign, ir_id a, ir_id b)
{
	enum ir_op lt = sign ? IR_slt : IR_ult, le = sign ? IR_sle : IR_ule;

	switch (cc) {
	case 0: return nv_bool(l, false);
	case 1: return op2(l, lt, IR_B1, a, b);
	case 2: return op2(l, IR_ieq, IR_B1, a, b);
	case 3: return op2(l, le, IR_B1, a, b);
	case 4: return op2(l, lt, IR_B1, b, a);
	case 5: return op2(l, IR_ine, IR_B1, a, b);
	case 6: return op2(l, le, IR_B1, b, a);
	default: return nv_bool(l, true);
	}
}

void lift_alu_isetp(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), accum = nv_pred(l, 2), v;

	if (m[NVM_X]) {
		nv_refuse(l, "comparison with a carry in");
		return;
	}
	v = compare(l, m[NVM_ICMP], m[NVM_SIGNED], a, b);
	if (m[NVM_EX]) { /* high words of a 64-bit comparison: equal, so the low words decide */
		ir_id same = op2(l, IR_ieq, IR_B1, a, b);
		v = op3(l, IR_select, IR_B1, same, nv_pred(l, 3), v);
	}
	nv_set(l, 0, nv_float_setop(l, m[NVM_SETOP], v, accum));
	if (!nv_discards(&l->in->dst[1]))
		nv_set(l, 1, nv_float_setop(l, m[NVM_SETOP], not1(l, v), accum));
}

void lift_alu_iset(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), v;

	if (m[NVM_X]) {
		nv_refuse(l, "comparison with a carry in");
		return;
	}
	v = compare(l, m[NVM_ICMP], m[NVM_SIGNED], a, b);
	v = nv_float_setop(l, m[NVM_SETOP], v, nv_pred(l, 2));
	nv_set(l, 0, pick(l, v, m[NVM_BF] ? 0x3f800000 : UINT32_MAX, 0));
}

void lift_alu_icmp(struct nv_lift *l) /* the third operand compared with 0 chooses */
{
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), c = nv_int(l, 2);

	c = compare(l, l->in->m[NVM_ICMP], l->in->m[NVM_SIGNED], c, nv_c32(l, 0));
	nv_set(l, 0, op3(l, IR_select, IR_I32, c, a, b));
}

void lift_alu_imnmx(struct nv_lift *l)
{
	bool sign = l->in->m[NVM_SIGNED];
	enum ir_op smaller = sign ? IR_smin : IR_umin, larger = sign ? IR_smax : IR_umax;
	ir_id a = nv_int(l, 0), b = nv_int(l, 1), min = nv_pred(l, 2), lo;
	uint64_t k;

	if (ir_is_const(l->fn, min, &k)) {
		nv_set(l, 0, i2(l, k ? smaller : larger, a, b));
		return;
	}
	lo = i2(l, smaller, a, b);
	nv_set(l, 0, op3(l, IR_select, IR_I32, min, lo, i2(l, larger, a, b)));
}

/* ---- bits */
void lift_alu_brev(struct nv_lift *l)
{
	nv_set(l, 0, op1(l, IR_brev, IR_I32, nv_int(l, 0)));
}

void lift_alu_popc(struct nv_lift *l)
{
	nv_set(l, 0, op1(l, IR_popc, IR_I32, nv_int(l, 0)));
}

void lift_alu_iabs(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0);

	nv_set(l, 0, i2(l, IR_smax, a, op1(l, IR_ineg, IR_I32, a)));
}

/* flo: number of the highest set bit (signed: highest that differs from the sign), -1 when there is none; samt: how far
 * a shift left would bring it to the top. */
void lift_alu_flo(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), z;

	if (!nv_discards(&l->in->dst[1])) {
		nv_refuse(l, "predicate result of flo");
		return;
	}
	if (l->in->m[NVM_SIGNED])
		a = i2(l, IR_ixor, a, ik(l, IR_ashr, a, 31));
	z = op1(l, IR_clz, IR_I32, a);
	if (l->in->m[NVM_SAMT]) {
		ir_id none = op2(l, IR_ieq, IR_B1, a, nv_c32(l, 0));
		nv_set(l, 0, op3(l, IR_select, IR_I32, none, nv_c32(l, UINT32_MAX), z));
	} else {
		nv_set(l, 0, i2(l, IR_isub, nv_c32(l, 31), z));
	}
}

/* A range is its first bit, and its width in the next byte. */
static ir_id range_width(struct nv_lift *l, ir_id range)
{
	return ik(l, IR_iand, ik(l, IR_lshr, range, 8), 0xff);
}

void lift_alu_bfe(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), range = nv_int(l, 1), at = ik(l, IR_iand, range, 0xff), width = range_width(l, range);

	if (l->in->m[NVM_REV])
		a = op1(l, IR_brev, IR_I32, a);
	nv_set(l, 0, op3(l, l->in->m[NVM_SIGNED] ? IR_sbfe : IR_ubfe, IR_I32, a, at, width));
}

/* `width` ones from bit 0 on, all from 32 on. */
static ir_id ones(struct nv_lift *l, ir_id width)
{
	ir_id v = ik(l, IR_isub, i2(l, IR_shl, nv_c32(l, 1), width), 1), fits = below(l, width, 32);

	return op3(l, IR_select, IR_I32, fits, v, nv_c32(l, UINT32_MAX));
}

static ir_id shift_left(struct nv_lift *l, ir_id v, ir_id by) /* 0 from 32 on */
{
	ir_id fits = below(l, by, 32), shifted = i2(l, IR_shl, v, by);

	return op3(l, IR_select, IR_I32, fits, shifted, nv_c32(l, 0));
}

void lift_alu_bfi(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), range = nv_int(l, 1), c = nv_int(l, 2), at = ik(l, IR_iand, range, 0xff);
	ir_id mask = shift_left(l, ones(l, range_width(l, range)), at);

	a = i2(l, IR_iand, shift_left(l, a, at), mask);
	c = i2(l, IR_iand, c, op1(l, IR_inot, IR_I32, mask));
	nv_set(l, 0, i2(l, IR_ior, a, c));
}

void lift_alu_bmsk(struct nv_lift *l)
{
	ir_id at = nv_int(l, 0), width = nv_int(l, 1);

	if (l->in->m[NVM_W]) {
		at = ik(l, IR_iand, at, 31);
		width = ik(l, IR_iand, width, 31);
	}
	nv_set(l, 0, shift_left(l, ones(l, width), at));
}
