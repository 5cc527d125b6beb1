/* nv_logic.c - bitwise logic: functions of three inputs given as a table, logical operations, permutes, predicate
 * logic. */
#include "nv_lift.h"

/* ---- functions of one and two inputs. Tables: bit (x << 1 | y). */
static ir_id constant(struct nv_lift *l, ir_type t, bool ones)
{
	return ir_const(l->fn, t, ones ? UINT64_MAX : 0);
}

static ir_id invert(struct nv_lift *l, ir_type t, ir_id v)
{
	uint64_t k;

	return ir_is_const(l->fn, v, &k) ? ir_const(l->fn, t, ~k) : op1(l, IR_inot, t, v);
}

static ir_id two(struct nv_lift *l, ir_type t, unsigned f, ir_id x, ir_id y)
{
	switch (f & 15) {
	case 0x0: return constant(l, t, false);
	case 0x1: return invert(l, t, op2(l, IR_ior, t, x, y));
	case 0x2: return op2(l, IR_iand, t, invert(l, t, x), y);
	case 0x3: return invert(l, t, x);
	case 0x4: return op2(l, IR_iand, t, x, invert(l, t, y));
	case 0x5: return invert(l, t, y);
	case 0x6: return op2(l, IR_ixor, t, x, y);
	case 0x7: return invert(l, t, op2(l, IR_iand, t, x, y));
	case 0x8: return op2(l, IR_iand, t, x, y);
	case 0x9: return invert(l, t, op2(l, IR_ixor, t, x, y));
	case 0xa: return y;
	case 0xb: return op2(l, IR_ior, t, invert(l, t, x), y);
	case 0xc: return x;
	case 0xd: return op2(l, IR_ior, t, x, invert(l, t, y));
	case 0xe: return op2(l, IR_ior, t, x, y);
	default: return constant(l, t, true);
	}
}

/* The table of the other two inputs when input `v` (0 is bit 2 of the index) is 0 or 1. */
static unsigned restrict_lut(unsigned lut, unsigned v, unsigned value)
{
	unsigned f = 0, n = 0;

	for (unsigned i = 0; i < 8; i++)
		if ((i >> (2 - v) & 1) == value)
			f |= (lut >> i & 1) << n++;
	return f;
}

static bool is_plain(unsigned f)
{
	return f == 0 || f == 15;
}

/* f(h, z) when the parts for z = 0 and z = 1 are 0, all ones, h or its inverse. */
static bool joins(unsigned f0, unsigned f1, unsigned *h, unsigned *g)
{
	unsigned part[2] = {f0, f1}, table = 0;

	*h = is_plain(f0) ? f1 : f0;
	for (unsigned z = 0; z < 2; z++)
		for (unsigned x = 0; x < 2; x++) {
			unsigned bit;

			if (is_plain(part[z]))
				bit = part[z] & 1;
			else if (part[z] == *h)
				bit = x;
			else if (part[z] == (~*h & 15))
				bit = !x;
			else
				return false;
			table |= bit << (x << 1 | z);
		}
	*g = table;
	return true;
}

ir_id nv_logic_lut(struct nv_lift *l, ir_type t, unsigned lut, const ir_id src[3])
{
	ir_id rest[2], x, y;
	unsigned h, g, f0, f1;

	for (unsigned v = 0; v < 3; v++) {
		uint64_t k = 0;
		bool known = ir_is_const(l->fn, src[v], &k) && (k == 0 || k == (t == IR_B1 ? 1 : UINT32_MAX));

		f0 = restrict_lut(lut, v, 0);
		f1 = restrict_lut(lut, v, 1);
		rest[0] = src[v == 0];
		rest[1] = src[v == 2 ? 1 : 2];
		if (f0 == f1 || known)
			return two(l, t, f0 == f1 || !k ? f0 : f1, rest[0], rest[1]);
	}
	for (unsigned v = 0; v < 3; v++) {
		if (!joins(restrict_lut(lut, v, 0), restrict_lut(lut, v, 1), &h, &g))
			continue;
		rest[0] = src[v == 0];
		rest[1] = src[v == 2 ? 1 : 2];
		return two(l, t, g, two(l, t, h, rest[0], rest[1]), src[v]);
	}
	f0 = restrict_lut(lut, 2, 0); /* f0 ^ (z & (f0 ^ f1)) */
	f1 = restrict_lut(lut, 2, 1);
	x = two(l, t, f0, src[0], src[1]);
	y = two(l, t, f0 ^ f1, src[0], src[1]);
	return op2(l, IR_ixor, t, x, op2(l, IR_iand, t, src[2], y));
}

void lift_alu_lop3(struct nv_lift *l)
{
	enum { FALSE_, TRUE_, ZERO, NONZERO }; /* NVM_LOPP, sm53 */
	const struct nv_inst *in = l->in;
	ir_id s[3], v;

	for (unsigned i = 0; i < 3; i++)
		s[i] = nv_int(l, i);
	if (in->m[NVM_X] || (in->chip == NV_SM86 && !nv_discards(&in->dst[1]))) {
		nv_refuse(l, "carry or predicate result of lop3");
		return;
	}
	v = nv_logic_lut(l, IR_I32, in->m[NVM_LUT], s);
	nv_set(l, 0, v);
	if (nv_discards(&in->dst[1]))
		return;
	if (in->m[NVM_LOPP] <= TRUE_)
		nv_set(l, 1, nv_bool(l, in->m[NVM_LOPP] == TRUE_));
	else
		nv_set(l, 1, op2(l, in->m[NVM_LOPP] == ZERO ? IR_ieq : IR_ine, IR_B1, v, nv_c32(l, 0)));
}

void lift_alu_plop3(struct nv_lift *l)
{
	const uint8_t *m = l->in->m;
	ir_id s[3];

	for (unsigned i = 0; i < 3; i++)
		s[i] = nv_pred(l, i);
	if (!nv_discards(&l->in->dst[0]))
		nv_set(l, 0, nv_logic_lut(l, IR_B1, (unsigned)m[NVM_LUT] | (unsigned)m[NVM_LUTHI] << 3, s));
	if (!nv_discards(&l->in->dst[1]))
		nv_set(l, 1, nv_logic_lut(l, IR_B1, m[NVM_LUT1], s));
}

void lift_alu_lop2(struct nv_lift *l)
{
	static const uint8_t table[] = {[NV_AND] = 0x8, [NV_OR] = 0xe, [NV_XOR] = 0x6, [NV_PASSB] = 0xa};
	ir_id a = nv_int(l, 0), b = nv_int(l, 1);

	if (l->in->m[NVM_X] || l->in->m[NVM_LOPP] || !nv_discards(&l->in->dst[1])) {
		nv_refuse(l, "carry or predicate forms of lop");
		return;
	}
	nv_set(l, 0, two(l, IR_I32, table[l->in->m[NVM_LOP]], a, b));
}

/* psetp: (a op0 b) op1 c; the second result starts from the inverse of (a op0 b). */
void lift_alu_psetp(struct nv_lift *l)
{
	ir_id a = nv_pred(l, 0), b = nv_pred(l, 1), c = nv_pred(l, 2), x = nv_float_setop(l, l->in->m[NVM_SETOP], a, b);

	nv_set(l, 0, nv_float_setop(l, l->in->m[NVM_SETOP2], x, c));
	if (!nv_discards(&l->in->dst[1]))
		nv_set(l, 1, nv_float_setop(l, l->in->m[NVM_SETOP2], not1(l, x), c));
}

void lift_alu_sel(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), b = nv_int(l, 1);

	nv_set(l, 0, op3(l, IR_select, IR_I32, nv_pred(l, 2), a, b));
}

void lift_alu_mov(struct nv_lift *l)
{
	if (l->in->m[NVM_LANES] != 15) {
		nv_refuse(l, "move of some lanes of a quad");
		return;
	}
	nv_set(l, 0, nv_int(l, 0));
}

/* ---- prmt: each result byte is one of eight source bytes, or eight copies of its top bit */

/* One source byte, placed: `word` >> or << so that byte `from` lands on byte `to`. */
static ir_id place(struct nv_lift *l, ir_id word, unsigned from, unsigned to)
{
	if (from > to)
		return ik(l, IR_lshr, word, 8 * (from - to));
	return from < to ? ik(l, IR_shl, word, 8 * (to - from)) : word;
}

static ir_id join(struct nv_lift *l, ir_id sum, ir_id part)
{
	return sum ? i2(l, IR_ior, sum, part) : part;
}

/* Which result bytes come from source `s` shifted by `delta` bytes. */
static unsigned bytes_of(unsigned sel, unsigned s, int delta)
{
	unsigned bytes = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned n = sel >> 4 * i & 15;

		if (n < 8 && n >> 2 == s && (int)i - (int)(n & 3) == delta)
			bytes |= 1u << i;
	}
	return bytes;
}

static ir_id permute(struct nv_lift *l, const ir_id src[2], unsigned sel)
{
	ir_id sum = 0;
	uint64_t k;

	for (unsigned s = 0; s < 2; s++) {
		if (ir_is_const(l->fn, src[s], &k) && !k)
			continue;
		for (int delta = -3; delta <= 3; delta++) {
			unsigned bytes = bytes_of(sel, s, delta), all = delta < 0 ? 15u >> -delta : (15u << delta) & 15;
			uint32_t mask = 0;
			ir_id v;

			if (!bytes)
				continue;
			for (unsigned i = 0; i < 4; i++)
				mask |= bytes >> i & 1 ? 0xffu << 8 * i : 0;
			v = delta < 0 ? place(l, src[s], (unsigned)-delta, 0) : place(l, src[s], 0, (unsigned)delta);
			sum = join(l, sum, bytes == all ? v : ik(l, IR_iand, v, mask));
		}
	}
	for (unsigned i = 0; i < 4; i++) { /* copies of a sign bit */
		unsigned n = sel >> 4 * i & 15;
		ir_id v;

		if (n < 8)
			continue;
		v = ik(l, IR_ashr, ik(l, IR_shl, src[n >> 2 & 1], 24 - 8 * (n & 3)), 31);
		sum = join(l, sum, ik(l, IR_iand, v, 0xffu << 8 * i));
	}
	return sum ? sum : nv_c32(l, 0);
}

static ir_id permute_dynamic(struct nv_lift *l, const ir_id src[2], ir_id sel)
{
	ir_id both = op2(l, IR_pack64, IR_I64, src[0], src[1]), sum = 0;

	for (unsigned i = 0; i < 4; i++) {
		ir_id n = ik(l, IR_iand, ik(l, IR_lshr, sel, 4 * i), 15);
		ir_id shift = op1(l, IR_zext, IR_I64, ik(l, IR_shl, ik(l, IR_iand, n, 7), 3));
		ir_id byte = ik(l, IR_iand, op1(l, IR_lo64, IR_I32, op2(l, IR_lshr, IR_I64, both, shift)), 0xff);
		ir_id sign = ik(l, IR_iand, ik(l, IR_ashr, ik(l, IR_shl, byte, 24), 31), 0xff);

		byte = op3(l, IR_select, IR_I32, op2(l, IR_ult, IR_B1, nv_c32(l, 7), n), sign, byte);
		sum = join(l, sum, ik(l, IR_shl, byte, 8 * i));
	}
	return sum;
}

void lift_alu_prmt(struct nv_lift *l)
{
	ir_id a = nv_int(l, 0), sel = nv_int(l, 1), b = nv_int(l, 2), src[2] = {a, b};
	uint64_t k;

	if (l->in->m[NVM_PRMT] != 0) {
		nv_refuse(l, "permute mode other than by index");
		return;
	}
	nv_set(l, 0, ir_is_const(l->fn, sel, &k) ? permute(l, src, (unsigned)k & 0xffff) : permute_dynamic(l, src, sel));
}
